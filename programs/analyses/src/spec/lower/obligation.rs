//! Obligations: statements about what a spec must not do.

use canonical::{Binary, Place};
use inverter::program::print::Show;
use inverter::program::{Expr, Length, Op, Pred, Ref, Side, Span, range};
use serde::Serialize;

use super::emit::{binary, int};
use super::{Lower, place};

/// The kind of an obligation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// An element that is read is in its array.
    Read,
    /// An element that is assigned is in its array.
    Write,
    /// The values of an expression fit 128 bits.
    Overflow,
    /// Each element of an output is assigned once.
    Once,
}

/// An obligation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obligation {
    /// The kind.
    pub kind: Kind,
    /// The part of the text.
    pub span: Span,
    /// The place at which it begins.
    pub place: Place,
    /// The obligation in words.
    pub what: String,
    /// The indices of its assertions in the program. If there are none, it follows from types.
    pub assertions: Vec<usize>,
}

impl Lower<'_> {
    /// Records an obligation. A part of the text that is lowered twice has only one obligation.
    fn note(&mut self, kind: Kind, span: Span, what: String, assertion: Option<usize>) {
        let known = self.obligations.iter_mut().find(|o| o.kind == kind && o.span == span);
        if let Some(known) = known {
            known.assertions.extend(assertion);
            return;
        }
        let place = place(&self.spec.source, span);
        let assertions = assertion.into_iter().collect();
        self.obligations.push(Obligation { kind, span, place, what, assertions });
    }

    /// Returns bounds of an expression that follow from types and loops.
    pub(super) fn range(&self, e: &Expr) -> (i128, i128) {
        range::in_loops(e, &self.loops, &|r| self.spec.field(r).int.range())
    }

    /// Asserts that the index of an element, whose parts were evaluated, is inside its array. An array of free length
    /// has no end. If the spec uses the length of an array, it refuses inputs that are too short.
    pub(super) fn inside(&mut self, r: &Ref, span: Span) {
        let (spec, input) = (self.spec, r.side == Side::Input);
        let field = spec.field(r);
        let kind = if input { Kind::Read } else { Kind::Write };
        let open = input && spec.length_of(r.field).is_some();
        let counts = open && spec.counts_from_end(r);
        self.note(kind, span, format!("{} is inside", Show(spec, r)), None);
        for (index, length) in r.index.iter().zip(&field.lengths) {
            if self.range(index).0 < 0 {
                let below = binary(Binary::LessEqual, int(0), self.number(index));
                if counts {
                    self.emit.require(below);
                } else {
                    let number = self.emit.assert(below);
                    self.note(kind, span, String::new(), Some(number));
                }
            }
            if let (Length::Is(length), false) = (length, open) {
                let length = self.value(length);
                let above = binary(Binary::Less, self.number(index), length);
                let number = self.emit.assert(above);
                self.note(kind, span, String::new(), Some(number));
            }
        }
    }

    /// Asserts that an operator does not overflow, unless this follows from types. Its operands were evaluated.
    pub(super) fn fits(&mut self, op: Op, a: &Expr, b: &Expr) {
        let whole = Expr::bin(op, a.clone(), b.clone());
        let (least, most) = self.range(&whole);
        if least > i128::MIN && most < i128::MAX {
            return;
        }
        let what = format!("{} fits 128 bits", Show(self.spec, &whole));
        let positive = self.range(a).0 >= 0 && self.range(b).0 >= 0;
        let number = if op == Op::Mul && positive {
            let (x, y) = (self.number(a), self.number(b));
            let (divide, next) = (self.emit.node(), self.emit.node());
            self.emit.branch(&binary(Binary::Greater, y.clone(), int(0)), divide, next);
            self.emit.at = divide;
            let most = binary(Binary::Divide, int(i128::MAX), y);
            let number = self.emit.assert(binary(Binary::LessEqual, x, most));
            self.emit.go(next);
            number
        } else {
            self.emit.assert(super::emit::unknown())
        };
        self.note(Kind::Overflow, self.span, what, Some(number));
    }

    /// Returns true if a predicate reads no element of an array.
    pub(super) fn of_scalars(p: &Pred) -> bool {
        !p.mentions(|r| !r.index.is_empty() || r.side == Side::Output)
    }
}
