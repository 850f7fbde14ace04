//! Places at a distance, read by a loop, from another place that it reads: `u16le(x.file, table - back)`.
//!
//! A place that is the sum of two numbers cannot be the base of a segment. It therefore becomes a separate hidden
//! array, and the equation with its summands comes before those of all digits: inversion then chooses the places, and
//! the distances follow from them.

use super::Reader;
use super::loop_read::LoopRead;
use crate::program::FieldId;
use crate::program::fold::statements;
use crate::program::poly::{Atom, Poly};
use crate::program::range;
use crate::program::source::Span;
use crate::program::syntax::{Expr, Ref, Side, Stmt};
use crate::program::views::{Bytes, Source, type_of};

/// The hidden arrays of a body, as far as they are made.
#[derive(Default)]
pub(super) struct Made {
    /// Each array, with its source.
    pub(super) arrays: Vec<(FieldId, LoopRead)>,
    /// The sums of two elements that have separate arrays, each with its element.
    sums: Vec<(Poly, Expr)>,
}

impl Made {
    fn read_of(&self, field: FieldId) -> Option<&LoopRead> {
        self.arrays.iter().find(|(own, _)| *own == field).map(|(_, read)| read)
    }

    /// Splits off the sum of two elements, both of the current iteration.
    fn sum(&self, index: &Poly) -> Option<(Poly, [FieldId; 2])> {
        let mut sum = Poly::default();
        let mut fields = Vec::new();
        for (monomial, c) in index.terms() {
            let mut of_loops = false;
            let mut note = |atom: &Atom| {
                of_loops |=
                    matches!(atom, Atom::Ref(Side::Input, f, _) if self.read_of(*f).is_some());
                false
            };
            Poly::term(monomial.clone(), 1).any_atom(&mut note);
            if !of_loops {
                continue;
            }
            let [Atom::Ref(_, field, at)] = &monomial[..] else { return None };
            let own = self.read_of(*field)?.around.iter().map(|l| Poly::atom(Atom::Var(l.var)));
            if at.is_empty() || !own.eq(at.iter().cloned()) || c != 1 && c != -1 {
                return None;
            }
            fields.push(*field);
            sum = sum.add(&Poly::term(monomial.clone(), c));
        }
        let any = sum.terms().any(|(_, c)| c == 1);
        Some((sum, <[FieldId; 2]>::try_from(fields).ok()?)).filter(|_| any)
    }

    fn element(&self, sum: &Poly) -> Option<&Expr> {
        self.sums.iter().find(|(own, _)| own == sum).map(|(_, element)| element)
    }

    /// Returns the index with the sum of two elements replaced by the element that represents it.
    fn replaced(&self, index: &Expr) -> Option<Expr> {
        let whole = Poly::of(index);
        let (sum, _) = self.sum(&whole)?;
        Some(Poly::of(self.element(&sum)?).add(&whole.sub(&sum)).to_expr())
    }
}

impl Reader<'_> {
    /// Returns a source in which places are bases. `made` are the arrays that it may mention.
    pub(super) fn with_bases(&mut self, source: Source, made: &mut Made) -> Option<Source> {
        match source {
            Source::Bytes(b) => {
                self.base(&b.at, b.span, made)?;
                let at = made.replaced(&b.at).unwrap_or_else(|| b.at.clone());
                Some(Source::Bytes(Bytes { at, ..b }))
            }
            Source::If(p, a, b) => {
                let (a, b) = (self.with_bases(*a, made)?, self.with_bases(*b, made)?);
                Some(Source::If(p, Box::new(a), Box::new(b)))
            }
            Source::Is(_) | Source::Length(_) | Source::Last(_) => Some(source),
        }
    }

    /// Declares the arrays of the places at which the statements of a body read.
    pub(super) fn bases_of(&mut self, body: &[Stmt], made: &mut Made) -> Option<()> {
        let mut places: Vec<(Expr, Span)> = Vec::new();
        statements(body, &mut |stmt| {
            stmt.exprs(&mut |e| {
                e.refs(&mut |r| {
                    if let (Side::Input, [index]) = (r.side, &r.index[..]) {
                        places.push((index.clone(), r.span));
                    }
                });
            });
        });
        places.into_iter().try_for_each(|(index, span)| self.base(&index, span, made))
    }

    /// Declares the array of a place if the place is the sum of two elements and has no array yet.
    fn base(&mut self, index: &Expr, span: Span, made: &mut Made) -> Option<()> {
        let Some((sum, fields)) = made.sum(&Poly::of(index)) else { return Some(()) };
        if made.element(&sum).is_some() {
            return Some(());
        }
        let [Some(a), Some(b)] = fields.map(|f| made.read_of(f)) else { return Some(()) };
        let (long, short) = if a.around.len() >= b.around.len() { (a, b) } else { (b, a) };
        let source = Source::Is(sum.to_expr());
        let types = self.input.as_ref().map(|input| input.fields.iter().map(|f| f.int).collect());
        let types: Vec<_> = types.unwrap_or_default();
        let of = |e: &Expr| range::with(e, &|r: &Ref| types[r.field.0].range());
        if !long.around.starts_with(&short.around) || type_of(&source, &of).is_none() {
            return Some(());
        }
        let guards = if a.guards.len() >= b.guards.len() { &a.guards } else { &b.guards };
        let name = fields.into_iter().max().and_then(|f| made.read_of(f)).map(|read| &read.name);
        let read = LoopRead {
            unnamed: false,
            name: format!("{}_place", name.map_or("", |name| name)),
            source,
            around: long.around.clone(),
            guards: guards.clone(),
            span,
        };
        let element = self.hidden_array(&read)?;
        if let Expr::Ref(r) = &element {
            made.arrays.push((r.field, read));
        }
        made.sums.push((sum, element));
        Some(())
    }
}

/// Returns the replacement of a reference in a body: an element at a base.
pub(super) fn at_base(e: &Expr, made: &Made) -> Option<Expr> {
    let Expr::Ref(r) = e else { return None };
    let (Side::Input, [index]) = (r.side, &r.index[..]) else { return None };
    let index = vec![made.replaced(index)?];
    Some(Expr::Ref(Ref { index, ..r.clone() }))
}
