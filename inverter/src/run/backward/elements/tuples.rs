//! Tuples of elements that are pairwise distinct, such as the entries of a sparse matrix, each at a different place.
//!
//! The arrays are chosen one after another. Among elements whose tuples agree so far, a value may occur as often as
//! there are tuples of the later arrays, which can then make all of them distinct. Pairs of tuples are never listed.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::distinct::{Distinct, Group};
use crate::invert::{ConjunctId, EnsureId, EnsureKind};
use crate::program::{Atom, Cmp, Expr, FieldId, Op, Poly, Pred, Side, VarId};
use crate::run::backward::constraints::by_cell::by_cell;
use crate::run::backward::constraints::closed_form::closed_form;
use crate::run::backward::constraints::constraint::Residual;
use crate::run::backward::state::Backward;
use crate::run::store::Slot;
use crate::solve::Domain;

/// The requirement that the tuples of the elements of some arrays are distinct.
#[derive(Debug)]
pub struct Tuples {
    /// The conjunct that demands it.
    pub conjunct: (EnsureId, ConjunctId),
    /// The arrays, each with one dimension.
    pub fields: BTreeSet<FieldId>,
    /// The number of tuples.
    count: usize,
}

impl Tuples {
    /// Returns the only requirement of this kind, from ensure `n` or a later one, on the elements of `field`.
    pub fn of(run: &mut Backward<'_>, n: EnsureId, field: FieldId) -> Option<Self> {
        let cx = run.cx;
        let mut found = None;
        for (m, ensure) in cx.inverse.ensures.iter().enumerate().skip(n.0) {
            if matches!(ensure.kind, EnsureKind::Scalars(_)) {
                continue;
            }
            for (k, c) in ensure.conjuncts.iter().enumerate() {
                let conjunct = (EnsureId(m), ConjunctId(k));
                let pred = &cx.inverse.output_conditions().conjuncts[conjunct.0][conjunct.1];
                let Some((count, fields)) = different_tuples(pred) else { continue };
                if !fields.contains(&field) {
                    continue;
                }
                let count = usize::try_from(run.env().eval(count, c.span).ok()?).ok()?;
                if found.replace(Tuples { conjunct, fields, count }).is_some() {
                    return None;
                }
            }
        }
        found
    }

    /// Returns the constraints that the requirement implies for the elements of `field`, which have separate `domains`.
    /// `later` are all other constraints on the arrays that are chosen later. `None` if any of these connects elements,
    /// or if elements whose tuples agree so far have different domains.
    pub fn distinct(
        &self,
        run: &mut Backward<'_>,
        field: FieldId,
        domains: &[Domain],
        later: &[Residual],
    ) -> Option<Distinct> {
        let mut known: Vec<FieldId> = Vec::new();
        let mut each = 1u128;
        for other in self.fields.iter().copied().filter(|f| *f != field) {
            match &run.assignment.input.slots[other] {
                Slot::Array(array, known_cells)
                    if known_cells.is_full() && array.cells.len() >= self.count =>
                {
                    known.push(other);
                }
                _ => each = each.saturating_mul(least_values(run, other, later)?),
            }
        }
        if domains.len() < self.count {
            return None;
        }
        let mut numbers: FxHashMap<Vec<i128>, usize> = FxHashMap::default();
        let mut groups: Vec<Group> = Vec::new();
        for (at, domain) in domains.iter().enumerate().take(self.count) {
            let value = |f: &FieldId| match &run.assignment.input.slots[*f] {
                Slot::Array(array, _) => array.cells.get(at).unwrap_or(0),
                _ => 0,
            };
            let number = *numbers.entry(known.iter().map(value).collect()).or_insert(groups.len());
            match groups.get_mut(number) {
                None => groups.push(Group { cells: vec![at], domain: domain.clone() }),
                Some(group) if group.domain == *domain => group.cells.push(at),
                Some(_) => return None,
            }
        }
        Some(Distinct { groups, each })
    }
}

