//! What the spec does not say and the inverse needs: no element of an input written twice
//! with different values, every index inside its array.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::access::{Access, Mention, outside};
use super::inst::{Conjunct, Why};
use super::state::Level;
use super::{injective, simplify};
use crate::program::{
    Atom, Cmp, Expr, FieldId, Length, Poly, Pred, Program, Ref, Side, Span, VarId,
};

/// How it is made sure that an array's elements are written once.
#[derive(Debug, Clone)]
pub enum Discipline {
    /// By conditions on scalars, in the ensure.
    Closed,
    /// By choosing disjoint places.
    Layout(Layout),
    /// By looking at every write, once the scalars have values: exact, and slower.
    Checked,
}

/// Segments of an array, each at a base of its own that is free to be chosen.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The array that the segments are in.
    pub array: FieldId,
    /// The dimension of the array in which they are placed.
    pub dimension: usize,
    /// What the segments are, from each access.
    pub parts: Vec<Part>,
    /// Whether several accesses write into one segment, or one does not surely write each
    /// of its elements once: then the run looks at every write inside a segment.
    pub checked: bool,
}

impl Layout {
    /// The inputs that say where the segments are.
    pub fn bases(&self) -> BTreeSet<FieldId> {
        self.parts.iter().filter_map(|p| p.base.as_ref()).map(|b| b.field).collect()
    }
}

/// The segments that one access writes: for each iteration of `outer`, the elements from
/// `base + lo` to `base + hi`.
#[derive(Debug, Clone)]
pub struct Part {
    /// The loops that choose the segment.
    pub outer: Vec<Level>,
    /// The loops that stay inside the segment.
    pub inner: Vec<Level>,
    /// The guards.
    pub guards: Vec<Pred>,
    /// Where the segment is; `None` for a place that is settled by scalars.
    pub base: Option<Ref>,
    /// The least element, relative to the base.
    pub lo: Expr,
    /// The greatest element, relative to the base.
    pub hi: Expr,
    /// The place in the normalization program.
    pub span: Span,
}

/// How far an array is used: the greatest index of a dimension, for sizing.
#[derive(Debug, Clone)]
pub struct Extent {
    /// The array.
    pub array: FieldId,
    /// Its dimension.
    pub dimension: usize,
    /// The loops that `hi` mentions.
    pub nest: Vec<Level>,
    /// The guards.
    pub guards: Vec<Pred>,
    /// The greatest index.
    pub hi: Expr,
    /// The place in the normalization program.
    pub span: Span,
}

impl Part {
    /// What decides how large the segments are.
    pub fn refs<'p>(&'p self, visit: &mut dyn FnMut(&'p Ref)) {
        self.lo.refs(visit);
        self.hi.refs(visit);
        self.outer.iter().chain(&self.inner).for_each(|level| level.count.refs(visit));
        self.guards.iter().for_each(|guard| guard.refs(visit));
    }
}

impl Extent {
    /// What decides it.
    pub fn refs<'e>(&'e self, visit: &mut dyn FnMut(&'e Ref)) {
        self.nest.iter().for_each(|level| level.count.refs(visit));
        self.hi.refs(visit);
        self.guards.iter().for_each(|guard| guard.refs(visit));
    }
}

/// What was derived.
#[derive(Debug, Default)]
pub struct Derived {
    /// For the ensure.
    pub conjuncts: Vec<Conjunct>,
    /// Each written array's discipline.
    pub disciplines: BTreeMap<FieldId, Discipline>,
    /// For sizing.
    pub extents: Vec<Extent>,
}

