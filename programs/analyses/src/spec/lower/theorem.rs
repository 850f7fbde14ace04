//! Theorems about products, quotients, remainders, minima and maxima. They are linear, so that polyhedra can use them.

use canonical::{Binary, Expr as Value, IntType, VariableId};
use inverter::program::print::Show;
use inverter::program::{Atom, Monomial, Op, Poly};

use super::Lower;
use super::emit::{binary, int};

impl Lower<'_> {
    /// States that a sum is not negative, unless its value is too large to be tracked.
    fn not_negative(&mut self, p: &Poly) {
        if self.is_small(p) {
            let value = self.sum(p);
            self.emit.fact(binary(Binary::LessEqual, int(0), value));
        }
    }

    /// States bounds of a product that contains a loop variable: `i * m <= n * m - m` in a loop of `n` iterations, if
    /// `m` is not negative.
    pub(super) fn bounded(&mut self, product: &Monomial) {
        for (k, atom) in product.iter().enumerate() {
            let Atom::Var(var) = atom else { continue };
            let Some(count) = self.count_of(*var).map(Poly::of) else { continue };
            if product[..k].contains(atom) {
                continue;
            }
            let mut others = product.clone();
            others.remove(k);
            let others = Poly::term(others, 1);
            if self.is_positive(&others) {
                let last = count.sub(&Poly::int(1)).mul(&others);
                self.not_negative(&last.sub(&Poly::term(product.clone(), 1)));
            }
        }
    }

    /// Returns the variable of an operator that is not polynomial. A divisor is at least 1 here.
    pub(super) fn operator(&mut self, op: Op, a: &Poly, b: &Poly) -> VariableId {
        let atom = Atom::Op(op, Box::new(a.clone()), Box::new(b.clone()));
        let result = Poly::atom(atom.clone());
        let (x, y) = (self.sum(a), self.sum(b));
        let name = Show(self.spec, &result.to_expr()).to_string();
        let variable = self.temporary(name, IntType::WIDE);
        self.remember(vec![atom], variable);
        match op {
            Op::Min | Op::Max => self.choose(op, variable, x, y),
            Op::Rem if b.as_int().is_some() => {
                let quotient = Poly::apply(Op::Div, a.clone(), b.clone());
                let value = self.sum(&a.sub(&b.mul(&quotient)));
                self.emit.assign(variable, value);
            }
            Op::Rem => {
                let value = self.remainder(a, x, y);
                self.emit.assign(variable, value);
            }
            Op::DivCeil => {
                let value = if self.is_positive(a) {
                    let up = binary(Binary::Add, x, binary(Binary::Subtract, y.clone(), int(1)));
                    binary(Binary::Divide, up, y)
                } else {
                    let minus = binary(Binary::Subtract, int(0), x.clone());
                    let rest = self.remainder(&a.scale(-1), minus, y.clone());
                    binary(Binary::Divide, binary(Binary::Add, x, rest), y)
                };
                self.emit.assign(variable, value);
            }
            _ => {
                let value = if self.is_positive(a) {
                    binary(Binary::Divide, x, y)
                } else {
                    let rest = self.remainder(a, x.clone(), y.clone());
                    binary(Binary::Divide, binary(Binary::Subtract, x, rest), y)
                };
                self.emit.assign(variable, value);
            }
        }
        self.about(op, &result, a, b);
        variable
    }

    /// The remainder of a division by `y`, from 0 to below it.
    fn remainder(&self, a: &Poly, x: Value, y: Value) -> Value {
        let plain = binary(Binary::Remainder, x, y.clone());
        if self.is_positive(a) {
            return plain;
        }
        binary(Binary::Remainder, binary(Binary::Add, plain, y.clone()), y)
    }

    /// Assigns the smaller or the larger of two numbers.
    fn choose(&mut self, op: Op, variable: VariableId, x: Value, y: Value) {
        let less = binary(Binary::LessEqual, x.clone(), y.clone());
        let (yes, no, next) = (self.emit.node(), self.emit.node(), self.emit.node());
        self.emit.branch(&less, yes, no);
        let (first, second) = if op == Op::Min { (x, y) } else { (y, x) };
        for (from, value) in [(yes, first), (no, second)] {
            self.emit.at = from;
            self.emit.assign(variable, value);
            self.emit.go(next);
        }
    }

    /// States theorems about the result of an operator.
    fn about(&mut self, op: Op, result: &Poly, a: &Poly, b: &Poly) {
        let one = Poly::int(1);
        let below = b.sub(&one);
        match op {
            Op::Min => {
                self.not_negative(&a.sub(result));
                self.not_negative(&b.sub(result));
            }
            Op::Max => {
                self.not_negative(&result.sub(a));
                self.not_negative(&result.sub(b));
            }
            Op::Rem => {
                self.not_negative(result);
                self.not_negative(&below.sub(result));
            }
            // b q <= a <= b q + b - 1.
            Op::Div => {
                let rest = a.sub(&b.mul(result));
                self.not_negative(&rest);
                self.not_negative(&below.sub(&rest));
            }
            // a <= b q <= a + b - 1.
            Op::DivCeil => {
                let over = b.mul(result).sub(a);
                self.not_negative(&over);
                self.not_negative(&below.sub(&over));
            }
            _ => {}
        }
    }
}
