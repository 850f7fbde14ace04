//! Strata: the order in which ensures assign values, and their positions in the body.
//!
//! As in stratified Datalog, each stratum depends only on lower ones: scalars come first, then arrays
//! that only scalars index, then those that are indexed by these, and so on. A product of unknowns
//! (`s*p + r`) is linear once the lower strata have values.

use crate::invert::EnsureId;
use std::collections::BTreeSet;

use super::access::Access;
use super::bounds::Extent;
use super::defined::definition;
use super::derive::DisjointnessStrategy;
use super::inst::{Conjunct, Inst, InstKind};
use super::inverse::{Ensure, EnsureKind, Inverse};
use crate::program::{Atom, Cmp, Expr, Field, FieldId, Length, Poly, Pred, Ref, Side};

/// Groups `conjuncts` into ensures and puts them into the body.
pub fn place(
    inverse: &mut Inverse,
    conjuncts: Vec<Conjunct>,
    ensured_scalars: &BTreeSet<FieldId>,
    ensured_arrays: &BTreeSet<FieldId>,
) {
    let mut scalars = ensured_scalars.clone();
    for c in &conjuncts {
        // Scalars that the precondition took over from `:= *`.
        c.pred.refs(&mut |r| {
            if r.side == Side::Input && r.index.is_empty() {
                scalars.insert(r.field);
            }
        });
    }
    free_scalars(&inverse.body, &mut inverse.free_scalars);
    // A scalar that is free in one branch only is also chosen for the other branches.
    inverse.free_scalars.retain(|f| !scalars.contains(f));

    let nodes = nodes(inverse, &scalars, ensured_arrays, &conjuncts);
    inverse.ensures = ensures(&nodes, conjuncts);
    insert(inverse);
}

/// Returns the inputs that each ensure assigns, in the order of assignment.
fn nodes(
    inverse: &mut Inverse,
    scalars: &BTreeSet<FieldId>,
    ensured_arrays: &BTreeSet<FieldId>,
    conjuncts: &[Conjunct],
) -> Vec<EnsureKind> {
    // An array of bases can be placed in one array only.
    let mut nodes: Vec<EnsureKind> = Vec::new();
    let mut based: BTreeSet<FieldId> = BTreeSet::new();
    let arrays: Vec<FieldId> = inverse.strategies.keys().copied().collect();
    for array in arrays {
        let Some(DisjointnessStrategy::Layout(layout)) = inverse.strategies.get(&array) else {
            continue;
        };
        let bases: Vec<FieldId> = layout.bases().into_iter().collect();
        if bases.iter().any(|b| based.contains(b)) {
            inverse.strategies.insert(array, DisjointnessStrategy::RuntimeCheck);
            continue;
        }
        based.extend(&bases);
        nodes.push(EnsureKind::Places { array, bases });
    }
    for node in &mut nodes {
        if let EnsureKind::Places { array, bases } = node {
            let found: Vec<FieldId> =
                scalars.iter().copied().filter(|f| !based.contains(f)).collect();
            let limits: Vec<FieldId> = found
                .into_iter()
                .filter(|f| limits(inverse, *f, (*array, bases), conjuncts))
                .collect();
            based.extend(&limits);
            bases.extend(limits);
        }
    }
    let own: Vec<FieldId> = scalars.iter().copied().filter(|f| !based.contains(f)).collect();
    // Arrays that the canonical value determines come first, because others may be constrained by them.
    let (given, chosen): (Vec<FieldId>, Vec<FieldId>) = ensured_arrays
        .iter()
        .filter(|field| !based.contains(field))
        .partition(|field| conjuncts.iter().any(|c| defines(&c.pred, **field)));
    // Arrays of distances between places come next.
    let (steps, chosen): (Vec<FieldId>, Vec<FieldId>) = chosen
        .into_iter()
        .partition(|field| conjuncts.iter().any(|c| is_step(&c.pred, *field, &based)));
    let given: Vec<FieldId> = given.into_iter().chain(steps).collect();
    let first = given.into_iter().map(EnsureKind::Elements);
    nodes.splice(0..0, std::iter::once(EnsureKind::Scalars(own)).chain(first));
    nodes.extend(chosen.into_iter().map(EnsureKind::Elements));
    sort(&mut nodes, inverse, conjuncts);
    nodes
}

/// Returns true if a scalar is only a limit of places in `array`: conjuncts compare it with the places of `bases` and
/// with known values, or bound it from below. It is chosen together with the places. The length of the array itself may
/// be such a scalar.
fn limits(
    inverse: &Inverse,
    scalar: FieldId,
    (array, bases): (FieldId, &[FieldId]),
    conjuncts: &[Conjunct],
) -> bool {
    let is_own = |r: &Ref| r.side == Side::Input && r.field == scalar;
    let decides = |a: &Access| {
        let index = a.index.iter().any(|e| e.mentions(is_own));
        let loops = a.nest.iter().any(|l| l.count.mentions(is_own));
        index || loops || a.guards.iter().any(|g| g.mentions(is_own))
    };
    let sizes = |length: &Length| matches!(length, Length::Is(e) if e.mentions(is_own));
    let is_length = inverse.program.length_of(array) == Some(scalar);
    let sized =
        |(k, f): (FieldId, &Field)| !(is_length && k == array) && f.lengths.iter().any(sizes);
    if inverse.accesses.iter().any(decides) || inverse.program.input.indexed().any(sized) {
        return false;
    }
    let mut beside = false;
    for c in conjuncts.iter().filter(|c| c.pred.mentions(is_own)) {
        let placed = |r: &Ref| r.side == Side::Input && !r.index.is_empty();
        let other = |r: &Ref| {
            r.side == Side::Input && !is_own(r) && !(placed(r) && bases.contains(&r.field))
        };
        if c.pred.mentions(other) && !(is_length && is_least(&c.pred, &is_own)) {
            return false;
        }
        beside |= c.pred.mentions(placed);
    }
    beside
}

