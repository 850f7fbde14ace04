//! Expressions as vectors of diagrams, in two's complement.

use std::cell::Cell;

use biodivine_lib_bdd::{Bdd, BddVariable, op_function};

use super::{Datum, Space, Vector};
use crate::library::{BinaryOp, Expr, Interval, UnaryOp, VarId, interval};
use crate::watch::Watch;

/// Compiles expressions of the scope of a function, or of the globals alone.
pub(crate) struct Compiler<'a> {
    space: &'a Space,
    function: Option<usize>,
    /// The data of the variables. Without data, each variable has the diagram variables of its field.
    data: Option<&'a [Datum]>,
    /// The maximum number of nodes of a diagram.
    most: usize,
    watch: Option<&'a Watch>,
    /// True once a diagram was too large or the time was over. From then on, results are wrong.
    failed: Cell<bool>,
}

impl<'a> Compiler<'a> {
    /// A compiler whose diagrams have at most `most` nodes.
    pub(crate) fn new(space: &'a Space, function: Option<usize>, most: usize) -> Self {
        Self { space, function, data: None, most, watch: None, failed: Cell::new(false) }
    }

    /// Makes the compiler stop after a time limit.
    pub(crate) fn until(self, watch: &'a Watch) -> Self {
        Self { watch: Some(watch), ..self }
    }

    /// Makes the compiler use data for variables.
    pub(crate) fn with(self, data: &'a [Datum]) -> Self {
        Self { data: Some(data), ..self }
    }

