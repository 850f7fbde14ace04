//! Several unknown scalars, one after the other: the one with the fewest values left comes
//! next, what it is given is filled in, and a dead end goes back. Most ensures of formats
//! are decided so, without Z3.

use std::sync::Arc;

use super::Backward;
use super::plan::{Node, Part};
use super::scalars::{Residual, decided, narrowed};
use crate::program::{Atom, Expr, FieldId, Pred, Side};
use crate::run::error::RunError;
use crate::solve::domain::{self, Domain};
use crate::solve::{Choice, IntervalSet};

/// Unknowns of so few values have each of them tried.
const FEW: u128 = 16;
/// How many values are tried in all.
const TRIES: usize = 400;
/// How many values of an unknown of many are tried.
const DRAWS: usize = 8;

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turns {
    /// Every unknown has its value.
    Found,
    /// There are no values: everything was tried.
    Nothing,
    /// Not all could be tried.
    Unknown,
}

/// What is left of a condition, and the scalars that it mentions. Where one of the others gets its
/// value it stays the same.
#[derive(Debug)]
pub(super) struct Condition {
    left: Residual,
    unknowns: Vec<FieldId>,
}

impl Condition {
    pub(super) fn pred(&self) -> &Pred {
        &self.left.pred
    }

    fn of(left: Residual) -> Arc<Self> {
        let mut unknowns = Vec::new();
        left.pred.refs(&mut |r| {
            if r.side == Side::Input && !unknowns.contains(&r.field) {
                unknowns.push(r.field);
            }
        });
        Arc::new(Self { left, unknowns })
    }
}

/// An unknown, with the values that it must not have.
type Open<'a> = (FieldId, &'a IntervalSet);

/// A search in progress.
struct Search {
    tries: usize,
    /// Whether all values of every unknown so far were tried.
    everything: bool,
    /// Field, value, and whether no other was possible.
    chosen: Vec<(FieldId, i128, bool)>,
}