/// Derives the constraints. `chosen` tells which inputs an ensure gives, `places` which of
/// those are nothing but places.
pub fn derive(
    program: &Program,
    accesses: &[Access],
    mentions: &[Mention],
    places: &dyn Fn(&Ref) -> bool,
    chosen: &dyn Fn(&Ref) -> bool,
) -> Derived {
    let mut out = Derived::default();
    let mut arrays: BTreeMap<FieldId, Vec<&Access>> = BTreeMap::new();
    for access in accesses {
        arrays.entry(access.field).or_default().push(access);
    }
    for (field, accesses) in arrays {
        let discipline = layout(program, field, &accesses, places, &mut out.conjuncts).map_or_else(
            // Conditions are for choosing by. Where there is nothing to choose, looking at
            // every write is exact: writes of equal values may meet.
            || match once(program, &accesses) {
                Some(conjuncts) if conjuncts.iter().all(|c| mentions_chosen(&c.pred, chosen)) => {
                    out.conjuncts.extend(conjuncts);
                    Discipline::Closed
                }
                _ => Discipline::Checked,
            },
            Discipline::Layout,
        );
        for access in &accesses {
            let placed = match &discipline {
                // The layout sees to what has a base.
                Discipline::Layout(l)
                    if base(program, &access.index[l.dimension], places).is_some() =>
                {
                    Some(l.dimension)
                }
                _ => None,
            };
            inside(
                program,
                field,
                &access.index,
                &access.nest,
                &access.guards,
                access.span,
                placed,
                &mut out,
            );
        }
        out.disciplines.insert(field, discipline);
    }
    for m in mentions {
        let r = &m.reference;
        inside(program, r.field, &r.index, &m.nest, &m.guards, r.span, None, &mut out);
    }
    out
}

fn mentions_chosen(p: &Pred, chosen: &dyn Fn(&Ref) -> bool) -> bool {
    p.mentions(|r| r.side == Side::Input && chosen(r))
}

/// Bases that are themselves elements picked through another array (`t[p[k]]`): two segments
/// must not have one base in common, so each iteration uses up an element of `t`.
pub fn bases_used(
    program: &Program,
    accesses: &[Access],
    places: &dyn Fn(&Ref) -> bool,
) -> Vec<Access> {
    let mut out: Vec<Access> = Vec::new();
    let mut next: Vec<Access> = accesses.to_vec();
    while let Some(access) = next.pop() {
        for (d, e) in access.index.iter().enumerate() {
            let Some((r, offset)) = base(program, e, places) else { continue };
            let indirect = r.index.iter().any(|i| i.mentions(|r| !r.index.is_empty()));
            if !indirect {
                continue;
            }
            let mentioned = |l: &&Level| {
                let var = Atom::Var(l.var);
                r.index.iter().any(|i| Poly::of(i).mentions(&var))
            };
            let relative = || {
                let mut written = access.clone();
                written.index[d] = offset.to_expr();
                Arc::new(written)
            };
            // Used whenever a guard on what a loop beside it does may hold.
            let beside =
                |g: &&Pred| access.nest.iter().all(|l| mentioned(&l) || !g.mentions_var(l.var));
            // Nor is it used if a loop beside it has no iteration.
            let dropped: Vec<&Level> = access.nest.iter().filter(|l| !mentioned(l)).collect();
            let runs = dropped.iter().filter_map(|level| {
                let bound = Poly::of(&level.count);
                let known = dropped.iter().all(|l| !bound.mentions(&Atom::Var(l.var)));
                let some = Pred::cmp(Cmp::Gt, level.count.clone(), Expr::Int(0));
                let some = simplify::pred(program, &some);
                (known && some != Pred::Const(true)).then_some(some)
            });
            let used = Access {
                stands_for: Some(access.stands_for.clone().unwrap_or_else(relative)),
                field: r.field,
                nest: access.nest.iter().filter(mentioned).cloned().collect(),
                guards: access.guards.iter().filter(beside).cloned().chain(runs).collect(),
                index: r.index.clone(),
                value: None,
                span: access.span,
            };
            let same = |o: &Access| {
                o.field == used.field
                    && parallel(o, &used)
                    && o.index
                        .iter()
                        .zip(&used.index)
                        .all(|(a, b)| Poly::of(a) == renamed(b, &used, o))
            };
            if !out.iter().any(same) {
                next.push(used.clone());
                out.push(used);
            }
        }
    }
    out
}

/// Conditions under which no two of the accesses meet; `None` where no rule applies.
fn once(program: &Program, accesses: &[&Access]) -> Option<Vec<Conjunct>> {
    let mut out = Vec::new();
    let name = full_name(program, accesses[0].field);
    let mut add = |access: &Access, preds: Vec<Pred>| {
        for pred in preds {
            let unless = outside(&access.guards, &access.nest).map(Pred::negated);
            let pred = Pred::or(unless.chain([pred]));
            out.push(Conjunct { pred, span: access.span, why: Why::Once(name.clone()) });
        }
    };
    let mut merged: Vec<usize> = Vec::new();
    for (k, access) in accesses.iter().enumerate() {
        if merged.contains(&k) {
            continue;
        }
        let twins: Vec<usize> =
            (k + 1..accesses.len()).filter(|j| parallel(access, accesses[*j])).collect();
        if twins.is_empty() {
            let index: Vec<Poly> = access.index.iter().map(Poly::of).collect();
            add(access, injective::conditions(program, &index, &access.nest, &[])?);
        } else {
            add(access, together(program, access, &twins, accesses)?);
            merged.extend(twins);
        }
    }
    // What is left must be apart as a whole, pair by pair.
    let heads: Vec<usize> = (0..accesses.len()).filter(|k| !merged.contains(k)).collect();
    for (n, &k) in heads.iter().enumerate() {
        for &j in &heads[n + 1..] {
            let (a, b) = (accesses[k], accesses[j]);
            if !a.excludes(b) {
                add(a, apart(program, a, b)?);
            }
        }
    }
    Some(out)
}