/// Returns true if a predicate compares a scalar only in ways that every greater value satisfies as well, and mentions
/// no elements.
fn is_least(p: &Pred, is_own: &dyn Fn(&Ref) -> bool) -> bool {
    let own = |e: &Expr| matches!(e, Expr::Ref(r) if is_own(r));
    let without = |e: &Expr| !e.mentions(|r| is_own(r) || !r.index.is_empty());
    match p {
        Pred::Const(_) => true,
        Pred::Cmp(Cmp::Gt | Cmp::Ge, a, b) if own(a) => without(b),
        Pred::Cmp(Cmp::Lt | Cmp::Le, a, b) if own(b) => without(a),
        Pred::Cmp(_, a, b) => without(a) && without(b),
        Pred::And(ps) | Pred::Or(ps) => ps.iter().all(|p| is_least(p, is_own)),
        Pred::All(_, count, p) => without(count) && is_least(p, is_own),
    }
}

/// Returns true if a conjunct equates the distance of two places with an element of an array:
/// `place[k + 1] = place[k] + size[k]`.
fn is_step(p: &Pred, field: FieldId, based: &BTreeSet<FieldId>) -> bool {
    let mut inner = p;
    while let Pred::All(_, _, body) = inner {
        inner = body;
    }
    let Pred::Cmp(Cmp::Eq, a, b) = inner else { return false };
    let (mut places, mut sizes) = (0, 0);
    for (monomial, c) in Poly::of(a).sub(&Poly::of(b)).terms() {
        if let [Atom::Ref(Side::Input, f, index)] = &monomial[..]
            && !index.is_empty()
        {
            places += usize::from(based.contains(f) && c.abs() == 1);
            sizes += usize::from(*f == field);
        }
    }
    places == 2 && sizes > 0
}

/// Returns true if a conjunct determines each element of an array independently of other arrays.
fn defines(p: &Pred, field: FieldId) -> bool {
    let each = |target: &Ref| target.index.iter().all(|i| matches!(i, Expr::Var(_)));
    definition(p).is_some_and(|d| d.target.field == field && each(&d.target))
}

/// Assigns each conjunct to the first ensure after which all of its inputs have values.
fn ensures(nodes: &[EnsureKind], conjuncts: Vec<Conjunct>) -> Vec<Ensure> {
    let level = |field: FieldId| nodes.iter().position(|n| n.fields().contains(&field));
    let mut ensures: Vec<Ensure> =
        nodes.iter().map(|kind| Ensure { kind: kind.clone(), conjuncts: Vec::new() }).collect();
    // Conditions that mention only the canonical value are checked first.
    let mut known = Ensure { kind: EnsureKind::Scalars(Vec::new()), conjuncts: Vec::new() };
    for c in conjuncts {
        let mut at: Option<usize> = None;
        c.pred.refs(&mut |r| {
            if r.side == Side::Input {
                at = at.max(Some(level(r.field).unwrap_or(0)));
            }
        });
        at.map_or(&mut known, |at| &mut ensures[at]).conjuncts.push(c);
    }
    ensures.insert(0, known);
    for e in &mut ensures {
        // As in the spec: the precondition was computed backwards.
        e.conjuncts.sort_by_key(|c| c.span);
    }
    ensures.retain(|e| !e.kind.fields().is_empty() || !e.conjuncts.is_empty());
    ensures
}

/// Puts the ensures into the body, each before the first statement that needs it.
fn insert(inverse: &mut Inverse) {
    for n in (0..inverse.ensures.len()).rev() {
        let mut fields = inverse.ensures[n].kind.fields();
        // Nothing is written before all places are fixed.
        if let EnsureKind::Places { array, .. } = inverse.ensures[n].kind {
            fields.push(array);
        }
        let given = fields.clone();
        fields.extend(inverse.strategies.iter().filter_map(|(array, strategy)| {
            let on = |a: &Access| a.field == *array && a.depends_on(&given);
            let checked = matches!(strategy, DisjointnessStrategy::RuntimeCheck);
            (checked && inverse.accesses.iter().any(on)).then_some(*array)
        }));
        // Nor is an array written before its length is fixed.
        let sized = sized(inverse, &fields);
        fields.extend(sized);
        let uses =
            |inst: &Inst| matches!(inst.kind, InstKind::Ensure(_)) || mentions_any(inst, &fields);
        let first = inverse.body.iter().position(uses).unwrap_or(inverse.body.len());
        let at = if fields.is_empty() { 0 } else { first };
        let span = inverse.body.get(at).map(|i| i.span).unwrap_or_default();
        inverse.body.insert(at, Inst { kind: InstKind::Ensure(EnsureId(n)), span });
    }
}