impl Backward<'_> {
    /// Gives `fields` values that satisfy `preds`, if they are found in turn.
    pub(super) fn solve_in_turn(
        &mut self,
        part: &Part,
        excluded: &[&IntervalSet],
    ) -> Result<Turns, RunError> {
        let open: Vec<Open<'_>> =
            part.fields.iter().copied().zip(excluded.iter().copied()).collect();
        let mut search = Search { tries: TRIES, everything: true, chosen: Vec::new() };
        let root = part.turns.get_or_init(|| {
            self.node(&open, part.preds.iter().cloned().map(Condition::of).collect())
        });
        if !self.turn(&open, root, &mut search) {
            return Ok(if search.everything { Turns::Nothing } else { Turns::Unknown });
        }
        for (field, value, forced) in search.chosen {
            let name = self.program.input.fields[field].dimension();
            // A value that is forced is no choice.
            if !forced || self.source.is_given(name) {
                self.source.settle(name, Choice::Int(value), String::new)?;
            }
            self.give(field, value);
        }
        Ok(Turns::Found)
    }

    /// What is to be done with `open` under `preds`.
    fn node(&self, open: &[Open<'_>], conditions: Vec<Arc<Condition>>) -> Node {
        let (at, domain) = self.next(open, &conditions);
        Node::new(conditions, at, domain, FEW)
    }

    /// Gives the next of `open` a value, and then the others.
    fn turn(&self, open: &[Open<'_>], node: &Node, search: &mut Search) -> bool {
        if open.is_empty() {
            return node.conditions.iter().all(|c| decided(&c.left.pred) == Some(true));
        }
        let (field, excluded) = open[node.at];
        let name = self.program.input.fields[field].dimension();
        let values = match &node.members {
            Some(members) => {
                if self.source.is_given(name) {
                    search.everything = false;
                }
                self.source.preference(name, members)
            }
            None => {
                search.everything = false;
                self.source.proposals(name, &node.domain, self.landmarks, DRAWS)
            }
        };
        let rest: Vec<Open<'_>> =
            open.iter().enumerate().filter(|(k, _)| *k != node.at).map(|(_, o)| *o).collect();
        for value in values.into_iter().filter(|v| !excluded.contains(*v)) {
            if search.tries == 0 {
                search.everything = false;
                return false;
            }
            search.tries -= 1;
            let left = || Some(self.node(&rest, narrower(&node.conditions, field, value)?));
            if let Some(next) = node.after(value, left)
                && self.turn(&rest, &next, search)
            {
                let forced = node.members.as_ref().is_some_and(|m| m.len() == 1);
                search.chosen.push((field, value, forced));
                return true;
            }
        }
        false
    }

    /// The unknown with the fewest values left: its place among `open`, of which there is at
    /// least one. An unknown without any value comes first, one with conditions that have no
    /// closed form last.
    fn next(&self, open: &[Open<'_>], conditions: &[Arc<Condition>]) -> (usize, Domain) {
        let mut best: Option<(usize, Domain, u128)> = None;
        for (k, (field, _)) in open.iter().enumerate() {
            let concerning = || conditions.iter().filter(|c| c.unknowns.contains(field));
            let own: Vec<&Residual> =
                concerning().filter(|c| c.unknowns.len() == 1).map(|c| &c.left).collect();
            let atom = Atom::Ref(Side::Input, *field, Vec::new());
            let range = self.program.input.fields[*field].int.range();
            let (mut domain, exact) = narrowed(&atom, range, &own);
            // What is said of it and others leaves it no more than this.
            for shared in concerning().filter(|c| c.unknowns.len() > 1) {
                let left = projected(&shared.left.pred, *field, &atom, range);
                domain = domain.intersect(&left).unwrap_or(domain);
            }
            let count = domain.quotients().len();
            let count = if exact || count <= FEW { count } else { u128::MAX };
            if best.as_ref().is_none_or(|b| count < b.2) {
                best = Some((k, domain, count));
            }
        }
        best.map_or((0, Domain::range((0, -1))), |(k, domain, _)| (k, domain))
    }
}

/// Values of `field`, which is `atom`: all for which `p` holds with some values of what else it
/// mentions, and perhaps more.
fn projected(p: &Pred, field: FieldId, atom: &Atom, range: (i128, i128)) -> Domain {
    match p {
        Pred::Const(false) => Domain::of(IntervalSet::empty()),
        Pred::And(ps) => ps.iter().fold(Domain::range(range), |all, p| {
            let left = projected(p, field, atom, range);
            all.intersect(&left).unwrap_or(all)
        }),
        Pred::Or(ps) => {
            Domain::of(ps.iter().fold(IntervalSet::empty(), |any, p| {
                any.union(&projected(p, field, atom, range).set)
            }))
        }
        Pred::Cmp(..) if mentions_only(p, field) => {
            domain::solutions(p, atom, range).unwrap_or(Domain::range(range))
        }
        _ => Domain::range(range),
    }
}

/// Whether `p` mentions `field`, and no other unknown.
fn mentions_only(p: &Pred, field: FieldId) -> bool {
    let (mut found, mut others) = (false, false);
    p.refs(&mut |r| {
        if r.side == Side::Input {
            found |= r.field == field;
            others |= r.field != field;
        }
    });
    found && !others
}

/// The conditions with `field` known, those that hold left out; `None` if one cannot hold.
fn narrower(
    conditions: &[Arc<Condition>],
    field: FieldId,
    value: i128,
) -> Option<Vec<Arc<Condition>>> {
    let mut out = Vec::with_capacity(conditions.len());
    for c in conditions {
        if !c.unknowns.contains(&field) {
            out.push(Arc::clone(c));
            continue;
        }
        match filled(&c.left.pred, field, value) {
            Pred::Const(true) => {}
            Pred::Const(false) => return None,
            pred => out.push(Condition::of(Residual { pred, ..c.left })),
        }
    }
    Some(out)
}

/// The predicate with `field` known, and what is decided in it taken out.
pub(super) fn filled(p: &Pred, field: FieldId, value: i128) -> Pred {
    let fill = |e: &Expr| match e {
        Expr::Ref(r) if r.side == Side::Input && r.index.is_empty() && r.field == field => {
            Some(Expr::Int(value))
        }
        _ => None,
    };
    shorter(p.substitute(fill))
}

/// The predicate with what is decided in it taken out.
fn shorter(p: Pred) -> Pred {
    match p {
        Pred::And(ps) => Pred::and(ps.into_iter().map(shorter)),
        Pred::Or(ps) => Pred::or(ps.into_iter().map(shorter)),
        p => decided(&p).map_or(p, Pred::Const),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Cmp, Op, Ref, Span};
    use proptest::prelude::*;

    fn unknown(field: FieldId) -> Expr {
        Expr::Ref(Ref { side: Side::Input, field, index: Vec::new(), span: Span::default() })
    }

    fn any_pred() -> impl Strategy<Value = Pred> {
        let cmp = prop::sample::select(vec![Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge]);
        let one = (cmp.clone(), 0..2usize, -9i128..9)
            .prop_map(|(cmp, field, n)| Pred::Cmp(cmp, unknown(FieldId(field)), Expr::Int(n)));
        let both = (cmp, -3i128..4).prop_map(|(cmp, n)| {
            Pred::Cmp(
                cmp,
                unknown(FieldId(0)),
                Expr::bin(Op::Add, unknown(FieldId(1)), Expr::Int(n)),
            )
        });
        let even = (0..2usize).prop_map(|field| {
            let rem = Expr::bin(Op::Rem, unknown(FieldId(field)), Expr::Int(2));
            Pred::Cmp(Cmp::Eq, rem, Expr::Int(0))
        });
        prop_oneof![4 => one, 1 => both, 1 => even].prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 1..4).prop_map(Pred::And),
                prop::collection::vec(inner, 1..4).prop_map(Pred::Or),
            ]
        })
    }

    proptest! {
        #[test]
        fn no_value_is_lost_by_projection(p in any_pred()) {
            let left = [0, 1].map(FieldId).map(|field| {
                projected(&p, field, &Atom::Ref(Side::Input, field, Vec::new()), (-9, 9))
            });
            for (a, b) in (-9..=9).flat_map(|a| (-9..=9).map(move |b| (a, b))) {
                if filled(&filled(&p, FieldId(0), a), FieldId(1), b) == Pred::Const(true) {
                    prop_assert!(left[0].contains(a), "{} of {:?}", a, p);
                    prop_assert!(left[1].contains(b), "{} of {:?}", b, p);
                }
            }
        }
    }

    #[test]
    fn alternatives_are_values() {
        let is = |field, n| Pred::Cmp(Cmp::Eq, unknown(field), Expr::Int(n));
        let either =
            |masks: [i128; 2]| Pred::And(vec![is(FieldId(0), masks[0]), is(FieldId(1), masks[1])]);
        let p = Pred::Or(vec![either([0x7C00, 0x3E0]), either([0xF800, 0x7E0])]);
        let atom = Atom::Ref(Side::Input, FieldId(0), Vec::new());
        let left = projected(&p, FieldId(0), &atom, (0, u32::MAX.into()));
        assert_eq!(left.set, IntervalSet::from_spans([(0x7C00, 0x7C00), (0xF800, 0xF800)]));
    }
}