    /// Returns true if a diagram was too large or the time was over, so results are wrong.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.get()
    }

    fn limited(&self, a: &Bdd, b: &Bdd, op: fn(Option<bool>, Option<bool>) -> Option<bool>) -> Bdd {
        if self.watch.is_some_and(|watch| watch.in_time().is_err()) {
            self.failed.set(true);
        }
        if self.failed.get() {
            return self.space.nothing();
        }
        Bdd::binary_op_with_limit(self.most, a, b, op).unwrap_or_else(|| {
            self.failed.set(true);
            self.space.nothing()
        })
    }

    fn and(&self, a: &Bdd, b: &Bdd) -> Bdd {
        match (a.as_bool(), b.as_bool()) {
            (Some(false), _) | (_, Some(true)) => return a.clone(),
            (Some(true), _) | (_, Some(false)) => return b.clone(),
            _ => {}
        }
        self.limited(a, b, op_function::and)
    }

    fn or(&self, a: &Bdd, b: &Bdd) -> Bdd {
        match (a.as_bool(), b.as_bool()) {
            (Some(true), _) | (_, Some(false)) => return a.clone(),
            (Some(false), _) | (_, Some(true)) => return b.clone(),
            _ => {}
        }
        self.limited(a, b, op_function::or)
    }

    fn xor(&self, a: &Bdd, b: &Bdd) -> Bdd {
        match (a.as_bool(), b.as_bool()) {
            (Some(false), _) => return b.clone(),
            (_, Some(false)) => return a.clone(),
            (Some(true), _) => return b.not(),
            (_, Some(true)) => return a.not(),
            _ => {}
        }
        self.limited(a, b, op_function::xor)
    }

    fn iff(&self, a: &Bdd, b: &Bdd) -> Bdd {
        self.xor(a, b).not()
    }

    fn and_not(&self, a: &Bdd, b: &Bdd) -> Bdd {
        self.and(a, &b.not())
    }

    fn pick(&self, condition: &Bdd, a: &Bdd, b: &Bdd) -> Bdd {
        self.or(&self.and(condition, a), &self.and_not(b, condition))
    }

    /// The states in which a condition holds, including states out of range.
    pub(crate) fn condition(&self, expr: &Expr) -> Bdd {
        match expr {
            Expr::Int(n) => self.constant(*n != 0),
            Expr::Unary(UnaryOp::Not, a) => self.condition(a).not(),
            Expr::Binary(BinaryOp::And, a, b) => self.and(&self.condition(a), &self.condition(b)),
            Expr::Binary(BinaryOp::Or, a, b) => self.or(&self.condition(a), &self.condition(b)),
            Expr::Binary(BinaryOp::Eq, a, b) => self.equal(&self.value(a), &self.value(b)),
            Expr::Binary(BinaryOp::Ne, a, b) => self.equal(&self.value(a), &self.value(b)).not(),
            Expr::Binary(BinaryOp::Lt, a, b) => self.less(&self.value(a), &self.value(b)),
            Expr::Binary(BinaryOp::Le, a, b) => self.less(&self.value(b), &self.value(a)).not(),
            other => {
                let value = self.value(other);
                value.bits.iter().fold(value.sign.clone(), |all, bit| self.or(&all, bit))
            }
        }
    }

    /// Returns the relation `field' = expr` between current values and the next value of a variable, and the states in
    /// which the value is out of range.
    pub(crate) fn update(&self, v: VarId, expr: &Expr) -> (Bdd, Bdd) {
        let field = self.space.field(self.function, v);
        let value = self.value(expr);
        let next = Vector {
            bits: field.next().map(|v| self.space.variable(v)).collect(),
            sign: match (field.low < 0, field.next().last()) {
                (true, Some(last)) => self.space.variable(last),
                _ => self.space.nothing(),
            },
        };
        let low = self.less(&value, &self.number(field.low));
        let high = self.less(&self.number(field.high), &value);
        let outside = self.or(&low, &high);
        // Start from the most significant bit, so that intermediate results stay small.
        let mut relation = self.space.everything();
        for k in (0..next.width()).rev() {
            relation = self.and(&relation, &self.iff(next.bit(k), value.bit(k)));
        }
        (self.and_not(&relation, &outside), outside)
    }

    /// Returns the current or next states in which a variable is in a range.
    pub(crate) fn within(&self, v: VarId, low: i64, high: i64, next: bool) -> Bdd {
        let field = self.space.field(self.function, v);
        let variables: Vec<_> = if next { field.next().collect() } else { field.now().collect() };
        let bits: Vec<Bdd> = variables.iter().map(|v| self.space.variable(*v)).collect();
        let sign = match field.low < 0 {
            true => bits.last().cloned().unwrap_or_else(|| self.space.nothing()),
            false => self.space.nothing(),
        };
        let value = Vector { bits, sign };
        self.or(&self.less(&value, &self.number(low)), &self.less(&self.number(high), &value)).not()
    }

    fn constant(&self, value: bool) -> Bdd {
        if value { self.space.everything() } else { self.space.nothing() }
    }

    fn number(&self, n: i64) -> Vector {
        let width = Interval::new(n.into(), n.into()).bits();
        Vector {
            bits: (0..width).map(|k| self.constant(n >> k & 1 == 1)).collect(),
            sign: self.constant(n < 0),
        }
    }

    fn bounds(&self, expr: &Expr) -> Interval {
        interval(expr, &|v| {
            let range = self.space.field(self.function, v).range();
            match self.data.map(|data| &data[v.0]) {
                None => range,
                Some(Datum::Number(n)) => Interval::new((*n).into(), (*n).into()),
                Some(Datum::Bits(bits)) => {
                    let all = bits.range();
                    Interval::new(all.low.max(range.low), all.high.min(range.high))
                }
            }
        })
    }

    /// The value of an expression.
    pub(crate) fn datum(&self, expr: &Expr) -> Datum {
        Datum::new(self.value(expr))
    }

    /// The range of an expression.
    pub(crate) fn range(&self, expr: &Expr) -> Interval {
        self.bounds(expr)
    }

    /// The condition that a vector has a given value.
    pub(crate) fn is(&self, vector: &Vector, number: i64) -> Bdd {
        self.equal(vector, &self.number(number))
    }

    /// Returns a vector of diagram variables for values in a range, and the condition that the values are in the range.
    pub(crate) fn free(&self, bits: &[BddVariable], low: i64, high: i64) -> (Datum, Bdd) {
        let bits: Vec<Bdd> = bits.iter().map(|v| self.space.variable(*v)).collect();
        let sign = match (low < 0, bits.last()) {
            (true, Some(last)) => last.clone(),
            _ => self.space.nothing(),
        };
        let value = Vector { bits, sign };
        let below = self.less(&value, &self.number(low));
        let above = self.less(&self.number(high), &value);
        (Datum::new(value), self.or(&below, &above).not())
    }

    fn value(&self, expr: &Expr) -> Vector {
        let value = match expr {
            Expr::Int(n) => return self.number(*n),
            Expr::Var(v) if self.data.is_some() => {
                return match &self.data.unwrap_or_default()[v.0] {
                    Datum::Number(n) => self.number(*n),
                    Datum::Bits(vector) => (**vector).clone(),
                };
            }
            Expr::Var(v) => {
                let field = self.space.field(self.function, *v);
                let bits: Vec<Bdd> = field.now().map(|v| self.space.variable(v)).collect();
                let sign = match field.low < 0 {
                    true => bits.last().cloned().unwrap_or_else(|| self.space.nothing()),
                    false => self.space.nothing(),
                };
                return Vector { bits, sign };
            }
            Expr::Unary(UnaryOp::Neg, a) => self.subtract(&self.number(0), &self.value(a)),
            Expr::Unary(UnaryOp::Complement, a) => {
                let a = self.value(a);
                Vector { bits: a.bits.iter().map(Bdd::not).collect(), sign: a.sign.not() }
            }
            Expr::Unary(UnaryOp::Not, _) => return self.truth(expr),
            Expr::Binary(op, a, b) => match self.arithmetic(*op, a, b) {
                Some(value) => value,
                None => return self.truth(expr),
            },
            Expr::If(parts) => {
                let condition = self.condition(&parts.0);
                self.choose(&condition, &self.value(&parts.1), &self.value(&parts.2))
            }
            Expr::Wrap { bits, signed, of } => {
                let of = self.value(of);
                let bits: Vec<Bdd> = (0..*bits as usize).map(|k| of.bit(k).clone()).collect();
                let sign = match (signed, bits.last()) {
                    (true, Some(last)) => last.clone(),
                    _ => self.space.nothing(),
                };
                Vector { bits, sign }
            }
        };
        self.fit(value, self.bounds(expr))
    }

    /// 1 in the states in which a condition holds, otherwise 0.
    fn truth(&self, expr: &Expr) -> Vector {
        Vector { bits: vec![self.condition(expr)], sign: self.space.nothing() }
    }

    /// An arithmetic operation; `None` for comparisons and connectives.
    fn arithmetic(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Vector> {
        let value = |e| self.value(e);
        Some(match op {
            BinaryOp::Add => self.add(&value(a), &value(b), &self.space.nothing()),
            BinaryOp::Sub => self.subtract(&value(a), &value(b)),
            BinaryOp::Mul => self.multiply(&value(a), &value(b)),
            BinaryOp::Div => self.divide(&value(a), &value(b)).0,
            BinaryOp::Rem => self.divide(&value(a), &value(b)).1,
            BinaryOp::BitAnd => self.bitwise(&value(a), &value(b), Self::and),
            BinaryOp::BitOr => self.bitwise(&value(a), &value(b), Self::or),
            BinaryOp::BitXor => self.bitwise(&value(a), &value(b), Self::xor),
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, a, b),
            _ => return None,
        })
    }

    /// Drops bits that values of a range do not need.
    fn fit(&self, mut value: Vector, range: Interval) -> Vector {
        let width = range.bits() as usize;
        while value.bits.len() < width {
            value.bits.push(value.sign.clone());
        }
        value.bits.truncate(width);
        value.sign = match (range.low < 0, value.bits.last()) {
            (true, Some(last)) => last.clone(),
            _ => self.space.nothing(),
        };
        value
    }

    fn bitwise(&self, a: &Vector, b: &Vector, op: fn(&Self, &Bdd, &Bdd) -> Bdd) -> Vector {
        let width = a.width().max(b.width());
        let bits = (0..width).map(|k| op(self, a.bit(k), b.bit(k))).collect();
        Vector { bits, sign: op(self, &a.sign, &b.sign) }
    }

    fn choose(&self, condition: &Bdd, a: &Vector, b: &Vector) -> Vector {
        let pick = |a: &Bdd, b: &Bdd| self.pick(condition, a, b);
        let width = a.width().max(b.width());
        let bits = (0..width).map(|k| pick(a.bit(k), b.bit(k))).collect();
        Vector { bits, sign: pick(&a.sign, &b.sign) }
    }

    /// `a + b + carry`, exact.
    fn add(&self, a: &Vector, b: &Vector, carry: &Bdd) -> Vector {
        let width = a.width().max(b.width()) + 2;
        let mut carry = carry.clone();
        let mut bits = Vec::with_capacity(width);
        for k in 0..width {
            let (x, y) = (a.bit(k), b.bit(k));
            let odd = self.xor(x, y);
            bits.push(self.xor(&odd, &carry));
            carry = self.or(&self.and(x, y), &self.and(&odd, &carry));
        }
        let sign = bits[width - 1].clone();
        Vector { bits, sign }
    }

    fn subtract(&self, a: &Vector, b: &Vector) -> Vector {
        let not = Vector { bits: b.bits.iter().map(Bdd::not).collect(), sign: b.sign.not() };
        self.add(a, &not, &self.space.everything())
    }

    /// The product, modulo a power of two that exceeds it.
    fn multiply(&self, a: &Vector, b: &Vector) -> Vector {
        let width = a.width() + b.width() + 2;
        let mut sum = self.number(0);
        for k in 0..width {
            let bit = b.bit(k);
            if bit.is_false() {
                continue;
            }
            let mut bits = vec![self.space.nothing(); k];
            bits.extend((0..width - k).map(|j| self.and(a.bit(j), bit)));
            let part = Vector { bits, sign: self.space.nothing() };
            sum = self.add(&sum, &part, &self.space.nothing());
            sum.bits.truncate(width);
            sum.sign = self.space.nothing();
        }
        while sum.bits.len() < width {
            sum.bits.push(self.space.nothing());
        }
        let sign = sum.bits[width - 1].clone();
        Vector { bits: sum.bits, sign }
    }

    /// Returns the quotient and the remainder as in C, or 0 and `a` for a division by zero.
    fn divide(&self, a: &Vector, b: &Vector) -> (Vector, Vector) {
        let zero = self.number(0);
        let magnitude = |v: &Vector| match v.sign.is_false() {
            true => v.clone(),
            false => {
                let mut out = self.choose(&v.sign, &self.subtract(&zero, v), v);
                out.sign = self.space.nothing();
                out
            }
        };
        let (x, y) = (magnitude(a), magnitude(b));
        let is_zero = self.equal(&y, &zero);
        let mut rest = zero.clone();
        let mut quotient = vec![self.space.nothing(); x.width()];
        for k in (0..x.width()).rev() {
            rest.bits.insert(0, x.bit(k).clone());
            let enough = self.less(&rest, &y).not();
            let mut less = self.subtract(&rest, &y);
            less.sign = self.space.nothing();
            rest = self.choose(&enough, &less, &rest);
            // The remainder is less than the divisor, unless the divisor is 0.
            rest.bits.truncate(y.width());
            quotient[k] = self.and_not(&enough, &is_zero);
        }
        let quotient = Vector { bits: quotient, sign: self.space.nothing() };
        let negative = self.xor(&a.sign, &b.sign);
        let signed = |v: &Vector, s: &Bdd| match s.is_false() {
            true => v.clone(),
            false => self.choose(s, &self.subtract(&zero, v), v),
        };
        let rest = self.choose(&is_zero, &x, &rest);
        (signed(&quotient, &negative), signed(&rest, &a.sign))
    }

    /// A shift, with a case for each possible amount.
    fn shift(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Vector {
        let (value, amount, range) = (self.value(a), self.value(b), self.bounds(b));
        let most = if op == BinaryOp::Shl { 31 } else { 63 };
        let mut out = self.number(0);
        for s in range.low.max(0)..=range.high.min(most) {
            let s = s as usize;
            let shifted = match op {
                BinaryOp::Shl => {
                    let mut bits = vec![self.space.nothing(); s];
                    bits.extend(value.bits.iter().cloned());
                    Vector { bits, sign: value.sign.clone() }
                }
                _ => Vector {
                    bits: value.bits.iter().skip(s).cloned().collect(),
                    sign: value.sign.clone(),
                },
            };
            let is = self.equal(&amount, &self.number(s as i64));
            out = self.choose(&is, &shifted, &out);
        }
        out
    }

    fn equal(&self, a: &Vector, b: &Vector) -> Bdd {
        let mut out = self.iff(&a.sign, &b.sign);
        for k in (0..a.width().max(b.width())).rev() {
            out = self.and(&out, &self.iff(a.bit(k), b.bit(k)));
        }
        out
    }

    fn less(&self, a: &Vector, b: &Vector) -> Bdd {
        let mut less = self.space.nothing();
        for k in 0..a.width().max(b.width()) {
            let (x, y) = (a.bit(k), b.bit(k));
            less = self.or(&self.and_not(y, x), &self.and(&self.iff(x, y), &less));
        }
        // A sign bit counts in the opposite direction.
        self.or(&self.and_not(&a.sign, &b.sign), &self.and(&self.iff(&a.sign, &b.sign), &less))
    }
}