/// The input arrays whose lengths depend on one of the inputs `fields`, as declared, or because of how far accesses
/// reach.
fn sized(inverse: &Inverse, fields: &[FieldId]) -> Vec<FieldId> {
    let given = |r: &Ref| r.side == Side::Input && fields.contains(&r.field);
    let declared = |length: &Length| match length {
        Length::Is(e) => e.mentions(given),
        Length::Free => false,
    };
    let reaches = |e: &Extent| {
        let free = |f: &Field| matches!(f.lengths.get(e.dimension), Some(Length::Free));
        let loops = || e.nest.iter().any(|level| level.count.mentions(given));
        free(&inverse.program.input.fields[e.array])
            && (e.hi.mentions(given) || loops() || e.guards.iter().any(|g| g.mentions(given)))
    };
    let declared = inverse
        .program
        .input
        .indexed()
        .filter(|(_, f)| f.lengths.iter().any(declared))
        .map(|(k, _)| k);
    let reached = inverse.extents.iter().filter(|e| reaches(e)).map(|e| e.array);
    declared.chain(reached).collect()
}

/// Sorts so that each node comes after those on which its values depend; a cycle keeps the order of declaration.
fn sort(nodes: &mut Vec<EnsureKind>, inverse: &Inverse, conjuncts: &[Conjunct]) {
    let needs = |node: &EnsureKind| -> BTreeSet<FieldId> {
        let own = node.fields();
        let mut out = BTreeSet::new();
        let mut note = |r: &Ref| {
            if r.side == Side::Input && !r.index.is_empty() {
                // The elements of the same array that a reference uses to select its element, found by looking at the
                // index.
                let mut inner = Vec::new();
                r.index.iter().for_each(|i| i.refs(&mut |r| inner.push(r.field)));
                out.extend(inner);
                out.insert(r.field);
            }
        };
        if let EnsureKind::Places { array, .. } = node
            && let Some(DisjointnessStrategy::Layout(layout)) = inverse.strategies.get(array)
        {
            for part in &layout.parts {
                part.base.iter().for_each(&mut note);
                part.outer.iter().for_each(|l| l.count.refs(&mut note));
                part.guards.iter().for_each(|g| g.refs(&mut note));
                part.lo.refs(&mut note);
                part.hi.refs(&mut note);
            }
        }
        // The length of an array may depend on elements of others.
        for e in inverse.extents.iter().filter(|e| own.contains(&e.array)) {
            e.hi.refs(&mut note);
            e.nest.iter().for_each(|l| l.count.refs(&mut note));
        }
        for c in conjuncts {
            // An element selects another only through its index.
            c.pred.refs(&mut |r| {
                if own.contains(&r.field) {
                    note(r);
                }
            });
        }
        out.retain(|f| !own.contains(f));
        out
    };
    let mut left: Vec<(EnsureKind, BTreeSet<FieldId>)> =
        nodes.drain(..).map(|n| (n.clone(), needs(&n))).collect();
    while !left.is_empty() {
        let waiting: BTreeSet<FieldId> = left.iter().flat_map(|(n, _)| n.fields()).collect();
        let ready = left
            .iter()
            .position(|(n, needs)| {
                let own = n.fields();
                !needs.iter().any(|f| waiting.contains(f) && !own.contains(f))
            })
            .unwrap_or(0);
        nodes.push(left.remove(ready).0);
    }
}

fn free_scalars(body: &[Inst], out: &mut BTreeSet<FieldId>) {
    for inst in body {
        match &inst.kind {
            InstKind::Free(r) if r.index.is_empty() => {
                out.insert(r.field);
            }
            InstKind::If { then, els, .. } => {
                free_scalars(then, out);
                free_scalars(els, out);
            }
            InstKind::For { body, .. } => free_scalars(body, out),
            _ => {}
        }
    }
}

fn mentions_any(inst: &Inst, fields: &[FieldId]) -> bool {
    let one = |r: &Ref| r.side == Side::Input && fields.contains(&r.field);
    let inside = |body: &[Inst]| body.iter().any(|i| mentions_any(i, fields));
    match &inst.kind {
        InstKind::Assign { target, value } => {
            one(target) || target.index.iter().any(|i| i.mentions(one)) || value.mentions(one)
        }
        InstKind::Free(r) => one(r),
        InstKind::Assume(p, _) => p.mentions(one),
        InstKind::Ensure(_) => false,
        InstKind::If { cond, then, els } => cond.mentions(one) || inside(then) || inside(els),
        InstKind::For { count, body, .. } => count.mentions(one) || inside(body),
        InstKind::Reserve { start, end, .. } => start.mentions(one) || end.mentions(one),
        InstKind::Encode(encode) => encode.exprs().any(|e| e.mentions(one)),
    }
}
