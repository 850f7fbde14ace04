//! Expressions as polynomials over atoms: the normal form in which they are compared and solved.

use std::cmp::Ordering;

use super::id::FieldId;
use super::source::Span;
use super::syntax::{Expr, Op, Ref, Side, VarId};

/// An unknown of polynomials.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// A loop variable.
    Var(VarId),
    /// A scalar or an element of an array.
    Ref(Side, FieldId, Vec<Poly>),
    /// An operator that is not polynomial, with its operands.
    Op(Op, Box<Poly>, Box<Poly>),
}

/// A product of atoms, sorted; empty for 1.
pub type Monomial = Vec<Atom>;

/// A sum of monomials with integer coefficients, none of them 0. Equal polynomials are
/// structurally equal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Poly {
    /// The terms, in the order of the monomials. There are few, so an array is faster than a tree.
    terms: Vec<(Monomial, i128)>,
}

impl Poly {
    /// A numeral.
    pub fn int(n: i128) -> Self {
        Self::term(Vec::new(), n)
    }

    /// An atom.
    pub fn atom(atom: Atom) -> Self {
        Self::term(vec![atom], 1)
    }

    /// A monomial with its coefficient.
    pub fn term(monomial: Monomial, coefficient: i128) -> Self {
        let terms = if coefficient == 0 { Vec::new() } else { vec![(monomial, coefficient)] };
        Self { terms }
    }

    /// The normal form of `e`. Arithmetic that overflows 128 bits saturates; such a value fits no type of the language,
    /// and evaluation reports it.
    pub fn of(e: &Expr) -> Self {
        match e {
            Expr::Int(n) => Self::int(*n),
            Expr::Var(v) => Self::atom(Atom::Var(*v)),
            Expr::Ref(r) => Self::atom(Self::ref_atom(r)),
            Expr::Bin(op, a, b) => Self::apply(*op, Self::of(a), Self::of(b)),
        }
    }

    /// The atom of a reference.
    pub fn ref_atom(r: &Ref) -> Atom {
        Atom::Ref(r.side, r.field, r.index.iter().map(Self::of).collect())
    }

    /// `op(a, b)`
    pub fn apply(op: Op, a: Poly, b: Poly) -> Self {
        match op {
            Op::Add => a.plus(b, 1),
            Op::Sub => a.plus(b, -1),
            Op::Mul => a.mul(&b),
            _ => Self::operator(op, a, b),
        }
    }

    fn operator(op: Op, a: Poly, b: Poly) -> Self {
        match (op, a.as_int(), b.as_int()) {
            (Op::Min, Some(a), Some(b)) => Self::int(a.min(b)),
            (Op::Max, Some(a), Some(b)) => Self::int(a.max(b)),
            (Op::Min | Op::Max, _, _) if a == b || b.absorbs(op, &a) => a,
            (Op::Min | Op::Max, _, _) if a.absorbs(op, &b) => b,
            // Sorted, so that min(a, b) is min(b, a).
            (Op::Min | Op::Max, _, _) if b < a => {
                Self::atom(Atom::Op(op, Box::new(b), Box::new(a)))
            }
            (Op::Div | Op::DivCeil, _, Some(1)) => a,
            (Op::Rem, _, Some(1)) => Self::int(0),
            (Op::Div, Some(a), Some(b)) if b > 0 => Self::int(a.div_euclid(b)),
            (Op::Rem, Some(a), Some(b)) if b > 0 => Self::int(a.rem_euclid(b)),
            (Op::DivCeil, Some(a), Some(b)) if b > 0 => Self::int(-(-a).div_euclid(b)),
            _ => Self::atom(Atom::Op(op, Box::new(a), Box::new(b))),
        }
    }

    /// Returns true if `op` is the minimum and this is `max(other, ..)`, or vice versa. Then `op` of both is `other`
    /// (the absorption laws).
    fn absorbs(&self, op: Op, other: &Poly) -> bool {
        let dual = if op == Op::Min { Op::Max } else { Op::Min };
        match self.as_atom() {
            Some(Atom::Op(own, a, b)) => *own == dual && (**a == *other || **b == *other),
            _ => false,
        }
    }

    /// Adds a term.
    fn insert(&mut self, monomial: Monomial, coefficient: i128) {
        match self.terms.binary_search_by(|(m, _)| m.cmp(&monomial)) {
            Err(at) if coefficient != 0 => self.terms.insert(at, (monomial, coefficient)),
            Err(_) => {}
            Ok(at) => {
                let sum = self.terms[at].1.saturating_add(coefficient);
                self.terms[at].1 = sum;
                if sum == 0 {
                    self.terms.remove(at);
                }
            }
        }
    }

