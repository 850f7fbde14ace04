//! Functions of the program that external code may call because it may obtain their addresses.

use std::collections::BTreeSet;

use canonical::{
    Action, CompositeId, Expr, ExprKind, Function, FunctionId, Initial, Lvalue, LvalueBase, Place,
    Program, Storage, Type, VariableId, walk,
};

/// A function whose address occurs in an expression, and which has a body or whose call may be a failure.
pub fn taken<'p>(program: &'p Program, expr: &Expr) -> Option<&'p Function> {
    let mut found = None;
    walk::expressions(expr, &mut |inner| {
        if let ExprKind::Function(id) = inner.kind
            && (program.function(id).body.is_some() || fails(program.function(id)))
        {
            found = found.or(Some(program.function(id)));
        }
    });
    found
}

/// The ways in which external code may obtain functions of a program.
#[derive(Debug, Clone, Default)]
pub struct Ways {
    /// A function whose address the program takes.
    function: Option<String>,
    /// A variable with external linkage that the program uses and that may lead to a function.
    holder: Option<String>,
    /// True if the program converts addresses to numbers, so that numbers may lead to a function as well.
    numbers: bool,
}

impl Ways {
    /// The ways of a program.
    pub fn new(program: &Program) -> Self {
        let Some(function) = any_taken(program) else { return Self::default() };
        let used = used(program);
        let numbers = makes_numbers(program);
        let holder = program.variables.iter().enumerate().find(|(k, variable)| {
            variable.storage == Storage::Global
                && used.contains(&VariableId::new(*k))
                && may_hold(program, &variable.ty, numbers, &mut BTreeSet::new())
        });
        let holder = holder.map(|(_, variable)| variable.name.clone());
        Self { function: Some(function.name.clone()), holder, numbers }
    }

    /// Returns the reason why external code that is called with these arguments may call a function of the program, if
    /// there is one.
    pub fn reason(&self, program: &Program, arguments: &[Expr]) -> Option<String> {
        let name = self.function.as_ref()?;
        let leads = match &self.holder {
            Some(holder) => format!("`{holder}`"),
            None => {
                let holds = |ty| may_hold(program, ty, self.numbers, &mut BTreeSet::new());
                arguments.iter().find(|argument| holds(&uncast(argument).ty))?;
                "an argument".to_owned()
            }
        };
        Some(format!("a function that is not there may call `{name}`, to which {leads} may lead"))
    }
}

/// A function with a body whose address the program takes.
fn any_taken(program: &Program) -> Option<&Function> {
    let mut found = None;
    walk::program(program, &mut |expr| found = found.or_else(|| taken(program, expr)));
    found
}

/// The pointer before it was converted to one of another type.
fn uncast(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) if matches!(inner.ty, Type::Pointer(_)) => uncast(inner),
        _ => expr,
    }
}

/// Returns true if the program converts addresses to numbers.
fn makes_numbers(program: &Program) -> bool {
    let mut found = false;
    walk::program(program, &mut |expr| {
        found |= matches!((&expr.kind, &expr.ty), (ExprKind::Cast(inner), Type::Int(int))
            if matches!(inner.ty, Type::Pointer(_)) && int.bits() == 64);
    });
    found
}

/// Returns true if a value may be the address of a function or may lead to one; `numbers` states whether numbers may.
fn may_hold(program: &Program, ty: &Type, numbers: bool, seen: &mut BTreeSet<CompositeId>) -> bool {
    match ty {
        Type::Int(int) => numbers && int.bits() == 64,
        Type::Float(_) => false,
        // The target of a void pointer is unknown.
        Type::Void | Type::Function(_) => true,
        Type::Pointer(inner) | Type::Array(inner, _) => may_hold(program, inner, numbers, seen),
        Type::Composite(id) => {
            let composite = program.composite(*id);
            seen.insert(*id)
                && (!composite.complete
                    || composite
                        .fields
                        .iter()
                        .any(|field| may_hold(program, &field.ty, numbers, seen)))
        }
    }
}

/// The variables that the program mentions, or gives an initial value other than zero.
fn used(program: &Program) -> BTreeSet<VariableId> {
    let mut used = BTreeSet::new();
    let base = |lvalue: &Lvalue| match lvalue.base {
        LvalueBase::Variable(id) => Some(id),
        LvalueBase::Deref(_) => None,
    };
    walk::program(program, &mut |expr| {
        if let ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) = &expr.kind {
            used.extend(base(lvalue));
        }
    });
    for variable in &program.variables {
        if let Initial::Values(values) = &variable.initial {
            used.extend(values.iter().filter_map(|(target, _)| base(target)));
        }
    }
    for edge in program.defined().flat_map(|(_, _, graph)| &graph.edges) {
        match &edge.action {
            Action::Assign { target, .. } => used.extend(base(target)),
            Action::Call(call) => used.extend(call.result.as_ref().and_then(base)),
            _ => {}
        }
    }
    used
}

/// Returns true if a call of the function is an assertion.
fn fails(function: &Function) -> bool {
    use super::library::{Kind, kind};
    matches!(kind(function), Kind::Error | Kind::Assert)
}

/// The assertions of a program, reached or not: the function that contains each, and its place.
pub fn assertions(program: &Program) -> Vec<(FunctionId, Option<Place>)> {
    let mut found = Vec::new();
    for (id, function, graph) in program.defined() {
        // The body of an assertion function that the program defines itself does not count.
        if fails(function) || function.name.contains("assert") {
            continue;
        }
        for edge in &graph.edges {
            let Action::Call(call) = &edge.action else { continue };
            let mut called = call.callee.targets().iter().map(|id| program.function(*id));
            if called.any(|to| to.name.contains("assert") || fails(to)) {
                found.push((id, edge.place));
            }
        }
    }
    found
}
