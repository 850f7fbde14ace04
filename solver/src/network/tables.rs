//! Functions defined by cases: `value = argument - 48` for some arguments, `argument - 55` for others.
//!
//! A single case narrows nothing, because another may hold. Together they are a function of an argument with few
//! values, whose table narrows both.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::constraint::{Constraint, Graph, Number};
use crate::domain::{self, Domain};
use crate::interval::IntervalSet;
use crate::memo::BoundedMemo;
use language::program::{Expr, FieldId, Poly, Pred, Ref, Side, Span};

/// The maximum number of values of an argument.
const MOST_ARGUMENTS: u128 = 1 << 8;
/// The maximum number of arguments in all computed tables; elements with the same cases share a table.
const MOST_COMPUTED: usize = 1 << 16;

/// A relation between two unknowns: their numbers, and the cases by their positions among all predicates.
struct Relation<'p> {
    unknowns: [(&'p Ref, u32); 2],
    cases: Vec<usize>,
}

/// The input of a table: the cases, with placeholders for the unknowns, the arguments, and the possible values.
type Input = (Vec<Pred>, Vec<i128>, (i128, i128));

/// The maximum number of tables that are kept.
const MOST_KEPT: usize = 1 << 10;

/// Computed tables, which many networks share because they have cases in common.
#[derive(Debug)]
pub struct Tables {
    kept: BoundedMemo<Arc<Input>, Option<Arc<Graph>>>,
}

impl Default for Tables {
    fn default() -> Self {
        Self { kept: BoundedMemo::new(MOST_KEPT) }
    }
}

impl Tables {
    /// Returns the table of an input; `None` if it is not a function.
    fn of(&self, input: &Arc<Input>) -> Option<Arc<Graph>> {
        self.kept.of(Arc::clone(input), |input| {
            let (preds, arguments, range) = &**input;
            table(preds, arguments, *range).map(Arc::new)
        })
    }
}

/// Replaces predicates of `left` that make one unknown a function of another by tables, and narrows the domains of
/// both.
pub fn by_cases(
    left: &mut Vec<&Pred>,
    domains: &mut [Domain],
    number: Number<'_>,
    tables: &Tables,
    constraints: &mut Vec<Constraint>,
) {
    let mut relations: Vec<Relation<'_>> = Vec::new();
    let mut places: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    for (k, pred) in left.iter().enumerate() {
        let Some(unknowns @ [(_, a), (_, b)]) = pair(pred, number) else { continue };
        let at = *places.entry((a, b)).or_insert_with(|| {
            relations.push(Relation { unknowns, cases: Vec::new() });
            relations.len() - 1
        });
        relations[at].cases.push(k);
    }
    let mut known: Vec<(Arc<Input>, Option<Arc<Graph>>)> = Vec::new();
    let mut computed = 0;
    let mut done = vec![false; left.len()];
    for Relation { unknowns: [first, second], cases } in &relations {
        if !cases.iter().any(|k| matches!(left[*k], Pred::Or(_))) {
            continue;
        }
        for (of, value) in [(first, second), (second, first)] {
            let preds: Vec<Pred> =
                cases.iter().map(|k| stand_in(left[*k], of.0, value.0)).collect();
            let (Some(argument), Some(own)) =
                (domains.get(of.1 as usize), domains.get(value.1 as usize))
            else {
                continue;
            };
            let (Some(arguments), Some(least), Some(most)) =
                (argument.members(MOST_ARGUMENTS), own.set.min(), own.set.max())
            else {
                continue;
            };
            let input = Arc::new((preds, arguments, (least, most)));
            let graph = match known.iter().find(|(own, _)| *own == input) {
                Some((_, graph)) => graph.clone(),
                None if computed > MOST_COMPUTED => return,
                None => {
                    // The limit is per network, whatever was computed for others.
                    computed += input.1.len();
                    let graph = tables.of(&input);
                    known.push((input, graph.clone()));
                    graph
                }
            };
            let Some(graph) = graph else { continue };
            for (unknown, points) in [
                (of.1, graph.iter().map(|(a, _)| *a).collect::<Vec<_>>()),
                (value.1, graph.iter().map(|(_, v)| *v).collect()),
            ] {
                let mut points = points;
                points.sort_unstable();
                let set = IntervalSet::from_spans(points.into_iter().map(|n| (n, n)));
                let own = &mut domains[unknown as usize];
                *own = own.intersect(&Domain::of(set)).unwrap_or(Domain::of(IntervalSet::empty()));
            }
            constraints.push(Constraint::Table { of: of.1, value: value.1, graph });
            cases.iter().for_each(|k| done[*k] = true);
            break;
        }
    }
    let mut done = done.into_iter();
    left.retain(|_| !done.next().unwrap_or(false));
}

/// Returns the unknowns of a predicate, the one with the smaller number first, if it has exactly two.
fn pair<'p>(pred: &'p Pred, number: Number<'_>) -> Option<[(&'p Ref, u32); 2]> {
    let mut found: Vec<(&Ref, u32)> = Vec::new();
    let mut plain = true;
    pred.refs(&mut |r| match number(r).filter(|_| r.side == Side::Input) {
        Some(k) if found.iter().any(|(_, own)| *own == k) => {}
        Some(k) if found.len() < 2 => found.push((r, k)),
        _ => plain = false,
    });
    found.sort_by_key(|(_, k)| *k);
    <[(&Ref, u32); 2]>::try_from(found).ok().filter(|_| plain)
}

/// A reference that represents the argument, or the value.
fn place(of: usize) -> Expr {
    let field = FieldId(usize::MAX - of);
    Expr::Ref(Ref { side: Side::Input, field, index: Vec::new(), span: Span::default() })
}

/// Returns the predicate with placeholders for its unknowns.
fn stand_in(pred: &Pred, argument: &Ref, value: &Ref) -> Pred {
    let is = |r: &Ref, other: &Ref| r.field == other.field && r.index == other.index;
    pred.substitute(|e| match e {
        Expr::Ref(r) if is(r, argument) => Some(place(0)),
        Expr::Ref(r) if is(r, value) => Some(place(1)),
        _ => None,
    })
}

/// Returns the value of each argument that has one, if no argument has several.
fn table(preds: &[Pred], arguments: &[i128], range: (i128, i128)) -> Option<Graph> {
    let (argument, value) = (place(0), place(1));
    let (Expr::Ref(argument), Expr::Ref(value)) = (&argument, &value) else { return None };
    let mut graph = Graph::new();
    for n in arguments {
        let mut left = Domain::range(range);
        for pred in preds {
            let pred = pred.substitute(|e| match e {
                Expr::Ref(r) if r.field == argument.field => Some(Expr::Int(*n)),
                _ => None,
            });
            left = left.intersect(&domain::solutions(&pred, &Poly::ref_atom(value), range)?)?;
        }
        match &left.members(2)?[..] {
            [] => {}
            [one] => graph.push((*n, *one)),
            _ => return None,
        }
    }
    Some(graph)
}
