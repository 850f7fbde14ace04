//! Lowers numbers. Polynomials become sums of variables.
//!
//! Each product of two or more factors, each element, and each operator that is not polynomial has a variable. The
//! variable is created where the number is first needed, and valid to the end of its block.

use canonical::{Binary, Expr as Value, IntType, VariableId};
use inverter::program::print::Show;
use inverter::program::{Atom, Expr, FieldId, Monomial, Op, Poly, Ref, Side, Stmt, VarId, fold};

use super::Lower;
use super::emit::{binary, int, int_type, unknown};

/// The largest numbers in sums whose values are tracked. Their parts fit 128 bits in any order.
pub(super) const LARGEST: i128 = 1 << 118;
/// The maximum number of terms of a sum.
const TERMS: usize = 64;
/// The maximum number of products with which a block begins.
const PREPARED: usize = 24;

impl Lower<'_> {
    /// The value of an expression, all of whose parts are evaluated.
    pub(super) fn value(&mut self, e: &Expr) -> Value {
        self.evaluate(e);
        self.number(e)
    }

    /// The value of an expression whose parts were evaluated.
    pub(super) fn number(&mut self, e: &Expr) -> Value {
        let e = self.with_outputs(e);
        self.sum(&Poly::of(&e))
    }

    /// Evaluates the parts of an expression in their order: elements are read, divisors are at least 1, nothing
    /// overflows.
    pub(super) fn evaluate(&mut self, e: &Expr) {
        match e {
            Expr::Int(_) | Expr::Var(_) => {}
            Expr::Ref(r) if r.index.is_empty() => {}
            Expr::Ref(r) => self.read(r),
            Expr::Bin(op, a, b) => {
                self.evaluate(a);
                self.evaluate(b);
                let divides = matches!(op, Op::Div | Op::Rem | Op::DivCeil);
                if divides && !matches!(**b, Expr::Int(n) if n >= 1) {
                    let by = self.number(b);
                    self.emit.require(binary(Binary::GreaterEqual, by, int(1)));
                }
                self.fits(*op, a, b);
            }
        }
    }

    fn read(&mut self, r: &Ref) {
        r.index.iter().for_each(|index| self.evaluate(index));
        self.inside(r, r.span);
        let atom = vec![Poly::ref_atom(r)];
        if self.known(&atom).is_none() {
            let name = Show(self.spec, r).to_string();
            let variable = self.temporary(name, int_type(self.spec.field(r).int));
            self.emit.input(variable);
            self.remember(atom, variable);
        }
    }

    pub(super) fn known(&self, monomial: &[Atom]) -> Option<VariableId> {
        self.scopes.iter().rev().find_map(|scope| scope.known.get(monomial)).copied()
    }

    pub(super) fn remember(&mut self, monomial: Monomial, variable: VariableId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.known.insert(monomial, variable);
        }
    }

    /// Remembers the value of an output scalar to the end of the block. Outputs are assigned once.
    pub(super) fn replace_output(&mut self, field: FieldId, value: &Expr) {
        let value = self.with_outputs(value);
        if !self.has_elements(&value)
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.outputs.insert(field, value);
        }
    }

    pub(super) fn has_elements(&self, e: &Expr) -> bool {
        e.mentions(|r| !r.index.is_empty())
    }

    /// Replaces output scalars in an expression by their values, if known.
    pub(super) fn with_outputs(&self, e: &Expr) -> Expr {
        e.substitute(|part| match part {
            Expr::Ref(r) if r.side == Side::Output && r.index.is_empty() => {
                self.scopes.iter().rev().find_map(|scope| scope.outputs.get(&r.field)).cloned()
            }
            _ => None,
        })
    }

    /// Returns true if all partial sums fit 128 bits, in any order and for any inputs.
    pub(super) fn is_small(&self, p: &Poly) -> bool {
        p.terms().count() <= TERMS
            && p.terms().all(|(monomial, factor)| {
                let single = Poly::term(monomial.clone(), 1).to_expr();
                let (least, most) = self.range(&single);
                let largest = least.saturating_abs().max(most.saturating_abs());
                largest.saturating_mul(factor.saturating_abs()) < LARGEST
                    && factor.saturating_abs() < LARGEST
            })
    }

    /// The value of a polynomial; any number if it may be too large to be tracked.
    pub(super) fn sum(&mut self, p: &Poly) -> Value {
        if !self.is_small(p) {
            return unknown();
        }
        let mut sum: Option<Value> = None;
        for (monomial, factor) in p.terms() {
            let term = match monomial.as_slice() {
                [] => int(factor),
                _ => {
                    let variable = self.monomial(monomial);
                    match (self.emit.load(variable), factor) {
                        (value, 1) => value,
                        (value, factor) => binary(Binary::Multiply, int(factor), value),
                    }
                }
            };
            sum = Some(match sum {
                None => term,
                Some(sum) => binary(Binary::Add, sum, term),
            });
        }
        sum.unwrap_or_else(|| int(0))
    }

    /// The variable of a product.
    fn monomial(&mut self, monomial: &Monomial) -> VariableId {
        if let Some(known) = self.known(monomial) {
            return known;
        }
        if let [atom] = monomial.as_slice() {
            return self.atom(atom);
        }
        let factors: Vec<Value> = monomial
            .iter()
            .map(|atom| {
                let variable = self.monomial(&vec![atom.clone()]);
                self.emit.load(variable)
            })
            .collect();
        let product = factors.into_iter().reduce(|a, b| binary(Binary::Multiply, a, b));
        let name = Show(self.spec, &Poly::term(monomial.clone(), 1).to_expr()).to_string();
        let variable = self.temporary(name, IntType::WIDE);
        self.emit.assign(variable, product.unwrap_or_else(|| int(1)));
        self.remember(monomial.clone(), variable);
        self.bounded(monomial);
        variable
    }

    fn atom(&mut self, atom: &Atom) -> VariableId {
        let found = match atom {
            Atom::Var(var) => self.vars.get(var),
            Atom::Ref(Side::Input, field, _) => self.inputs.get(field),
            Atom::Ref(Side::Output, field, _) => self.outputs.get(field),
            Atom::Op(op, a, b) => return self.operator(*op, a, b),
        };
        match found {
            Some(variable) => *variable,
            // An element that was read in another block has any value of its type.
            None => {
                let name = Show(self.spec, &Poly::atom(atom.clone()).to_expr()).to_string();
                let ty = match atom {
                    Atom::Ref(side, field, _) => {
                        int_type(self.spec.record(*side).fields[*field].int)
                    }
                    _ => IntType::WIDE,
                };
                let variable = self.temporary(name, ty);
                let any = Value::unknown(canonical::Type::Int(ty));
                self.emit.assign(variable, any);
                self.remember(vec![atom.clone()], variable);
                variable
            }
        }
    }

    /// Creates the products that can be computed at the beginning of a block, for all of its statements. Products that
    /// are created later are lost at points at which branches meet.
    pub(super) fn prepare(&mut self, body: &[Stmt]) {
        let mut wanted: Vec<Monomial> = Vec::new();
        fold::statements(body, &mut |stmt| {
            stmt.exprs(&mut |e| {
                let mut parts = vec![e];
                e.refs(&mut |r| parts.extend(&r.index));
                for part in parts {
                    let poly = Poly::of(&self.with_outputs(part));
                    for (monomial, _) in poly.terms() {
                        let product = Poly::term(monomial.clone(), 1);
                        if monomial.len() >= 2
                            && wanted.len() < PREPARED
                            && !wanted.contains(monomial)
                            && self.known(monomial).is_none()
                            && self.is_available(&product)
                            && self.is_small(&product)
                        {
                            wanted.push(monomial.clone());
                        }
                    }
                }
            });
        });
        for monomial in wanted {
            self.monomial(&monomial);
        }
    }

    /// Returns true if a polynomial consists of input scalars, loop variables of loops around, and operators that
    /// always have a value.
    fn is_available(&self, p: &Poly) -> bool {
        !p.any_atom(&mut |atom| match atom {
            Atom::Var(var) => !self.vars.contains_key(var),
            Atom::Ref(side, _, index) => *side == Side::Output || !index.is_empty(),
            Atom::Op(Op::Div | Op::Rem | Op::DivCeil, _, by) => by.as_int().is_none_or(|by| by < 1),
            Atom::Op(..) => false,
        })
    }

    /// The number of iterations of the loop of a variable.
    pub(super) fn count_of(&self, var: VarId) -> Option<&Expr> {
        self.loops.iter().rev().find(|level| level.var == var).map(|level| &level.count)
    }

    /// Returns true if an expression is at least 0, by types.
    pub(super) fn is_positive(&self, p: &Poly) -> bool {
        self.range(&p.to_expr()).0 >= 0
    }
}