/// Returns the minimum number of values of each element of an array, if its constraints have a closed form.
fn least_values(run: &mut Backward<'_>, field: FieldId, later: &[Residual]) -> Option<u128> {
    let known = run.known_lengths(field);
    let lengths: Vec<usize> =
        known.into_iter().map(|n| usize::try_from(n?).ok()).collect::<Option<_>>()?;
    let own: Vec<Residual> = later
        .iter()
        .filter(|r| r.pred.mentions(|r| r.side == Side::Input && r.field == field))
        .cloned()
        .collect();
    let cells = by_cell(own, |of: FieldId| (of == field).then_some(&lengths[..]));
    if !cells.coupled.is_empty() {
        return None;
    }
    let range = run.cx.range(field);
    let mut least = Domain::range(range).quotients().len();
    for (atom, preds) in cells.single.values() {
        let preds: Vec<&Residual> = preds.iter().collect();
        least = least.min(closed_form(atom, range, &preds)?.quotients().len());
    }
    Some(least)
}

/// Matches `for all i in 0..n: for all j in 0..i: a[i] != a[j] or b[i] != b[j] ..`, where the inner loop runs below or
/// above `i`. Returns the number and the arrays.
fn different_tuples(p: &Pred) -> Option<(&Expr, BTreeSet<FieldId>)> {
    let Pred::All(i, count, inner) = p else { return None };
    let Pred::All(j, below, body) = &**inner else { return None };
    let any = match &**body {
        Pred::Or(any) => &any[..],
        one => std::slice::from_ref(one),
    };
    let first = Poly::atom(Atom::Var(*i));
    let second = second_index(*i, *j, &Poly::of(count), &Poly::of(below))?;
    let mut fields = BTreeSet::new();
    for p in any {
        let Pred::Cmp(Cmp::Ne, Expr::Ref(a), Expr::Ref(b)) = p else { return None };
        let ([at_a], [at_b]) = (&a.index[..], &b.index[..]) else { return None };
        let index = (Poly::of(at_a), Poly::of(at_b));
        let pair = index.0 == first && index.1 == second || index.1 == first && index.0 == second;
        let same = a.field == b.field && a.side == Side::Input && b.side == Side::Input;
        if !pair || !same || !fields.insert(a.field) {
            return None;
        }
    }
    let plain = !count.mentions(|r| !r.index.is_empty());
    plain.then_some((count, fields))
}

/// Returns the index that, as `j` runs from 0 to below this bound, runs over all elements on one side of `i`.
fn second_index(i: VarId, j: VarId, count: &Poly, below: &Poly) -> Option<Poly> {
    let (i, j) = (Poly::atom(Atom::Var(i)), Poly::atom(Atom::Var(j)));
    if *below == i {
        return Some(j);
    }
    let next = i.add(&Poly::int(1));
    (*below == Poly::apply(Op::Sub, count.clone(), next.clone())).then(|| next.add(&j))
}

#[cfg(test)]
mod tests {
    use super::different_tuples;
    use crate::invert::invert;
    use crate::program::parse;

    fn found(statements: &str) -> Vec<usize> {
        let text = format!(
            "struct In {{ n: u16, a: [u8; n], b: [u8; n] }} struct Out {{ n: u16 }}
            fn normalize(x: &In, y: &mut Out) {{ y.n = x.n; for i in 0..x.n {{ {statements} }} }}"
        );
        let inverse = invert(&parse("t.rs", &text).unwrap()).unwrap();
        let conjuncts = inverse.ensures.iter().flat_map(|e| &e.conjuncts);
        conjuncts.filter_map(|c| Some(different_tuples(&c.pred)?.1.len())).collect()
    }

    #[test]
    fn demands_that_tuples_differ_are_found() {
        let pair = "assume(x.a[i] != x.a[j] || x.b[j] != x.b[i]);";
        assert_eq!(found(&format!("for j in 0..i {{ {pair} }}")), [2]);
        assert_eq!(found("for j in 0..i { assume(x.a[i] != x.a[j]); }"), [1]);
    }

    #[test]
    fn other_demands_are_not() {
        assert_eq!(found("for j in 0..i { assume(x.a[i] != x.b[j]); }"), [0; 0]);
        assert_eq!(found("for j in 0..i / 2 { assume(x.a[i] != x.a[j]); }"), [0; 0]);
        assert_eq!(found("for j in 0..i { assume(x.a[i] <= x.a[j]); }"), [0; 0]);
    }
}
