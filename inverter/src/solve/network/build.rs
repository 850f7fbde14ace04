//! Predicates as constraints of a network.

use super::constraint::{Constraint, Other, Terms};
use super::{Domain, Network};
use crate::program::{Cmp, Expr, Op, Poly, Pred, Ref, Side};

/// Numbers the unknowns: `None` for a reference that is none.
pub type Number<'n> = &'n dyn Fn(&Ref) -> Option<u32>;

impl Network {
    /// Creates the network of these predicates; `None` if one mentions something that is no unknown.
    pub fn new<'p>(
        domains: Vec<Domain>,
        preds: impl IntoIterator<Item = &'p Pred>,
        number: Number<'_>,
    ) -> Option<Self> {
        let mut constraints = Vec::new();
        for pred in preds {
            conjuncts(pred, number, &mut constraints)?;
        }
        let mut watching: Vec<Vec<u32>> = vec![Vec::new(); domains.len()];
        for (k, c) in constraints.iter().enumerate() {
            let k = k as u32;
            c.unknowns(&mut |unknown| {
                if let Some(list) = watching.get_mut(unknown as usize)
                    && list.last() != Some(&k)
                {
                    list.push(k);
                }
            });
        }
        Some(Self { domains, constraints, watching })
    }
}

fn conjuncts(pred: &Pred, number: Number<'_>, out: &mut Vec<Constraint>) -> Option<()> {
    match pred {
        Pred::And(all) => all.iter().try_for_each(|p| conjuncts(p, number, out)),
        Pred::Const(true) => Some(()),
        Pred::Cmp(cmp, a, b) => {
            match linear(*cmp, a, b, number) {
                Some(c) => out.push(c),
                None => out.push(other(pred, number)?),
            }
            Some(())
        }
        Pred::Or(any) => {
            let mut branches = Vec::new();
            for p in any {
                let mut branch = Vec::new();
                conjuncts(p, number, &mut branch)?;
                if branch
                    .iter()
                    .any(|c| !matches!(c, Constraint::Sum { .. } | Constraint::Differs { .. }))
                {
                    out.push(other(pred, number)?);
                    return Some(());
                }
                branches.push(branch);
            }
            out.push(Constraint::Any(branches));
            Some(())
        }
        // Quantifiers are run through before.
        Pred::Const(false) | Pred::All(..) => {
            out.push(other(pred, number)?);
            Some(())
        }
    }
}

fn other(pred: &Pred, number: Number<'_>) -> Option<Constraint> {
    let mut unknowns: Vec<(Ref, u32)> = Vec::new();
    let mut known = true;
    pred.refs(&mut |r| match number(r).filter(|_| r.side == Side::Input) {
        Some(k) if unknowns.iter().any(|(_, own)| *own == k) => {}
        Some(k) => unknowns.push((r.clone(), k)),
        None => known = false,
    });
    known.then(|| Constraint::Other(Box::new(Other { pred: pred.clone(), unknowns })))
}

/// A linear comparison of unknowns.
fn linear(cmp: Cmp, a: &Expr, b: &Expr, number: Number<'_>) -> Option<Constraint> {
    let mut sum = Sum { terms: Terms::new(), constant: 0 };
    if sum.add(a, 1, number).is_none() || sum.add(b, -1, number).is_none() {
        // Products of sums are multiplied out.
        let difference = Poly::of(a).sub(&Poly::of(b)).to_expr();
        sum = Sum { terms: Terms::new(), constant: 0 };
        sum.add(&difference, 1, number)?;
    }
    let Sum { mut terms, constant } = sum;
    terms.retain(|(_, c)| *c != 0);
    let to = constant.checked_neg()?;
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

struct Sum {
    terms: Terms,
    constant: i128,
}

impl Sum {
    /// Adds `factor * e`; `None` if `e` is not linear as it is written.
    fn add(&mut self, e: &Expr, factor: i128, number: Number<'_>) -> Option<()> {
        match e {
            Expr::Int(n) => {
                self.constant = self.constant.checked_add(n.checked_mul(factor)?)?;
            }
            Expr::Ref(r) => {
                let k = number(r).filter(|_| r.side == Side::Input)?;
                match self.terms.iter_mut().find(|(own, _)| *own == k) {
                    Some((_, c)) => *c = c.checked_add(factor)?,
                    None => self.terms.push((k, factor)),
                }
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
