//! Bounds of indices: every index is inside its array. Also records how far arrays of free length are used.

use serde::{Deserialize, Serialize};

use super::access::outside;
use super::inst::{Conjunct, Why};
use super::narrowed::{Narrowed, narrowed};
use super::state::Level;
use super::{injective, simplify};
use crate::program::fold::replacing;
use crate::program::{Atom, Cmp, Expr, FieldId, Length, Poly, Pred, Program, Ref, Span};

/// The extent of an array: the greatest used index of a dimension, for sizing.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Extent {
    /// The array.
    pub array: FieldId,
    /// The dimension of the array.
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

impl Extent {
    /// Calls `visit` on the references on which the extent depends.
    pub fn refs<'e>(&'e self, visit: &mut dyn FnMut(&'e Ref)) {
        self.nest.iter().for_each(|level| level.count.refs(visit));
        self.hi.refs(visit);
        self.guards.iter().for_each(|guard| guard.refs(visit));
    }
}

/// An element that is written or read, with the loops and guards around it.
#[derive(Debug, Clone, Copy)]
pub struct Indexed<'a> {
    /// The array.
    pub field: FieldId,
    /// The index.
    pub index: &'a [Expr],
    /// The loops, outermost first.
    pub nest: &'a [Level],
    /// The guards.
    pub guards: &'a [Pred],
    /// The place in the normalization program.
    pub span: Span,
}

/// The conditions and extents that follow from indices.
#[derive(Debug, Default)]
pub struct Constraints {
    /// The conditions under which indices are inside their arrays.
    pub conjuncts: Vec<Conjunct>,
    /// The extents of arrays of free length.
    pub extents: Vec<Extent>,
}

impl Constraints {
    /// Adds an extent. Of several extents that differ only by a number, only the greatest is kept, so the bytes of a
    /// header have a single extent.
    fn add_extent(&mut self, new: Extent) {
        let hi = Poly::of(&new.hi);
        let beyond = |old: &Extent| {
            let same = old.array == new.array
                && old.dimension == new.dimension
                && old.nest == new.nest
                && old.guards == new.guards;
            if same { hi.sub(&Poly::of(&old.hi)).as_int() } else { None }
        };
        let found = self.extents.iter_mut().find_map(|old| Some((beyond(old)?, old)));
        match found {
            Some((1.., old)) => *old = new,
            Some(_) => {}
            None => self.extents.push(new),
        }
    }
}

/// One dimension of an element that is written or read.
struct Coordinate<'a> {
    program: &'a Program,
    element: &'a Indexed<'a>,
    /// The index in this dimension.
    index: &'a Expr,
    /// The loops, narrowed by guards.
    narrow: &'a [Narrowed],
    /// The conditions outside the loops under which nothing is accessed.
    unless: &'a [Pred],
}

impl Coordinate<'_> {
    /// Returns the condition `index cmp bound`; `None` if it always holds. Each of `extremes` bounds the index, so it
    /// is enough that one of them satisfies the comparison.
    fn condition(&self, cmp: Cmp, extremes: Option<&[Poly]>, bound: &Expr) -> Option<Conjunct> {
        let Indexed { nest, guards, span, field, .. } = *self.element;
        let compared = |e: Expr| Pred::cmp(cmp, e, bound.clone());
        let quantified = || {
            let here = guards.iter().map(Pred::negated);
            Level::all(nest, Pred::or(here.chain([compared(self.index.clone())])))
        };
        let pred = match extremes {
            Some(extremes) => Pred::or(extremes.iter().map(|p| compared(p.to_expr()))),
            None => compared(self.index.clone()),
        };
        let mut pred = simplify::pred(self.program, &pred);
        if pred == Pred::Const(true) {
            return None;
        }
        // The extremes are those of loops that run; otherwise a guard may have no value.
        let mut idle: Vec<Pred> = Vec::new();
        if extremes.is_some() {
            let nests = std::iter::once(nest).chain(self.narrow.iter().map(|n| &n.nest[..]));
            for p in nests.flat_map(|nest| never_run(self.program, nest, &pred)) {
                if !idle.contains(&p) {
                    idle.push(p);
                }
            }
        } else {
            pred = simplify::pred(self.program, &quantified());
        }
        let pred = Pred::or(idle.into_iter().chain(self.unless.iter().cloned()).chain([pred]));
        Some(Conjunct { pred, span, why: Why::Inside(self.program.input_name(field)) })
    }
}

