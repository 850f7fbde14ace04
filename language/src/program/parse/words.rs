//! Words of bit fields that a loop reads: `let item = u32le(x.file, 8 + 4 * k);` with `item & 0x7fff` for a place.
//!
//! A place that is part of a number cannot be the base of a segment. If a program uses only parts of a word, each part
//! therefore becomes a separate hidden array, and the word is their weighted sum.

use std::collections::BTreeSet;

use super::Reader;
use super::loop_read::{LoopRead, pending};
use super::relative::Made;
use crate::program::bit_fields::BitField;
use crate::program::fold::statements;
use crate::program::syntax::{Expr, Op, Pred, Side, Stmt};
use crate::program::views::Source;

/// Adjacent bits of a number: the lowest, and one past the highest.
pub(super) type Bits = (u32, u32);

/// The parts of a word, from the lowest bits on, each with a flag that is true if the part is used.
pub(super) type Word = Vec<(Bits, bool)>;

/// A part of a word, and the element that stands for it.
pub(super) type Part = (Bits, Expr);

/// The uses of a number.
#[derive(Default)]
struct Uses {
    /// The parts that are used.
    parts: BTreeSet<Bits>,
    /// True if the number is used as a whole.
    whole: bool,
    /// The parts in an index.
    indexed: BTreeSet<Bits>,
    /// The parts that form an index, apart from added loop variables and numerals.
    places: BTreeSet<Bits>,
}

/// Returns, for each read, the parts that make up the number, from the lowest bits on, if only parts of it are used and
/// exactly one of them is a place. The parts do not overlap, and leave nothing out. Several places would be indices
/// into a table.
pub(super) fn words(body: &[Stmt], reads: &[LoopRead]) -> Vec<Option<Word>> {
    let width = |read: &LoopRead| match &read.source {
        Source::Bytes(b) if !b.form.signed => Some(8 * b.form.bytes as u32),
        _ => None,
    };
    let widths: Vec<Option<u32>> = reads.iter().map(width).collect();
    let mut walk = Walk { widths: &widths, uses: reads.iter().map(|_| Uses::default()).collect() };
    statements(body, &mut |stmt| stmt.exprs(&mut |e| walk.expr(e, false)));
    for read in reads {
        walk.source(&read.source);
        read.guards.iter().for_each(|p| walk.pred(p));
        read.around.iter().for_each(|l| walk.expr(&l.count, false));
    }
    let found = walk.uses.iter().zip(&widths);
    found.map(|(uses, width)| whole_word(uses, (*width)?)).collect()
}

/// Returns the parts of a word of this width, including the unused ones between them.
fn whole_word(uses: &Uses, width: u32) -> Option<Word> {
    if uses.whole || uses.places.len() != 1 || uses.indexed != uses.places {
        return None;
    }
    let (mut all, mut end) = (Vec::new(), 0);
    for (lo, hi) in uses.parts.iter().copied() {
        if lo < end {
            return None;
        }
        if lo > end {
            all.push(((end, lo), false));
        }
        all.push(((lo, hi), true));
        end = hi;
    }
    if end < width {
        all.push(((end, width), false));
    }
    Some(all)
}

/// Returns the read of which an expression is a part, and the bits, if it is one.
pub(super) fn part_of(e: &Expr, width: &dyn Fn(usize) -> Option<u32>) -> Option<(usize, Bits)> {
    let power = |e: &Expr| match e {
        Expr::Int(n) if *n > 1 && n.count_ones() == 1 => Some(n.trailing_zeros()),
        _ => None,
    };
    let read = |e: &Expr| match e {
        Expr::Ref(r) => pending(r),
        _ => None,
    };
    let Expr::Bin(op, a, b) = e else { return None };
    let by = power(b)?;
    let (k, lo, size) = match (op, &**a) {
        (Op::Div, inner) if read(inner).is_some() => (read(inner)?, by, None),
        (Op::Rem, inner) if read(inner).is_some() => (read(inner)?, 0, Some(by)),
        (Op::Rem, Expr::Bin(Op::Div, inner, shift)) => (read(inner)?, power(shift)?, Some(by)),
        _ => return None,
    };
    let width = width(k)?;
    let hi = size.map_or(width, |size| width.min(lo.saturating_add(size)));
    (lo < hi && (lo, hi) != (0, width)).then_some((k, (lo, hi)))
}

