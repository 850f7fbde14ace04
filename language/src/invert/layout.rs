//! Layouts: the segments of an array whose places can be chosen freely.
//!
//! An access at `base + offset`, where an ensure assigns the base, writes a segment. The bases are chosen so that
//! segments are disjoint, which depends only on the segments' extremes.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::access::{Access, outside};
use super::equations::Equations;
use super::injective;
use super::inst::{Conjunct, Why};
use super::narrowed::tightest;
use super::state::Level;
use crate::program::fold::statements;
use crate::program::{Atom, Expr, FieldId, Poly, Pred, Program, Ref, Side, Span, StmtKind};

/// Segments of an array, each with its own base, which can be chosen freely.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Layout {
    /// The array that the segments are in.
    pub array: FieldId,
    /// The dimension of the array in which they are placed.
    pub dimension: usize,
    /// The segments of each access.
    pub parts: Vec<Part>,
    /// True if several accesses write into one segment, or if one may write an element of it twice. The run then checks
    /// every write inside a segment.
    pub checked: bool,
    /// True if elements of arrays, such as the indices into a table at a free place, decide where in a segment
    /// something is written. They are chosen first, so that the writes inside each segment agree.
    pub picked: bool,
    /// The input arrays whose elements decide how large the segments are.
    pub sized_by: BTreeSet<FieldId>,
}

impl Layout {
    /// Returns the inputs that are bases of segments.
    pub fn bases(&self) -> BTreeSet<FieldId> {
        self.parts.iter().filter_map(|p| p.base.as_ref()).map(|b| b.field).collect()
    }

    /// Returns the array of bases of a dictionary, which is a layout whose segments are all single entries indexed by
    /// the elements of one array.
    pub fn dictionary(&self) -> Option<FieldId> {
        let field = self.parts.first()?.base.as_ref()?.field;
        let entry = |p: &Part| {
            let base = p.base.as_ref().filter(|b| b.field == field && !b.index.is_empty());
            base.is_some() && Poly::of(&p.lo) == Poly::of(&p.hi)
        };
        self.parts.iter().all(entry).then_some(field)
    }
}

/// The segments that one access writes: for each iteration of `outer`, the elements from
/// `base + lo` to `base + hi`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Part {
    /// The loops that choose the segment.
    pub outer: Vec<Level>,
    /// The loops inside the segment, with the iterations that guards allow.
    pub inner: Vec<Level>,
    /// The guards.
    pub guards: Vec<Pred>,
    /// The base of the segment; `None` for a place that scalars determine.
    pub base: Option<Ref>,
    /// The number of elements between two consecutive values of the base: 2 if the base counts words of two bytes.
    pub scale: i128,
    /// The least element, relative to the base.
    pub lo: Expr,
    /// The greatest element, relative to the base.
    pub hi: Expr,
    /// The place in the normalization program.
    pub span: Span,
}

impl Part {
    /// Calls `visit` on the references that determine the size of the segments.
    pub fn refs<'p>(&'p self, visit: &mut dyn FnMut(&'p Ref)) {
        self.lo.refs(visit);
        self.hi.refs(visit);
        self.outer.iter().chain(&self.inner).for_each(|level| level.count.refs(visit));
        self.guards.iter().for_each(|guard| guard.refs(visit));
    }
}

/// Returns the layout of an array, if some access to it has a base that an ensure assigns.
pub fn layout(
    program: &Program,
    field: FieldId,
    accesses: &[&Access],
    ensured: &dyn Fn(&Ref) -> bool,
    conjuncts: &mut Vec<Conjunct>,
) -> Option<Layout> {
    let rank = program.input.fields[field].lengths.len();
    let plain = |d: &usize| accesses.iter().any(|a| base(program, &a.index[*d], ensured).is_some());
    let scaled =
        |d: &usize| accesses.iter().any(|a| scaled_base(program, &a.index[*d], ensured).is_some());
    if let Some(dimension) = (0..rank).find(plain) {
        return layout_in(program, (field, dimension), accesses, ensured, conjuncts);
    }
    let dimension = (0..rank).find(scaled)?;
    let mut added = Vec::new();
    let found = layout_in(program, (field, dimension), accesses, ensured, &mut added)?;
    // Adjacent entries are indexed by number, so their indices are not places.
    let wide = |p: &Part| {
        let length = Poly::of(&p.hi).sub(&Poly::of(&p.lo)).as_int();
        p.scale > 1 && length.is_none_or(|length| length >= p.scale)
    };
    if !found.parts.iter().any(wide) {
        return None;
    }
    conjuncts.extend(added);
    Some(found)
}