    /// The sum with `factor * other`.
    fn plus(mut self, other: Poly, factor: i128) -> Poly {
        if let [_, _, ..] = other.terms[..] {
            return self.merged(other, factor);
        }
        for (monomial, coefficient) in other.terms {
            self.insert(monomial, coefficient.saturating_mul(factor));
        }
        self
    }

    /// As `plus`, in one pass over both.
    fn merged(self, other: Poly, factor: i128) -> Poly {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut others = other.terms.into_iter().peekable();
        for (monomial, coefficient) in self.terms {
            let mut sum = coefficient;
            while let Some((next, _)) = others.peek() {
                let order = next.cmp(&monomial);
                if order == Ordering::Greater {
                    break;
                }
                let Some((next, c)) = others.next() else { break };
                match order {
                    Ordering::Equal => sum = sum.saturating_add(c.saturating_mul(factor)),
                    _ => terms.push((next, c.saturating_mul(factor))),
                }
            }
            terms.push((monomial, sum));
        }
        terms.extend(others.map(|(monomial, c)| (monomial, c.saturating_mul(factor))));
        terms.retain(|(_, c)| *c != 0);
        Poly { terms }
    }

    /// The sum.
    #[must_use]
    pub fn add(&self, other: &Poly) -> Poly {
        self.clone().plus(other.clone(), 1)
    }

    /// The difference.
    #[must_use]
    pub fn sub(&self, other: &Poly) -> Poly {
        self.clone().plus(other.clone(), -1)
    }

    /// Multiplies every coefficient by `factor`.
    #[must_use]
    pub fn scale(&self, factor: i128) -> Poly {
        if factor == 0 {
            return Poly::default();
        }
        let scaled = |(m, c): &(Monomial, i128)| (m.clone(), c.saturating_mul(factor));
        Poly { terms: self.terms.iter().map(scaled).collect() }
    }

    /// The product.
    #[must_use]
    pub fn mul(&self, other: &Poly) -> Poly {
        match (self.as_int(), other.as_int()) {
            (Some(factor), _) => return other.scale(factor),
            (_, Some(factor)) => return self.scale(factor),
            (None, None) => {}
        }
        let mut product = Poly::default();
        for (m, c) in &self.terms {
            for (n, d) in &other.terms {
                let mut monomial: Monomial = m.iter().chain(n).cloned().collect();
                monomial.sort();
                product.insert(monomial, c.saturating_mul(*d));
            }
        }
        product
    }

    /// Returns its value if it is a numeral.
    pub fn as_int(&self) -> Option<i128> {
        match &self.terms[..] {
            [] => Some(0),
            [(m, c)] if m.is_empty() => Some(*c),
            _ => None,
        }
    }

    /// Returns the atom if the polynomial is a single atom.
    pub fn as_atom(&self) -> Option<&Atom> {
        match &self.terms[..] {
            [(m, 1)] if m.len() == 1 => m.first(),
            _ => None,
        }
    }

    /// The constant term.
    pub fn constant(&self) -> i128 {
        // The empty monomial sorts before all others.
        self.terms.first().filter(|(m, _)| m.is_empty()).map_or(0, |(_, c)| *c)
    }

