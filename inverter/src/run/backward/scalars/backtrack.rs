//! Backtracking search for connected scalars, with MRV and unit propagation.
//!
//! The unknown with the fewest remaining values (MRV) is assigned next; the value is substituted
//! and decided parts are removed, which may leave another unknown a single value (unit
//! propagation). A dead end goes back to the last unknown with another value. Nodes are kept in a
//! decision diagram ([`Node`]). Most ensures of file formats are solved here, without Z3.

use std::sync::Arc;

use super::diagram::{Condition, Narrowed, Node};
use super::plan::Component;
use crate::program::{Atom, Expr, FieldId, Pred, Side};
use crate::run::backward::assignment::Assignment;
use crate::run::backward::constraints::closed_form::{decided, narrowed, scalar};
use crate::run::backward::constraints::constraint::Residual;
use crate::run::backward::context::Context;
use crate::run::error::RunError;
use crate::solve::domain::{self, Domain};
use crate::solve::{Choice, ChoiceSource, IntervalSet};

/// The most values of an unknown that are all tried.
const FEW: u128 = 16;
/// The most values that are tried in one search.
const TRIES: usize = 400;
/// The number of values that are tried of an unknown that has more than a few.
const DRAWS: usize = 8;

/// The result of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchResult {
    /// Every unknown has a value.
    Sat,
    /// No values satisfy the constraints: all were tried.
    Unsat,
    /// Some values were not tried.
    Unknown,
}

/// An unknown, with the values that are excluded.
type Open<'a> = (FieldId, &'a IntervalSet);

/// A search in progress.
struct Search<'s, 'a> {
    cx: Context<'a>,
    source: &'s ChoiceSource,
    tries: usize,
    /// True if all values of every unknown so far were tried.
    exhaustive: bool,
    assigned: Vec<Assigned>,
}

/// A value that the search has found.
struct Assigned {
    field: FieldId,
    value: i128,
    /// True if no other value was possible.
    forced: bool,
}

/// Searches for values of a component's unknowns, and assigns them.
pub fn backtrack(
    cx: Context<'_>,
    component: &Component,
    excluded: &[&IntervalSet],
    assignment: &mut Assignment,
    source: &mut ChoiceSource,
) -> Result<SearchResult, RunError> {
    let open: Vec<Open<'_>> =
        component.fields.iter().copied().zip(excluded.iter().copied()).collect();
    let mut search = Search { cx, source, tries: TRIES, exhaustive: true, assigned: Vec::new() };
    if !search.assign_next(&open, root(cx, component)) {
        let exhaustive = search.exhaustive;
        return Ok(if exhaustive { SearchResult::Unsat } else { SearchResult::Unknown });
    }
    let assigned = std::mem::take(&mut search.assigned);
    record(cx, assigned, &String::new, assignment, source)?;
    Ok(SearchResult::Sat)
}

/// Returns true if a component has, for certain, more than `few` solutions: one unknown alone has more values under some
/// values of the others.
pub fn has_many(cx: Context<'_>, component: &Component, few: u128) -> bool {
    let root = root(cx, component);
    // Options are mostly ordered such that the last one leaves most open.
    let greatest = |node: &Node| match &node.members {
        Some(members) => members.last().copied(),
        None => node.domain.set.max(),
    };
    let (mut open, mut after): (Vec<FieldId>, Option<Arc<Node>>) = (component.fields.clone(), None);
    loop {
        let node = after.as_deref().unwrap_or(root);
        if node.last().is_some_and(|last| last.count > few) {
            return true;
        }
        let (Some(field), Some(value)) = (open.get(node.at).copied(), greatest(node)) else {
            return false;
        };
        open = node.rest(&open);
        let next = || following(cx, node, (field, value), open.iter().copied());
        let Some(next) = node.after(value, next) else { return false };
        after = Some(next);
    }
}