/// Returns the layout of an array in a dimension, if some access has a base in it.
fn layout_in(
    program: &Program,
    (field, dimension): (FieldId, usize),
    accesses: &[&Access],
    ensured: &dyn Fn(&Ref) -> bool,
    conjuncts: &mut Vec<Conjunct>,
) -> Option<Layout> {
    let split = |access: &Access| match scaled_base(program, &access.index[dimension], ensured) {
        Some((r, scale, offset)) => (Some(r), scale, offset),
        None => (None, 1, Poly::of(&access.index[dimension])),
    };
    let bases: BTreeSet<FieldId> =
        accesses.iter().filter_map(|a| Some(split(a).0?.field)).chain([field]).collect();
    // A size that is known only together with the places bounds nothing.
    let known =
        |p: &Poly| !p.to_expr().mentions(|r| r.side == Side::Input && bases.contains(&r.field));
    let equations = Equations::of(program);
    let usable = |p: &Poly| match known(p) {
        true => Some(p.clone()),
        false => equations.known(p).filter(known),
    };
    let (mut checked, mut picked) = (false, false);
    let mut parts = Vec::new();
    for access in accesses {
        let (base, scale, offset) = split(access);
        let (outermost, by_element) = loops_outside(access, base.as_ref(), &offset);
        picked |= by_element;
        let (outer, inner) = access.nest.split_at(outermost);
        // A guard inside the loops may leave fewer iterations of them.
        let narrow = tightest(&offset, inner, &access.guards, &usable);
        let wide = || Some((injective::extremes(program, &offset, inner, outer)?, inner.to_vec()));
        let close = injective::extremes(program, &narrow.index, &narrow.nest, outer);
        // In one dimension, only the part of the loops that guards allow has to be injective.
        let narrowed = || {
            let (index, nest) = (&narrow.index, &narrow.nest);
            let single = access.index.len() == 1 && close.is_some();
            single.then(|| injective_inside(program, access, dimension, index, outer, nest))?
        };
        let inside = narrowed()
            .or_else(|| injective_inside(program, access, dimension, &offset, outer, inner));
        let ((lo, hi), runs) = match close {
            Some(extremes) => (extremes, narrow.nest),
            None => wide()?,
        };
        let free = |p: &Pred| outside(std::slice::from_ref(p), &access.nest).next().is_some();
        let inner_once = inside.as_ref().is_some_and(|preds| preds.iter().all(free));
        if inner_once {
            let preds = inside.into_iter().flatten();
            conjuncts.extend(preds.map(|pred| once(program, field, access, pred)));
        }
        checked |= access.reads()
            || !inner_once
            || (access.value.is_some() && base.is_none() && outermost > 0);
        parts.push(Part {
            outer: outer.to_vec(),
            inner: runs,
            guards: outside(&access.guards, inner).cloned().collect(),
            base,
            scale,
            lo: lo.to_expr(),
            hi: hi.to_expr(),
            span: access.span,
        });
    }
    // The elements are chosen first, so nothing that they need may depend on the place.
    let on_place = |e: &Expr| e.mentions(|r| r.side == Side::Input && bases.contains(&r.field));
    if !placeable(&parts) || picked && parts.iter().any(|p| on_place(&p.lo) || on_place(&p.hi)) {
        return None;
    }
    checked |= picked;
    // A reservation by several loops may meet itself.
    checked |= accesses
        .iter()
        .zip(&parts)
        .any(|(a, p)| p.base.is_none() && a.value.is_none() && a.nest.len() > 1);
    let parts = joined(parts);
    // Segments at places that scalars determine may overlap.
    checked |= share_base(&parts) || parts.iter().filter(|p| p.base.is_none()).count() > 1;
    Some(Layout { array: field, dimension, sized_by: sized_by(&parts), parts, checked, picked })
}

/// Returns true if the bases of two parts belong to one field.
fn share_base(parts: &[Part]) -> bool {
    let bases: Vec<_> = parts.iter().filter_map(|p| p.base.as_ref().map(|b| b.field)).collect();
    bases.iter().enumerate().any(|(k, b)| bases[..k].contains(b))
}