/// Whether two accesses run the same loops and differ by a numeral in one dimension.
fn parallel(a: &Access, b: &Access) -> bool {
    let same_loops = a.nest.len() == b.nest.len()
        && a.guards == b.guards
        && a.nest
            .iter()
            .zip(&b.nest)
            .all(|(l, m)| renamed(&l.count, b, a) == renamed(&m.count, b, a));
    let same = |(x, y): (&Expr, &Expr)| Poly::of(x).sub(&renamed(y, b, a)).as_int().is_some();
    same_loops && a.index.iter().zip(&b.index).all(same)
}

/// `e` with the loop variables of `from` replaced by those of `to`.
fn renamed(e: &Expr, from: &Access, to: &Access) -> Poly {
    from.nest
        .iter()
        .zip(&to.nest)
        .fold(Poly::of(e), |p, (f, t)| p.replace(&Atom::Var(f.var), &Poly::atom(Atom::Var(t.var))))
}

/// Parallel accesses as one, with the numeral as one more loop variable.
fn together(
    program: &Program,
    first: &Access,
    twins: &[usize],
    accesses: &[&Access],
) -> Option<Vec<Pred>> {
    let index: Vec<Poly> = first.index.iter().map(Poly::of).collect();
    let shifts: Vec<Vec<i128>> = twins
        .iter()
        .map(|t| {
            let twin = accesses[*t];
            let shift = |(e, p): (&Expr, &Poly)| renamed(e, twin, first).sub(p).as_int();
            twin.index.iter().zip(&index).map(shift).collect::<Option<Vec<_>>>()
        })
        .collect::<Option<_>>()?;
    // They may differ in one dimension only.
    let dimension = (0..index.len()).find(|d| shifts.iter().any(|s| s[*d] != 0))?;
    if shifts.iter().any(|s| s.iter().enumerate().any(|(d, v)| d != dimension && *v != 0)) {
        return None;
    }
    let mut offsets: Vec<i128> = shifts.iter().map(|s| s[dimension]).chain([0]).collect();
    offsets.sort_unstable();
    let step = offsets.windows(2).map(|w| w[1] - w[0]).fold(0, gcd);
    if step == 0 || offsets.windows(2).any(|w| w[0] == w[1]) {
        return None;
    }
    let span = offsets[offsets.len() - 1] - offsets[0];
    let var = VarId(usize::MAX / 2);
    let mut nest = first.nest.clone();
    nest.push(Level { var, count: Expr::Int(span / step + 1) });
    let mut index = index;
    index[dimension] = index[dimension].add(&Poly::atom(Atom::Var(var)).scale(step));
    injective::conditions(program, &index, &nest, &[])
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Conditions under which all of `a` is below all of `b`, or above, in some dimension.
fn apart(program: &Program, a: &Access, b: &Access) -> Option<Vec<Pred>> {
    let mut ways = Vec::new();
    for (x, y) in a.index.iter().zip(&b.index) {
        let (Some((a_lo, a_hi)), Some((b_lo, b_hi))) = (
            injective::extremes(program, &Poly::of(x), &a.nest, &[]),
            injective::extremes(program, &Poly::of(y), &b.nest, &[]),
        ) else {
            continue;
        };
        for (low, high) in [(a_hi, b_lo), (b_hi, a_lo)] {
            let below = Pred::cmp(Cmp::Lt, low.to_expr(), high.to_expr());
            ways.push(simplify::pred(program, &below));
        }
    }
    match Pred::or(ways) {
        Pred::Const(true) => Some(Vec::new()),
        Pred::Const(false) => None,
        way => Some(vec![way]),
    }
}

/// The layout of an array, if some access of it has a base that an ensure gives.
fn layout(
    program: &Program,
    field: FieldId,
    accesses: &[&Access],
    ensured: &dyn Fn(&Ref) -> bool,
    conjuncts: &mut Vec<Conjunct>,
) -> Option<Layout> {
    let rank = program.input.fields[field].lengths.len();
    let dimension = (0..rank)
        .find(|d| accesses.iter().any(|a| base(program, &a.index[*d], ensured).is_some()))?;
    let mut checked = false;
    let mut parts = Vec::new();
    for access in accesses {
        let (base, offset) = match base(program, &access.index[dimension], ensured) {
            Some((r, offset)) => (Some(r), offset),
            None => (None, Poly::of(&access.index[dimension])),
        };
        let in_base = |level: &&Level| {
            let var = Atom::Var(level.var);
            base.iter().flat_map(|r| &r.index).any(|i| Poly::of(i).mentions(&var))
        };
        // A loop outside one that picks the segment picks it too.
        let outermost = access.nest.iter().rposition(|l| in_base(&l)).map_or(0, |k| k + 1);
        let (outer, inner) = access.nest.split_at(outermost);
        let (lo, hi) = injective::extremes(program, &offset, inner, outer)?;
        let inside = injective_inside(program, access, dimension, &offset, outer, inner);
        let free = |p: &Pred| outside(std::slice::from_ref(p), &access.nest).next().is_some();
        let inner_once = inside.as_ref().is_some_and(|preds| preds.iter().all(free));
        if inner_once {
            let unless = || outside(&access.guards, &access.nest).map(Pred::negated);
            conjuncts.extend(inside.into_iter().flatten().map(|pred| Conjunct {
                pred: Pred::or(unless().chain([pred])),
                span: access.span,
                why: Why::Once(full_name(program, field)),
            }));
        }
        checked |= access.reads()
            || !inner_once
            || (access.value.is_some() && base.is_none() && outermost > 0);
        parts.push(Part {
            outer: outer.to_vec(),
            inner: inner.to_vec(),
            guards: outside(&access.guards, inner).cloned().collect(),
            base,
            lo: lo.to_expr(),
            hi: hi.to_expr(),
            span: access.span,
        });
    }
    // What is at settled places may meet.
    let settled = || accesses.iter().zip(&parts).filter(|(_, p)| p.base.is_none());
    checked |=
        settled().count() > 1 || settled().any(|(a, _)| a.value.is_none() && a.nest.len() > 1);
    let bases: Vec<_> = parts.iter().filter_map(|p| p.base.as_ref().map(|b| b.field)).collect();
    let shared = bases.iter().enumerate().any(|(k, b)| bases[..k].contains(b));
    Some(Layout { array: field, dimension, parts, checked: checked || shared })
}

/// Conditions under which an access writes each element of its segment once; `None` where
/// the rule does not apply.
fn injective_inside(
    program: &Program,
    access: &Access,
    dimension: usize,
    offset: &Poly,
    outer: &[Level],
    inner: &[Level],
) -> Option<Vec<Pred>> {
    if access.value.is_none() {
        return Some(Vec::new());
    }
    let mut index: Vec<Poly> = access.index.iter().map(Poly::of).collect();
    index[dimension] = offset.clone();
    let nest: Vec<Level> = outer.iter().chain(inner).cloned().collect();
    let settled: Vec<usize> = (0..outer.len()).collect();
    injective::conditions(program, &index, &nest, &settled)
}

/// `index = base + offset` with the base a reference that an ensure gives and the offset
/// free of such; `None` if the index is not of this form.
pub fn base(
    program: &Program,
    index: &Expr,
    ensured: &dyn Fn(&Ref) -> bool,
) -> Option<(Ref, Poly)> {
    let poly = Poly::of(index);
    let mut found: Option<(Ref, Poly)> = None;
    let mut refs = Vec::new();
    index.top_refs(&mut |r| refs.push(r));
    for r in refs {
        if r.side != Side::Input || !ensured(r) {
            continue;
        }
        let (coefficient, rest) = poly.linear_in(&Poly::ref_atom(r))?;
        if coefficient.as_int() == Some(1) && (found.is_none() || !r.index.is_empty()) {
            // A scalar that also says how large something is is no place.
            let array = !program.field(r).is_scalar();
            if array || found.is_none() {
                found = Some((r.clone(), rest));
            }
        }
    }
    found
}

/// Every index inside its array: from 0 (always), to below a length that the spec fixes.
/// The greatest index of a dimension of free length is noted for sizing.
#[allow(clippy::too_many_arguments)]
fn inside(
    program: &Program,
    field: FieldId,
    index: &[Expr],
    nest: &[Level],
    guards: &[Pred],
    span: Span,
    placed: Option<usize>,
    out: &mut Derived,
) {
    let why = Why::Inside(full_name(program, field));
    let fixed: Vec<Pred> = outside(guards, nest).cloned().collect();
    let unless: Vec<Pred> = fixed.iter().map(Pred::negated).collect();
    for (dimension, (e, length)) in
        index.iter().zip(&program.input.fields[field].lengths).enumerate()
    {
        if placed == Some(dimension) {
            continue;
        }
        let poly = Poly::of(e);
        let closed = injective::extremes(program, &poly, nest, &[]);
        // Of several bounds that the index never exceeds, one that fits is enough.
        let mut ask = |cmp: Cmp, closed: Option<&[Poly]>, bound: &Expr| {
            let mut pred = match closed {
                Some(tops) => {
                    Pred::or(tops.iter().map(|p| Pred::cmp(cmp, p.to_expr(), bound.clone())))
                }
                None => Pred::cmp(cmp, e.clone(), bound.clone()),
            };
            pred = simplify::pred(program, &pred);
            if pred == Pred::Const(true) {
                return;
            }
            let here = guards.iter().map(Pred::negated);
            let here = Pred::or(here.chain([Pred::cmp(cmp, e.clone(), bound.clone())]));
            let quantified = Level::all(nest, here);
            if closed.is_none() {
                pred = simplify::pred(program, &quantified);
            }
            // The extremes are those of loops that run; a guard may have no value elsewhere.
            let idle: Vec<Pred> = match closed.is_some() {
                true => never_run(program, nest, &pred).collect(),
                false => Vec::new(),
            };
            let pred = Pred::or(idle.into_iter().chain(unless.iter().cloned()).chain([pred]));
            out.conjuncts.push(Conjunct { pred, span, why: why.clone() });
        };
        ask(Cmp::Ge, closed.as_ref().map(|c| std::slice::from_ref(&c.0)), &Expr::Int(0));
        match length {
            Length::Is(length) => {
                let tops = closed.as_ref().map(|c| {
                    let others = injective::greatest(program, &poly, nest);
                    let mut tops = vec![c.1.clone()];
                    tops.extend(others.into_iter().filter(|p| *p != c.1));
                    tops
                });
                ask(Cmp::Lt, tops.as_deref(), length);
            }
            Length::Free => {
                let (nest, hi, guards) = match closed {
                    Some((_, hi)) => {
                        let large = Pred::cmp(Cmp::Lt, hi.to_expr(), Expr::Int(0));
                        let runs = never_run(program, nest, &large).map(|p| p.negated());
                        let guards = fixed.iter().cloned().chain(runs);
                        (
                            Vec::new(),
                            hi.to_expr(),
                            guards.filter(|g| *g != Pred::Const(true)).collect(),
                        )
                    }
                    None => (nest.to_vec(), e.clone(), guards.to_vec()),
                };
                out.extents.push(Extent { array: field, dimension, nest, guards, hi, span });
            }
        }
    }
}

/// When a nest has no iteration: for each loop whose bound is settled outside of it, unless
/// `pred` holds then anyway.
fn never_run<'a>(
    program: &'a Program,
    nest: &'a [Level],
    pred: &'a Pred,
) -> impl Iterator<Item = Pred> + 'a {
    let settled = |l: &&Level| {
        let bound = Poly::of(&l.count);
        nest.iter().all(|m| !bound.mentions(&Atom::Var(m.var)))
    };
    let matters = |l: &&Level| match Poly::of(&l.count).as_atom() {
        Some(atom) => {
            let none = crate::program::fold::replacing(atom.clone(), Expr::Int(0));
            simplify::pred(program, &pred.substitute(none)) != Pred::Const(true)
        }
        None => true,
    };
    nest.iter().filter(settled).filter(matters).map(|l| {
        let none = Pred::cmp(Cmp::Le, l.count.clone(), Expr::Int(0));
        simplify::pred(program, &none)
    })
}

/// `x.field`
pub fn full_name(program: &Program, field: FieldId) -> String {
    format!("{}.{}", program.input.binder, program.input.fields[field].name)
}