/// Assigns the values of a component's unknowns that another solver has found, in the order of `fields`.
/// As after a search, a value that the others force is no choice: numbers that a spec computes from others
/// are no dimensions of their own. `why` states what another, given value would break.
pub fn assign_found(
    cx: Context<'_>,
    component: &Component,
    values: &[i128],
    why: &dyn Fn() -> String,
    assignment: &mut Assignment,
    source: &mut ChoiceSource,
) -> Result<(), RunError> {
    let mut open = component.fields.clone();
    let value_of = |field: FieldId| {
        let at = component.fields.iter().position(|f| *f == field)?;
        values.get(at).copied()
    };
    let root = root(cx, component);
    let mut found: Vec<Assigned> = Vec::new();
    let mut after: Option<Arc<Node>> = None;
    while !open.is_empty() {
        let node = after.as_deref().unwrap_or(root);
        let field = open.remove(node.at);
        let Some(value) = value_of(field) else { break };
        let forced = node.members.as_ref().is_some_and(|members| members.len() == 1);
        found.push(Assigned { field, value, forced });
        let next = || following(cx, node, (field, value), open.iter().copied());
        let next = node.after(value, next);
        if next.is_none() {
            break;
        }
        after = next;
    }
    for field in open {
        let value = value_of(field);
        found.extend(value.map(|value| Assigned { field, value, forced: false }));
    }
    record(cx, found, why, assignment, source)
}

/// Assigns values, and records those that are choices.
fn record(
    cx: Context<'_>,
    all: Vec<Assigned>,
    why: &dyn Fn() -> String,
    assignment: &mut Assignment,
    source: &mut ChoiceSource,
) -> Result<(), RunError> {
    for Assigned { field, value, forced } in all {
        let name = cx.dimension(field);
        // A value that is forced is no choice.
        if !forced || source.is_given(name) {
            source.fix(name, Choice::Int(value), why)?;
        }
        assignment.assign(field, value);
    }
    Ok(())
}

/// Returns the node of a component at which nothing is assigned.
fn root<'c>(cx: Context<'_>, component: &'c Component) -> &'c Node {
    component.diagram.get_or_init(|| {
        let conditions: Vec<_> = component.preds.iter().cloned().map(Condition::of).collect();
        let narrowed = component.fields.iter().map(|f| left(cx, *f, &conditions)).collect();
        Node::new(conditions, narrowed, FEW)
    })
}

/// Creates the node that follows `node` when its unknown has this value, and `rest` is open; `None` if a
/// constraint fails.
fn following(
    cx: Context<'_>,
    node: &Node,
    (field, value): (FieldId, i128),
    rest: impl Iterator<Item = FieldId>,
) -> Option<Node> {
    let Propagated { conditions, changed } = propagate(&node.conditions, field, value)?;
    let before = node.narrowed.iter().enumerate().filter(|(k, _)| *k != node.at);
    let narrowed = rest.zip(before).map(|(field, (_, before))| match changed.contains(&field) {
        true => left(cx, field, &conditions),
        false => Arc::clone(before),
    });
    let narrowed = narrowed.collect();
    Some(Node::new(conditions, narrowed, FEW))
}

/// Returns the values that `conditions` leave to an unknown. Those whose constraints have no closed form count as
/// very many, so that the unknown comes last; one without any value comes first.
fn left(cx: Context<'_>, field: FieldId, conditions: &[Arc<Condition>]) -> Arc<Narrowed> {
    let concerning = || conditions.iter().filter(|c| c.unknowns.contains(&field));
    let own: Vec<&Residual> =
        concerning().filter(|c| c.unknowns.len() == 1).map(|c| &c.left).collect();
    let atom = scalar(field);
    let range = cx.range(field);
    let (mut domain, exact) = narrowed(&atom, range, &own);
    let alone = exact && concerning().all(|c| c.unknowns.len() == 1);
    let alone = alone.then_some(own.len());
    // Constraints shared with others narrow it by their projection.
    for shared in concerning().filter(|c| c.unknowns.len() > 1) {
        let left = projected(shared.pred(), field, &atom, range);
        domain = domain.intersect(&left).unwrap_or(domain);
    }
    let count = domain.quotients().len();
    let count = if exact || count <= FEW { count } else { u128::MAX };
    Arc::new(Narrowed { domain, count, alone })
}