/// A walk over everything that uses numbers.
struct Walk<'w> {
    widths: &'w [Option<u32>],
    uses: Vec<Uses>,
}

impl Walk<'_> {
    fn part_of(&self, e: &Expr) -> Option<(usize, Bits)> {
        part_of(e, &|k| self.widths.get(k).copied().flatten())
    }

    fn index(&mut self, index: &Expr) {
        let (mut terms, mut open) = (Vec::new(), vec![index]);
        while let Some(e) = open.pop() {
            match e {
                Expr::Bin(Op::Add, a, b) => open.extend([&**a, &**b]),
                e if e.mentions(|_| true) => terms.push(e),
                _ => {}
            }
        }
        if let [term] = terms[..]
            && let Some((k, bits)) = self.part_of(term)
            && let Some(uses) = self.uses.get_mut(k)
        {
            uses.places.insert(bits);
        }
        self.expr(index, true);
    }

    fn expr(&mut self, e: &Expr, indexed: bool) {
        if let Some((k, bits)) = self.part_of(e) {
            if let Some(uses) = self.uses.get_mut(k) {
                uses.parts.insert(bits);
                if indexed {
                    uses.indexed.insert(bits);
                }
            }
            return;
        }
        match e {
            Expr::Int(_) | Expr::Var(_) => {}
            Expr::Bin(_, a, b) => {
                self.expr(a, indexed);
                self.expr(b, indexed);
            }
            Expr::Ref(r) => {
                if let Some(uses) = pending(r).and_then(|k| self.uses.get_mut(k)) {
                    uses.whole = true;
                }
                for i in &r.index {
                    match r.side {
                        Side::Input => self.index(i),
                        Side::Output => self.expr(i, indexed),
                    }
                }
            }
        }
    }

    fn pred(&mut self, p: &Pred) {
        p.exprs(&mut |e| self.expr(e, false));
    }

    fn source(&mut self, source: &Source) {
        match source {
            Source::Bytes(b) => self.index(&b.at),
            Source::Is(e) => self.expr(e, false),
            Source::Length(_) | Source::Last(_) => {}
            Source::If(p, a, b) => {
                self.pred(p);
                self.source(a);
                self.source(b);
            }
        }
    }
}

impl Reader<'_> {
    /// Declares the hidden arrays for the parts of a word, which is `element` of its own array.
    pub(super) fn parts(
        &mut self,
        read: &LoopRead,
        element: &Expr,
        word: &Word,
        made: &mut Made,
    ) -> Option<Vec<Part>> {
        let Expr::Ref(whole) = element else { return Some(Vec::new()) };
        let (mut fields, mut parts) = (Vec::new(), Vec::new());
        for &((lo, hi), used) in word {
            let mut number = element.clone();
            if lo > 0 {
                number = Expr::bin(Op::Div, number, Expr::Int(1 << lo));
            }
            number = Expr::bin(Op::Rem, number, Expr::Int(1 << (hi - lo)));
            let mark = if used { "" } else { "_" };
            let part = LoopRead {
                name: format!("{mark}{}_bit{lo}", read.name),
                source: Source::Is(number),
                ..read.clone()
            };
            let element = self.hidden_array(&part)?;
            if let Expr::Ref(r) = &element {
                fields.push(BitField { field: r.field, lowest: lo, size: hi - lo });
                made.arrays.push((r.field, part));
            }
            parts.push(((lo, hi), element));
        }
        let view = self.views.iter_mut().find(|view| view.field == whole.field)?;
        view.fields = fields;
        Some(parts)
    }
}