    /// The terms: monomial and coefficient.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, i128)> {
        self.terms.iter().map(|(m, c)| (m, *c))
    }

    /// Returns true if `found` is true for an atom in it, at any depth.
    pub fn any_atom(&self, found: &mut dyn FnMut(&Atom) -> bool) -> bool {
        self.terms.iter().flat_map(|(m, _)| m).any(|atom| {
            found(atom)
                || match atom {
                    Atom::Var(_) => false,
                    Atom::Ref(_, _, index) => index.iter().any(|p| p.any_atom(found)),
                    Atom::Op(_, a, b) => a.any_atom(found) || b.any_atom(found),
                }
        })
    }

    /// Returns true if `atom` occurs in it, however deep.
    pub fn mentions(&self, atom: &Atom) -> bool {
        self.any_atom(&mut |a| a == atom)
    }

    /// Splits `self` into `coefficient * atom + rest`, where neither part mentions the atom; `None` if it is not linear
    /// in the atom.
    pub fn linear_in(&self, atom: &Atom) -> Option<(Poly, Poly)> {
        let (mut coefficient, mut rest) = (Poly::default(), Poly::default());
        for (monomial, c) in &self.terms {
            match monomial.iter().position(|a| a == atom) {
                Some(at) => {
                    let mut others = monomial.clone();
                    others.remove(at);
                    coefficient.insert(others, *c);
                }
                None => rest.insert(monomial.clone(), *c),
            }
        }
        (!coefficient.mentions(atom) && !rest.mentions(atom)).then_some((coefficient, rest))
    }

    /// Replaces every occurrence of `atom`, however deep.
    #[must_use]
    pub fn replace(&self, atom: &Atom, by: &Poly) -> Poly {
        let mut out = Poly::default();
        for (monomial, c) in &self.terms {
            let mut product = Poly::int(*c);
            for factor in monomial {
                let factor = match factor {
                    a if a == atom => by.clone(),
                    Atom::Var(_) => Poly::atom(factor.clone()),
                    Atom::Ref(side, field, index) => Poly::atom(Atom::Ref(
                        *side,
                        *field,
                        index.iter().map(|p| p.replace(atom, by)).collect(),
                    )),
                    Atom::Op(op, a, b) => {
                        Poly::operator(*op, a.replace(atom, by), b.replace(atom, by))
                    }
                };
                product = product.mul(&factor);
            }
            out = out.plus(product, 1);
        }
        out
    }

    /// Converts it to an expression: positive terms first, then negative ones, each by falling degree, and the constant
    /// last.
    pub fn to_expr(&self) -> Expr {
        let mut terms: Vec<_> = self.terms.iter().map(|(m, c)| (m, c)).collect();
        terms.sort_by_key(|(m, c)| (m.is_empty(), **c < 0, std::cmp::Reverse(m.len())));
        let mut sum: Option<Expr> = None;
        for (monomial, c) in terms {
            let factors = monomial.iter().map(atom_expr);
            let product = |first: Option<Expr>| {
                first
                    .into_iter()
                    .chain(factors)
                    .reduce(|a, b| Expr::bin(Op::Mul, a, b))
                    .unwrap_or(Expr::Int(1))
            };
            let size = c.saturating_abs();
            let positive = product((size != 1 || monomial.is_empty()).then_some(Expr::Int(size)));
            sum = Some(match sum {
                None if *c < 0 && monomial.is_empty() => Expr::Int(*c),
                None if *c < 0 => Expr::bin(Op::Sub, Expr::Int(0), positive),
                None => positive,
                Some(sum) if *c < 0 => Expr::bin(Op::Sub, sum, positive),
                Some(sum) => Expr::bin(Op::Add, sum, positive),
            });
        }
        sum.unwrap_or(Expr::Int(0))
    }
}

fn atom_expr(atom: &Atom) -> Expr {
    match atom {
        Atom::Var(v) => Expr::Var(*v),
        Atom::Ref(side, field, index) => Expr::Ref(Ref {
            side: *side,
            field: *field,
            index: index.iter().map(Poly::to_expr).collect(),
            span: Span::default(),
        }),
        Atom::Op(op, a, b) => Expr::bin(*op, a.to_expr(), b.to_expr()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn var(k: usize) -> Expr {
        Expr::Var(VarId(k))
    }

    fn add(a: Expr, b: Expr) -> Expr {
        Expr::bin(Op::Add, a, b)
    }

    fn mul(a: Expr, b: Expr) -> Expr {
        Expr::bin(Op::Mul, a, b)
    }

    #[test]
    fn equal_polynomials_are_structurally_equal() {
        let left = mul(add(var(0), Expr::Int(1)), add(var(0), Expr::Int(-1)));
        let right = add(mul(var(0), var(0)), Expr::Int(-1));
        assert_eq!(Poly::of(&left), Poly::of(&right));
        let min = |a, b| Expr::bin(Op::Min, a, b);
        assert_eq!(Poly::of(&min(var(0), var(1))), Poly::of(&min(var(1), var(0))));
    }

    #[test]
    fn absorbed_operands_are_dropped() {
        let min = |a, b| Expr::bin(Op::Min, a, b);
        let max = |a, b| Expr::bin(Op::Max, a, b);
        let inner = max(var(1), var(0));
        for e in [min(var(0), inner.clone()), min(inner, var(0)), max(min(var(0), var(1)), var(0))]
        {
            assert_eq!(Poly::of(&e), Poly::of(&var(0)), "{e:?}");
        }
        let kept = min(var(0), max(var(1), var(2)));
        assert_ne!(Poly::of(&kept), Poly::of(&var(0)));
    }

    #[test]
    fn linear_split_takes_symbolic_coefficients() {
        let e = add(mul(var(0), var(1)), add(mul(Expr::Int(3), var(1)), var(2)));
        let (c, rest) = Poly::of(&e).linear_in(&Atom::Var(VarId(1))).unwrap();
        assert_eq!(c, Poly::of(&add(var(0), Expr::Int(3))));
        assert_eq!(rest, Poly::of(&var(2)));
        let square = Poly::of(&mul(var(1), var(1)));
        assert_eq!(square.linear_in(&Atom::Var(VarId(1))), None);
    }

    #[test]
    fn expressions_survive_the_normal_form() {
        let e = add(mul(var(0), var(1)), add(mul(Expr::Int(-3), var(1)), Expr::Int(-7)));
        assert_eq!(Poly::of(&Poly::of(&e).to_expr()), Poly::of(&e));
    }
}