/// Adds the conditions that keep an index inside its array: at least 0 (always), and below a length that the spec
/// fixes. The greatest index of a dimension of free length is recorded for sizing. The dimension `placed` is left to a
/// layout.
pub fn inside(
    program: &Program,
    element: &Indexed<'_>,
    placed: Option<usize>,
    out: &mut Constraints,
) {
    let Indexed { field, index, nest, guards, span } = *element;
    let fixed: Vec<Pred> = outside(guards, nest).cloned().collect();
    let unless: Vec<Pred> = fixed.iter().map(Pred::negated).collect();
    let lengths = &program.input.fields[field].lengths;
    for (dimension, (e, length)) in index.iter().zip(lengths).enumerate() {
        if placed == Some(dimension) {
            continue;
        }
        let poly = Poly::of(e);
        let closed = injective::extremes(program, &poly, nest, &[]);
        // A guard inside the loops may bound the index more closely than they do.
        let narrow = match closed {
            Some(_) => narrowed(&poly, nest, guards),
            None => Vec::new(),
        };
        let extremes = |n: &Narrowed| injective::extremes(program, &n.index, &n.nest, &[]);
        let (bottoms, tops): (Vec<Poly>, Vec<Poly>) = narrow.iter().filter_map(extremes).unzip();
        let coordinate =
            Coordinate { program, element, index: e, narrow: &narrow, unless: &unless };
        let lows = closed.as_ref().map(|(lo, _)| distinct(lo, bottoms));
        out.conjuncts.extend(coordinate.condition(Cmp::Ge, lows.as_deref(), &Expr::Int(0)));
        match length {
            Length::Is(length) => {
                let highs = closed.as_ref().map(|(_, hi)| {
                    let more = injective::greatest(program, &poly, nest);
                    distinct(hi, more.into_iter().chain(tops))
                });
                out.conjuncts.extend(coordinate.condition(Cmp::Lt, highs.as_deref(), length));
            }
            Length::Free => {
                let (nest, hi, guards) = match closed {
                    Some((_, hi)) => {
                        let large = Pred::cmp(Cmp::Lt, hi.to_expr(), Expr::Int(0));
                        let runs = never_run(program, nest, &large).map(|p| p.negated());
                        let guards = fixed.iter().cloned().chain(runs);
                        let guards = guards.filter(|g| *g != Pred::Const(true)).collect();
                        (Vec::new(), hi.to_expr(), guards)
                    }
                    None => (nest.to_vec(), e.clone(), guards.to_vec()),
                };
                out.add_extent(Extent { array: field, dimension, nest, guards, hi, span });
            }
        }
    }
}

/// Returns `first` and `others`, without repetitions.
fn distinct(first: &Poly, others: impl IntoIterator<Item = Poly>) -> Vec<Poly> {
    let mut all = vec![first.clone()];
    for p in others {
        if !all.contains(&p) {
            all.push(p);
        }
    }
    all
}

/// Returns the conditions under which a nest has no iteration: one for each loop whose bound is determined outside it,
/// unless `pred` holds in that case anyway.
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
            let none = replacing(atom.clone(), Expr::Int(0));
            simplify::pred(program, &pred.substitute(none)) != Pred::Const(true)
        }
        None => true,
    };
    nest.iter().filter(settled).filter(matters).map(|l| {
        let none = Pred::cmp(Cmp::Le, l.count.clone(), Expr::Int(0));
        simplify::pred(program, &none)
    })
}