/// Returns the input arrays with elements that decide how large the segments are.
fn sized_by(parts: &[Part]) -> BTreeSet<FieldId> {
    let mut arrays = BTreeSet::new();
    for part in parts {
        part.refs(&mut |r| {
            if r.side == Side::Input && !r.index.is_empty() {
                arrays.insert(r.field);
            }
        });
    }
    arrays
}

/// Joins parts that are adjacent under the same guards, such as the bytes of a number: those with the same scalar base,
/// or without one, that have elements for all values.
fn joined(parts: Vec<Part>) -> Vec<Part> {
    let constant = |level: &Level| Poly::of(&level.count).as_int().is_some_and(|n| n > 0);
    let plain = |p: &Part| {
        p.outer.is_empty()
            && p.inner.iter().all(constant)
            && p.base.as_ref().is_none_or(|base| base.index.is_empty())
    };
    let follows = |lo: &Expr, hi: &Expr| Poly::of(lo).sub(&Poly::of(hi)).as_int() == Some(1);
    let mut out: Vec<Part> = Vec::new();
    for mut part in parts {
        // A number is written from either end.
        while let Some(k) = out.iter().position(|p| {
            (&p.guards, &p.base, p.scale) == (&part.guards, &part.base, part.scale)
                && plain(p)
                && plain(&part)
                && (follows(&part.lo, &p.hi) || follows(&p.lo, &part.hi))
        }) {
            let own = out.swap_remove(k);
            match follows(&part.lo, &own.hi) {
                true => part.lo = own.lo,
                false => part.hi = own.hi,
            }
            part.inner.clear();
        }
        out.push(part);
    }
    out
}

/// Returns the number of loops that select the segment of an access, and true if elements of arrays select the part of
/// it. A loop outside one that selects the segment selects it too.
fn loops_outside(access: &Access, base: Option<&Ref>, offset: &Poly) -> (usize, bool) {
    let in_base = |level: &Level| {
        let var = Atom::Var(level.var);
        base.iter().flat_map(|r| &r.index).any(|i| Poly::of(i).mentions(&var))
    };
    let is_place = base.is_some_and(|r| r.index.is_empty());
    let picking = access.nest.iter().rposition(|l| is_place && picks(offset, l));
    let outermost = access.nest.iter().rposition(in_base).max(picking);
    (outermost.map_or(0, |k| k + 1), picking.is_some())
}

/// Returns true if the loop variable selects an element of an array in an offset.
fn picks(offset: &Poly, level: &Level) -> bool {
    let var = Atom::Var(level.var);
    offset.any_atom(&mut |a| match a {
        Atom::Ref(_, _, index) => index.iter().any(|p| p.mentions(&var)),
        _ => false,
    })
}

/// Returns the requirement that an access uses each element once where its guards hold.
fn once(program: &Program, field: FieldId, access: &Access, pred: Pred) -> Conjunct {
    let unless = outside(&access.guards, &access.nest).map(Pred::negated);
    let (span, why) = (access.span, Why::Once(program.input_name(field)));
    Conjunct { pred: Pred::or(unless.chain([pred])), span, why }
}

