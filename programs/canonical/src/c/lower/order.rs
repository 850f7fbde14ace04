//! Records expressions whose order of evaluation C does not specify.

use lang_c::span::Span;

use super::Lowerer;
use crate::model::{
    Action, Expr, ExprKind, Lvalue, LvalueBase, Operand, Projection, Storage, Unsequenced,
};
use crate::walk;

/// The maximum number of steps of an operand that are recorded. Without it, chains of operators would need quadratic
/// memory.
const MOST: usize = 64;

/// An operand: a range of edges, and additional expressions that are read.
pub(super) type Evaluated = (usize, usize, Vec<Expr>);

impl Lowerer<'_> {
    /// The number of edges so far.
    pub(super) fn edge_count(&self) -> usize {
        self.body.as_ref().map_or(0, |body| body.graph.edges.len())
    }

    /// Records operands if one of them has effects and another one reads or has effects.
    pub(super) fn unsequenced(
        &mut self,
        operands: Vec<Evaluated>,
        store: Option<&Lvalue>,
        span: Span,
    ) {
        let Some(body) = &self.body else { return };
        let edges = &body.graph.edges;
        let in_temporary = |target: &Lvalue| {
            let id = target.whole_variable();
            id.is_some_and(|id| self.program.variable(id).storage == Storage::Temporary)
        };
        let has_effects = |(from, to, _): &Evaluated| {
            edges[*from..*to].iter().any(|edge| match &edge.action {
                Action::Assign { target, .. } => !in_temporary(target),
                Action::Call(_) => true,
                _ => false,
            })
        };
        let reads = |(from, to, values): &Evaluated| from < to || values.iter().any(loads);
        let effects = operands.iter().filter(|o| has_effects(o)).count();
        let others = operands.iter().filter(|o| reads(o)).count();
        if effects == 0 || (others < 2 && store.is_none()) {
            return;
        }
        let operands = operands
            .into_iter()
            .map(|(from, to, values)| {
                let steps = edges[from..to].iter().map(|edge| &edge.action);
                let actions = steps.filter(|a| **a != Action::Nothing).take(MOST).cloned();
                Operand { actions: actions.collect(), values, complete: to - from <= MOST }
            })
            .collect();
        let (function, place) = (body.function, self.place(span));
        let store = store.cloned();
        self.program.unsequenced.push(Unsequenced { function, place, operands, store });
    }
}

/// Returns true if an expression reads memory.
fn loads(value: &Expr) -> bool {
    let mut found = false;
    walk::expressions(value, &mut |e| found |= matches!(e.kind, ExprKind::Load(_)));
    found
}

/// The expressions that are read to find an lvalue.
pub(super) fn inside(lvalue: &Lvalue) -> Vec<Expr> {
    let mut out = Vec::new();
    if let LvalueBase::Deref(pointer) = &lvalue.base {
        out.push((**pointer).clone());
    }
    out.extend(lvalue.path.iter().filter_map(|step| match step {
        Projection::Index(index) => Some(index.clone()),
        Projection::Field(..) => None,
    }));
    out
}
