//! Reads `&`, `<<` and `>>` with a numeral, which are `%`, `*` and `/` by powers of two.
//!
//! All are exact for negative numbers too, in two's complement, because division rounds down and a remainder is not
//! negative.

use super::Reader;
use crate::program::diagnostic::Diagnostic;
use crate::program::syntax::{Expr, Op};

/// The greatest distance of a shift.
const MOST: i128 = 63;

impl Reader<'_> {
    /// Returns `a op b`.
    pub(super) fn bits(
        &mut self,
        op: &syn::BinOp,
        a: Expr,
        b: Expr,
        at: &syn::Expr,
    ) -> Option<Expr> {
        match (op, a, b) {
            (syn::BinOp::BitAnd(_), e, Expr::Int(mask))
            | (syn::BinOp::BitAnd(_), Expr::Int(mask), e)
                if mask >= 0 =>
            {
                self.masked(&e, mask, at)
            }
            (syn::BinOp::Shl(_), e, Expr::Int(by)) if (0..=MOST).contains(&by) => {
                self.operation(Op::Mul, e, Expr::Int(1 << by), at)
            }
            (syn::BinOp::Shr(_), e, Expr::Int(by)) if (0..=MOST).contains(&by) => {
                self.operation(Op::Div, e, Expr::Int(1 << by), at)
            }
            _ => self.no_bits(at),
        }
    }

    /// Returns the bits of `e` that are set in `mask`: a sum over the runs of ones.
    fn masked(&mut self, e: &Expr, mask: i128, at: &syn::Expr) -> Option<Expr> {
        let mut sum: Option<Expr> = None;
        let mut left = mask;
        while left != 0 {
            let low = left.trailing_zeros();
            let ones = (left >> low).trailing_ones();
            left &= !(((1i128 << ones) - 1) << low);
            let mut run = e.clone();
            if low > 0 {
                run = self.operation(Op::Div, run, Expr::Int(1 << low), at)?;
            }
            run = self.operation(Op::Rem, run, Expr::Int(1 << ones), at)?;
            if low > 0 {
                run = self.operation(Op::Mul, run, Expr::Int(1 << low), at)?;
            }
            sum = Some(match sum {
                None => run,
                Some(sum) => self.operation(Op::Add, sum, run, at)?,
            });
        }
        Some(sum.unwrap_or(Expr::Int(0)))
    }

    /// Refuses other ways to combine bits.
    pub(super) fn no_bits<T>(&mut self, at: &syn::Expr) -> Option<T> {
        let message = "these bits are not combined by a numeral";
        let help = "`a & 0x0f`, `a << 4` and `a >> 4` are `a % 16`, `a * 16` and `a / 16`: the right \
                    operand is a numeral, of a shift at most 63. Bits that do not overlap are joined \
                    by `+` instead of `|`";
        self.refuse(Diagnostic::new(message, self.span_of(at), "here").help(help))
    }
}