/// Returns true if places can be chosen before the segments are known, with one unit for each array.
fn placeable(parts: &[Part]) -> bool {
    let based = |field: FieldId| {
        let is_array = |r: &&Ref| !r.index.is_empty() && r.field == field;
        parts.iter().any(|p| p.base.as_ref().filter(is_array).is_some())
    };
    // A guard on a base decides whether there is a segment.
    let on_base = |p: &Pred| p.mentions(|r| r.side == Side::Input && based(r.field));
    if parts.iter().any(|part| part.guards.iter().any(on_base)) {
        return false;
    }
    let unit = |a: &Part, b: &Part| {
        let field = |p: &Part| p.base.as_ref().map(|r| r.field);
        a.scale == b.scale || field(a) != field(b)
    };
    parts.iter().enumerate().all(|(k, a)| parts[..k].iter().all(|b| unit(a, b)))
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

/// `index = base + offset`, where the base is a reference that an ensure assigns and the offset contains no such
/// reference; `None` if the index does not have this form.
pub fn base(
    program: &Program,
    index: &Expr,
    ensured: &dyn Fn(&Ref) -> bool,
) -> Option<(Ref, Poly)> {
    scaled_base(program, index, ensured)
        .and_then(|(r, scale, offset)| (scale == 1).then_some((r, offset)))
}

/// `index = scale * base + offset`, where only an element of an array has a scale other than 1; `None` if the index
/// does not have this form. A base without a scale is preferred.
pub fn scaled_base(
    program: &Program,
    index: &Expr,
    ensured: &dyn Fn(&Ref) -> bool,
) -> Option<(Ref, i128, Poly)> {
    let poly = Poly::of(index);
    let mut scalar: Option<(Ref, Poly)> = None;
    let mut arrays: Vec<(Ref, Poly)> = Vec::new();
    let mut scaled: Option<(Ref, i128, Poly)> = None;
    let mut refs = Vec::new();
    index.top_refs(&mut |r| refs.push(r));
    for r in refs {
        if r.side != Side::Input || !ensured(r) {
            continue;
        }
        // An element may decide which part of a segment is accessed: `x.place + x.pair[k] / 16`.
        let Some((coefficient, rest)) = poly.linear_in(&Poly::ref_atom(r)) else { continue };
        if let Some(scale) = coefficient.as_int().filter(|c| *c > 1)
            && !program.field(r).is_scalar()
        {
            scaled.get_or_insert((r.clone(), scale, rest.clone()));
        }
        if coefficient.as_int() == Some(1) {
            // A scalar that is also a size is not a base.
            match program.field(r).is_scalar() {
                true => drop(scalar.get_or_insert((r.clone(), rest))),
                false => arrays.push((r.clone(), rest)),
            }
        }
    }
    // An ensure does not choose a base that the canonical value determines.
    let chosen = match arrays.len() {
        0 | 1 => None,
        _ => arrays.iter().rposition(|(r, _)| !is_output(program, r.field)),
    };
    let plain = match chosen {
        Some(k) => Some(arrays.swap_remove(k)),
        None => arrays.pop().or(scalar),
    };
    plain.map(|(r, rest)| (r, 1, rest)).or(scaled)
}

/// Returns the arrays whose elements are only distances from places where something else begins: the length of a header
/// in `x.file[x.at[k] + 2 + x.extra[k] + b]`, where the header itself is at `x.at[k]`.
pub fn distances(accesses: &[Access], placed: &dyn Fn(&Ref) -> bool) -> BTreeSet<FieldId> {
    let mut alone: BTreeSet<(FieldId, FieldId)> = BTreeSet::new();
    let mut sums: Vec<(FieldId, Vec<FieldId>)> = Vec::new();
    for access in accesses {
        for index in &access.index {
            let poly = Poly::of(index);
            let mut terms: Vec<FieldId> = Vec::new();
            index.top_refs(&mut |r| {
                let single = || poly.terms().any(|(m, c)| c == 1 && m[..] == [Poly::ref_atom(r)]);
                if r.side == Side::Input && !r.index.is_empty() && placed(r) && single() {
                    terms.push(r.field);
                }
            });
            match terms[..] {
                [] => {}
                [one] => drop(alone.insert((access.field, one))),
                _ => sums.push((access.field, terms)),
            }
        }
    }
    let begins = |array: FieldId, term: &FieldId| alone.contains(&(array, *term));
    let mut out: BTreeSet<FieldId> = BTreeSet::new();
    for (array, terms) in
        sums.iter().filter(|(array, terms)| terms.iter().any(|t| begins(*array, t)))
    {
        out.extend(terms.iter().filter(|term| !begins(*array, term)));
    }
    // Elsewhere they might be places.
    out.retain(|field| !alone.iter().any(|(_, one)| one == field));
    let counts_from =
        |(array, terms): &&(FieldId, Vec<FieldId>)| terms.iter().any(|t| begins(*array, t));
    for (_, terms) in sums.iter().filter(|sum| !counts_from(sum)) {
        out.retain(|field| !terms.contains(field));
    }
    out
}

/// Returns true if an output is an element of the array.
fn is_output(program: &Program, field: FieldId) -> bool {
    let mut found = false;
    statements(&program.body, &mut |stmt| {
        found |= matches!(&stmt.kind, StmtKind::Assign { value: Expr::Ref(r), .. }
            if r.side == Side::Input && r.field == field);
    });
    found
}