impl Search<'_, '_> {
    /// Assigns the next of `open`, and then the others; false at a dead end.
    fn assign_next(&mut self, open: &[Open<'_>], node: &Node) -> bool {
        if open.is_empty() {
            return node.conditions.iter().all(|c| decided(c.pred()) == Some(true));
        }
        let (field, excluded) = open[node.at];
        let name = self.cx.dimension(field);
        let values = match &node.members {
            Some(members) => {
                if self.source.is_given(name) {
                    self.exhaustive = false;
                }
                self.source.preference(name, members)
            }
            None => {
                self.exhaustive = false;
                self.source.proposals(name, &node.domain, self.cx.interesting_values, DRAWS)
            }
        };
        let rest = node.rest(open);
        for value in values.into_iter().filter(|v| !excluded.contains(*v)) {
            if self.tries == 0 {
                self.exhaustive = false;
                return false;
            }
            self.tries -= 1;
            let open = rest.iter().map(|(field, _)| *field);
            let left = || following(self.cx, node, (field, value), open);
            if let Some(next) = node.after(value, left)
                && self.assign_next(&rest, &next)
            {
                let forced = node.members.as_ref().is_some_and(|m| m.len() == 1);
                self.assigned.push(Assigned { field, value, forced });
                return true;
            }
        }
        false
    }
}

/// Returns an over-approximation of the existential projection of `p` on `field`, which is `atom`:
/// every value for which `p` holds under some values of the other unknowns, and perhaps more.
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

/// Returns true if `p` mentions `field`, and no other unknown.
fn mentions_only(p: &Pred, field: FieldId) -> bool {
    let is_input = |r: &crate::program::Ref| r.side == Side::Input;
    p.mentions(|r| is_input(r) && r.field == field)
        && !p.mentions(|r| is_input(r) && r.field != field)
}

/// The constraints that an assignment leaves.
struct Propagated {
    conditions: Vec<Arc<Condition>>,
    /// The unknowns of the constraints that the assignment changes, or decides.
    changed: Vec<FieldId>,
}

/// Substitutes the value of `field` and drops the conditions that hold; `None` if one fails.
fn propagate(conditions: &[Arc<Condition>], field: FieldId, value: i128) -> Option<Propagated> {
    let mut left = Vec::with_capacity(conditions.len());
    let mut changed = Vec::new();
    for c in conditions {
        if !c.unknowns.contains(&field) {
            left.push(Arc::clone(c));
            continue;
        }
        for unknown in &c.unknowns {
            if !changed.contains(unknown) {
                changed.push(*unknown);
            }
        }
        match substitute(c.pred(), field, value) {
            Pred::Const(true) => {}
            Pred::Const(false) => return None,
            pred => left.push(Condition::of(Residual { pred, ..c.left })),
        }
    }
    Some(Propagated { conditions: left, changed })
}

/// Substitutes the value of `field`, and removes decided parts.
pub fn substitute(p: &Pred, field: FieldId, value: i128) -> Pred {
    let replacement = |e: &Expr| match e {
        Expr::Ref(r) if r.side == Side::Input && r.index.is_empty() && r.field == field => {
            Some(Expr::Int(value))
        }
        _ => None,
    };
    simplify(p.substitute(replacement))
}

/// Removes decided parts.
fn simplify(p: Pred) -> Pred {
    match p {
        Pred::And(ps) => Pred::and(ps.into_iter().map(simplify)),
        Pred::Or(ps) => Pred::or(ps.into_iter().map(simplify)),
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
                if substitute(&substitute(&p, FieldId(0), a), FieldId(1), b) == Pred::Const(true) {
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
