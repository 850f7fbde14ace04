//! Sums of unknowns, the operands of comparisons.

use super::constraint::{Constraint, Number, Terms};
use language::program::{Cmp, Expr, Op, Side};

/// A sum of unknowns and a numeral.
#[derive(Default)]
pub struct Sum {
    /// The unknowns with their coefficients.
    pub terms: Terms,
    /// The numeral.
    pub constant: i128,
}

impl Sum {
    /// Adds `c` times an unknown.
    pub fn plus(&mut self, unknown: u32, c: i128) -> Option<()> {
        match self.terms.iter_mut().find(|(own, _)| *own == unknown) {
            Some((_, own)) => *own = own.checked_add(c)?,
            None => self.terms.push((unknown, c)),
        }
        Some(())
    }

    /// Adds `c` times another sum.
    pub fn add_sum(&mut self, other: &Sum, c: i128) -> Option<()> {
        other.terms.iter().try_for_each(|(k, own)| self.plus(*k, own.checked_mul(c)?))?;
        self.constant = self.constant.checked_add(other.constant.checked_mul(c)?)?;
        Some(())
    }

    /// The value of a sum without unknowns.
    pub fn as_int(&self) -> Option<i128> {
        self.terms.iter().all(|(_, c)| *c == 0).then_some(self.constant)
    }

    /// The difference with an unknown.
    pub fn minus(&self, unknown: u32) -> Option<Sum> {
        let mut out = Sum { terms: self.terms.clone(), constant: self.constant };
        out.plus(unknown, -1)?;
        Some(out)
    }

    /// Compares it with 0.
    pub fn compared(mut self, cmp: Cmp) -> Option<Constraint> {
        self.terms.retain(|(_, c)| *c != 0);
        let terms = self.terms;
        let to = self.constant.checked_neg()?;
        let (least, most) = match cmp {
            Cmp::Eq => (to, to),
            Cmp::Le => (i128::MIN, to),
            Cmp::Lt => (i128::MIN, to.checked_sub(1)?),
            Cmp::Ge => (to, i128::MAX),
            Cmp::Gt => (to.checked_add(1)?, i128::MAX),
            Cmp::Ne => return Some(Constraint::Differs { terms, from: to }),
        };
        Some(Constraint::Sum { terms, least, most })
    }

    /// Adds `factor * e`; `None` if `e` is not linear as written.
    pub fn add(&mut self, e: &Expr, factor: i128, number: Number<'_>) -> Option<()> {
        match e {
            Expr::Int(n) => {
                self.constant = self.constant.checked_add(n.checked_mul(factor)?)?;
            }
            Expr::Ref(r) => {
                let k = number(r).filter(|_| r.side == Side::Input)?;
                self.plus(k, factor)?;
            }
            Expr::Bin(Op::Add, a, b) => {
                self.add(a, factor, number)?;
                self.add(b, factor, number)?;
            }
            Expr::Bin(Op::Sub, a, b) => {
                self.add(a, factor, number)?;
                self.add(b, factor.checked_neg()?, number)?;
            }
            Expr::Bin(Op::Mul, a, b) => match (&**a, &**b) {
                (Expr::Int(n), e) | (e, Expr::Int(n)) => {
                    self.add(e, factor.checked_mul(*n)?, number)?;
                }
                _ => return None,
            },
            Expr::Var(_) | Expr::Bin(..) => return None,
        }
        Some(())
    }
}
