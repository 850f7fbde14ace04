//! Elements that all differ from one another: keys, identifiers. They are drawn without replacement.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use crate::program::{Atom, Cmp, Expr, FieldId, Poly, Pred, Ref, Side};
use crate::run::backward::constraints::by_cell::position;
use crate::run::error::RunError;
use crate::solve::draw::draw_member;
use crate::solve::evenly::FEW;
use crate::solve::{Choice, ChoiceSource, Domain, list_of};

/// Elements of an array each two of which differ, and that nothing else connects.
#[derive(Debug)]
pub struct Distinct {
    /// Their positions among the cells, ascending.
    cells: Vec<usize>,
    /// The values that each of them may have.
    domain: Domain,
}

impl Distinct {
    /// Returns the elements of `field` if `preds` demand that each two of them differ and nothing else, and if
    /// all have the same domain.
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
        (complete && same).then_some(Self { cells, domain })
    }

    /// Returns the reason why there are not enough values, if that is so.
    pub fn crowded(&self) -> Option<String> {
        let (count, values) = (self.cells.len(), self.domain.quotients().len());
        (values < count as u128)
            .then(|| format!("{count} elements must differ, and there are {values} values"))
    }

    /// Chooses the values of all elements; those that need not differ have `domains` of their own.
    pub fn choose(
        &self,
        name: &str,
        domains: &[Domain],
        source: &mut ChoiceSource,
    ) -> Result<Vec<i128>, RunError> {
        let fit = |value: &Choice| {
            let values = list_of(value, domains)?;
            let mut seen = FxHashSet::default();
            match self.cells.iter().find(|at| !seen.insert(values[**at])) {
                Some(at) => Err(format!("item {at} must differ from those before it")),
                None => Ok(values.to_vec()),
            }
        };
        let simplest = || {
            let own = (0..self.cells.len() as u128).collect();
            Choice::List(self.with(domains.iter().map(Domain::least).collect(), own))
        };
        let draw = |rng: &mut ChaCha8Rng| {
            let all = domains.iter().map(|d| draw_member(rng, d).unwrap_or(0)).collect();
            let own = self.positions(rng);
            Choice::List(self.with(all, own))
        };
        Ok(source.choose(name, fit, simplest, draw)?)
    }

    /// Returns values of all elements, with those that differ replaced by the values at these positions among
    /// the members of the domain.
    fn with(&self, mut values: Vec<i128>, own: Vec<u128>) -> Vec<i128> {
        for (at, value) in self.cells.iter().zip(self.domain.members_at(own)) {
            values[*at] = value;
        }
        values
    }

    /// Draws different positions among the members of the domain: anywhere, or, unless there are only a few ways,
    /// the first ones in any order.
    fn positions(&self, rng: &mut ChaCha8Rng) -> Vec<u128> {
        let (count, size) = (self.cells.len(), self.domain.quotients().len());
        let ways = (0..count as u128).try_fold(1u128, |n, k| n.checked_mul(size.saturating_sub(k)));
        let size = match rng.random_range(0..4) {
            _ if ways.is_some_and(|n| n <= FEW as u128) => size,
            0 => size.min(count as u128),
            1 => size.min(2 * count as u128 + 8),
            _ => size,
        };
        // A partial shuffle where there are few members; drawing again is rare where there are many.
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

/// Returns the two references that `a != b` is about, if it is about no more than these.
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
