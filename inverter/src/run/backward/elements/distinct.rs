//! Pairwise distinct elements, such as keys and identifiers, which are drawn without replacement.

use rand::RngExt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{Atom, Cmp, Expr, FieldId, Poly, Pred, Ref, Side};
use crate::run::backward::constraints::by_cell::position;
use crate::run::error::RunError;
use crate::solve::draw::draw_member;
use crate::solve::evenly::FEW;
use crate::solve::{Choice, ChoiceSource, DimensionId, Domain, Stream, list_of};

/// Elements of an array that must be pairwise distinct within groups, and that nothing else connects.
#[derive(Debug)]
pub struct Distinct {
    /// The groups.
    pub groups: Vec<Group>,
    /// The number of elements of a group that may have the same value: 1, unless later choices make them distinct.
    pub each: u128,
}

/// Pairwise distinct elements.
#[derive(Debug)]
pub struct Group {
    /// Their positions among the cells, ascending.
    pub cells: Vec<usize>,
    /// The values that each element may have.
    pub domain: Domain,
}

impl Distinct {
    /// Returns the elements of `field` if `preds` require only that they are pairwise distinct, and if all have the
    /// same domain.
    pub fn of(
        field: FieldId,
        lengths: &[usize],
        domains: &[Domain],
        preds: &[&Pred],
    ) -> Option<Self> {
        let mut pairs: FxHashSet<(usize, usize)> = FxHashSet::default();
        for p in preds {
            let Pred::Cmp(Cmp::Ne, a, b) = p else { return None };
            let at = |r: &Ref| {
                let own = r.side == Side::Input && r.field == field;
                position(&r.index, lengths).filter(|_| own)
            };
            let (a, b) = different(a, b)?;
            let (a, b) = (at(&a)?, at(&b)?);
            if a == b {
                return None;
            }
            pairs.insert((a.min(b), a.max(b)));
        }
        let mut cells: Vec<usize> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
        cells.sort_unstable();
        cells.dedup();
        let domain = domains.get(*cells.first()?)?.clone();
        let complete = pairs.len() == cells.len() * (cells.len() - 1) / 2;
        let same = cells.iter().all(|at| domains.get(*at) == Some(&domain));
        (complete && same).then(|| Self { groups: vec![Group { cells, domain }], each: 1 })
    }

    /// Returns the reason why there are not enough values, if that is so.
    pub fn crowded(&self) -> Option<String> {
        self.groups.iter().find_map(|group| {
            let (count, values) = (group.cells.len(), self.slots(group));
            (values < count as u128)
                .then(|| format!("{count} elements must differ, and there are {values} values"))
        })
    }

    /// Chooses the values of all elements; elements without this requirement have separate `domains`.
    pub fn choose(
        &self,
        name: DimensionId,
        domains: &[Domain],
        source: &mut ChoiceSource,
    ) -> Result<Vec<i128>, RunError> {
        let fit = |value: &Choice| {
            let values = list_of(value, domains)?;
            let mut counts: FxHashMap<(usize, i128), u128> = FxHashMap::default();
            for (number, group) in self.groups.iter().enumerate() {
                for at in &group.cells {
                    let count = counts.entry((number, values[*at])).or_default();
                    *count += 1;
                    match self.each {
                        1 if *count > 1 => {
                            return Err(format!("item {at} must differ from those before it"));
                        }
                        most if *count > most => {
                            return Err(format!(
                                "item {at} has the value of {most} before it, all that there may be"
                            ));
                        }
                        _ => {}
                    }
                }
            }
            Ok(values.to_vec())
        };
        let simplest = || {
            let first = |group: &Group| (0..group.cells.len() as u128).collect();
            let own = self.groups.iter().map(first).collect();
            Choice::List(self.with(domains.iter().map(Domain::least).collect(), own))
        };
        let draw = |rng: &mut Stream| {
            let all = domains.iter().map(|d| draw_member(rng, d).unwrap_or(0)).collect();
            let habit = rng.random_range(0..4);
            let own = self.groups.iter().map(|group| self.positions(group, habit, rng)).collect();
            Choice::List(self.with(all, own))
        };
        Ok(source.choose(name, fit, simplest, draw)?)
    }

    /// The number of slots of a group: each value has one slot for each element that may have it.
    fn slots(&self, group: &Group) -> u128 {
        group.domain.quotients().len().saturating_mul(self.each)
    }

    /// Returns values of all elements, with the distinct ones replaced by the values of these slots.
    fn with(&self, mut values: Vec<i128>, own: Vec<Vec<u128>>) -> Vec<i128> {
        for (group, slots) in self.groups.iter().zip(own) {
            let positions = slots.into_iter().map(|slot| slot / self.each.max(1));
            for (at, value) in group.cells.iter().zip(group.domain.members_at(positions)) {
                values[*at] = value;
            }
        }
        values
    }

    /// Draws different slots: any of them or, depending on `habit`, the first ones in any order. If there are only a
    /// few ways, any slots are drawn. If each set of slots is equally likely, so is each set of tuples that starts with
    /// these values.
    fn positions(&self, group: &Group, habit: u32, rng: &mut Stream) -> Vec<u128> {
        let (count, size) = (group.cells.len(), self.slots(group));
        let ways = (0..count as u128).try_fold(1u128, |n, k| n.checked_mul(size.saturating_sub(k)));
        let size = match habit {
            _ if ways.is_some_and(|n| n <= FEW as u128) => size,
            0 => size.min(count as u128),
            1 => size.min(2 * count as u128 + 8),
            _ => size,
        };
        // Uses a partial shuffle if there are few members; if there are many, repeated draws rarely collide.
        if size <= 4 * count as u128 {
            let mut all: Vec<u128> = (0..size).collect();
            for k in 0..count.min(all.len()) {
                let other = rng.random_range(k..all.len());
                all.swap(k, other);
            }
            all.truncate(count);
            return all;
        }
        let mut seen = FxHashSet::default();
        let mut out = Vec::with_capacity(count);
        while out.len() < count {
            let n = rng.random_range(0..size);
            if seen.insert(n) {
                out.push(n);
            }
        }
        out
    }
}

/// Returns the two references of `a != b`, if the predicate has this form.
fn different(a: &Expr, b: &Expr) -> Option<(Ref, Ref)> {
    if let (Expr::Ref(a), Expr::Ref(b)) = (a, b) {
        return Some((a.clone(), b.clone()));
    }
    let difference = Poly::of(a).sub(&Poly::of(b));
    let mut refs: Vec<Ref> = Vec::new();
    let mut collect = |r: &Ref| {
        if refs.iter().all(|o| o.index != r.index) {
            refs.push(r.clone());
        }
    };
    a.refs(&mut collect);
    b.refs(&mut collect);
    let [first, second] = <[Ref; 2]>::try_from(refs).ok()?;
    let atom = |r: &Ref| -> Atom { Poly::ref_atom(r) };
    let plain = Poly::atom(atom(&first)).sub(&Poly::atom(atom(&second)));
    (difference == plain || difference == plain.scale(-1)).then_some((first, second))
}
