//! Differences of inputs that the canonical value determines: after `y.len[r] = x.place[r + 1] - x.place[r];`, the
//! bound `x.place[r + 1] - x.place[r]` is `y.len[r]`, and known before the places are.

use crate::program::poly::Monomial;
use crate::program::{Atom, Expr, FieldId, Poly, Program, Side, Stmt, StmtKind, VarId};

/// An output that is a combination of inputs, in all iterations of the loops around it.
#[derive(Debug)]
struct Equation {
    /// The loop variables that index the output.
    vars: Vec<VarId>,
    /// The output.
    output: Atom,
    /// The inputs.
    value: Poly,
}

/// The equations of a program.
#[derive(Debug)]
pub struct Equations(Vec<Equation>);

impl Equations {
    /// Collects the assignments outside of branches.
    pub fn of(program: &Program) -> Self {
        let mut found = Vec::new();
        collect(&program.body, &mut found);
        Self(found)
    }

    /// Returns `p` with outputs in place of the elements of inputs; `None` if no equation has them.
    pub fn known(&self, p: &Poly) -> Option<Poly> {
        let mut found = p.clone();
        for equation in &self.0 {
            let Some((field, _)) = equation.first() else { continue };
            let picked = |m: &Monomial| match &m[..] {
                [Atom::Ref(Side::Input, f, index)] if *f == field => Some(index.clone()),
                _ => None,
            };
            for index in p.terms().filter_map(|(m, _)| picked(m)).collect::<Vec<_>>() {
                let Some((value, output)) = equation.at(&index) else { continue };
                for sign in [1, -1] {
                    let other = found.sub(&value.scale(sign)).add(&output.scale(sign));
                    if elements(&other) < elements(&found) {
                        found = other;
                    }
                }
            }
        }
        (elements(&found) == 0).then_some(found)
    }
}

/// Returns the number of terms with elements of inputs.
fn elements(p: &Poly) -> usize {
    p.terms().filter(|(m, _)| m.iter().any(is_element)).count()
}

fn is_element(atom: &Atom) -> bool {
    matches!(atom, Atom::Ref(Side::Input, _, index) if !index.is_empty())
}

fn collect(body: &[Stmt], found: &mut Vec<Equation>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::For { body, .. } => collect(body, found),
            StmtKind::Assign { target, value } => {
                let value = Poly::of(value);
                let var = |e: &Expr| match e {
                    Expr::Var(v) => Some(*v),
                    _ => None,
                };
                let vars: Option<Vec<VarId>> = target.index.iter().map(var).collect();
                if let Some(vars) = vars
                    && elements(&value) >= 2
                {
                    found.push(Equation { vars, output: Poly::ref_atom(target), value });
                }
            }
            _ => {}
        }
    }
}

impl Equation {
    /// Returns the value and the output for an iteration whose value contains the element `index` of the first input's
    /// array.
    fn at(&self, index: &[Poly]) -> Option<(Poly, Poly)> {
        let (_, own) = self.first()?;
        let (mut value, mut output) = (self.value.clone(), Poly::atom(self.output.clone()));
        for var in &self.vars {
            let atom = Atom::Var(*var);
            let by = own.iter().zip(index).find_map(|(own, index)| {
                let (coefficient, rest) = own.linear_in(&atom)?;
                (coefficient.as_int() == Some(1) && rest.as_int().is_some())
                    .then(|| index.sub(&rest))
            })?;
            value = value.replace(&atom, &by);
            output = output.replace(&atom, &by);
        }
        Some((value, output))
    }

    /// Returns the first element in the value, as its array and its index.
    fn first(&self) -> Option<(FieldId, &[Poly])> {
        self.value.terms().find_map(|(m, _)| match &m[..] {
            [Atom::Ref(Side::Input, field, index)] if !index.is_empty() => {
                Some((*field, &index[..]))
            }
            _ => None,
        })
    }
}
