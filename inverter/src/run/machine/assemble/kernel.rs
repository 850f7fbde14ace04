//! Assembles kernels: the computations of a nest's rounds, as vector operations.

use super::Assembler;
use crate::lower::{Hull, Lane, reads};
use crate::program::{Expr, Pred};
use crate::run::machine::code::{Kernel, Operand, Operator, Width};

impl Kernel {
    /// Assembles the value of `e`, after the values that are the same in all rounds.
    pub fn value(
        assembler: &mut Assembler<'_>,
        lanes: &[Lane],
        hull: Hull,
        e: &Expr,
    ) -> Option<Self> {
        Self::of(assembler, lanes, hull, |builder| builder.expr(e))
    }

    /// Assembles the truth of `p`, as [`value`](Self::value).
    pub fn truth(
        assembler: &mut Assembler<'_>,
        lanes: &[Lane],
        hull: Hull,
        p: &Pred,
    ) -> Option<Self> {
        Self::of(assembler, lanes, hull, |builder| builder.pred(p))
    }

    fn of<'a, 'p>(
        assembler: &'a mut Assembler<'p>,
        lanes: &'a [Lane],
        hull: Hull,
        result: impl FnOnce(&mut Builder<'a, 'p>) -> Option<Operand>,
    ) -> Option<Self> {
        let mut builder = Builder { assembler, lanes, operations: Vec::new() };
        let result = result(&mut builder)?;
        Some(Self { width: Width::of(hull), operations: builder.operations, result })
    }
}

impl Width {
    /// Returns the narrowest width that holds all values of the hull.
    fn of(hull: Hull) -> Self {
        let within = |lo: i128, hi: i128| hull.is_some_and(|(l, h)| lo <= l && h <= hi);
        if within(i32::MIN.into(), i32::MAX.into()) {
            Width::I32
        } else if within(i64::MIN.into(), i64::MAX.into()) {
            Width::I64
        } else {
            Width::I128
        }
    }
}

struct Builder<'a, 'p> {
    assembler: &'a mut Assembler<'p>,
    lanes: &'a [Lane],
    operations: Vec<(Operator, Operand, Operand)>,
}

impl Builder<'_, '_> {
    fn add(&mut self, operator: Operator, a: Operand, b: Operand) -> Operand {
        self.operations.push((operator, a, b));
        Operand::Vector(self.lanes.len() + self.operations.len() - 1)
    }

    fn expr(&mut self, e: &Expr) -> Option<Operand> {
        if !reads(e) {
            return self.assembler.expr(e).map(Operand::Scalar);
        }
        match e {
            Expr::Ref(r) => {
                self.lanes.iter().position(|lane| lane.element == *r).map(Operand::Vector)
            }
            Expr::Bin(op, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                Some(self.add(Operator::Arithmetic(*op), a, b))
            }
            Expr::Int(_) | Expr::Var(_) => None,
        }
    }

    fn pred(&mut self, p: &Pred) -> Option<Operand> {
        let mut whole = true;
        p.exprs(&mut |e| whole &= !reads(e));
        if whole {
            return self.assembler.truth(p).map(Operand::Scalar);
        }
        let (operator, parts) = match p {
            Pred::Cmp(cmp, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                return Some(self.add(Operator::Compare(*cmp), a, b));
            }
            Pred::And(parts) => (Operator::And, parts),
            Pred::Or(parts) => (Operator::Or, parts),
            // Steps of nests have no quantifiers.
            Pred::Const(_) | Pred::All(..) => return None,
        };
        let (first, rest) = parts.split_first()?;
        let mut all = self.pred(first)?;
        for part in rest {
            let part = self.pred(part)?;
            all = self.add(operator, all, part);
        }
        Some(all)
    }
}
