//! Finds functions of a client that external code may call.

use std::collections::{BTreeSet, HashSet};

use canonical::points_to::is_known;
use canonical::walk::expressions;
use canonical::{
    Action, Call, Callee, Expr, ExprKind, FunctionId, Initial, Lvalue, LvalueBase, Program,
    Storage, VariableId,
};

use super::exits::REGISTERS;
use super::unfollowed::{Reason, Unfollowed};
use crate::suite::CFunction;

/// Returns the functions that may call the library and that external code may call. Their address is an argument of an
/// external call, or in a variable that is such an argument, that one points to, or that other files can see. Or other
/// files can see the functions themselves. `main` is the function in which the client begins.
pub(super) fn callbacks(
    program: &Program,
    library: &[CFunction],
    main: FunctionId,
) -> Vec<Unfollowed> {
    let absent = absent_calls(program, library);
    let Some((first, _, _)) = absent.first() else { return Vec::new() };
    let mut out: Vec<Unfollowed> = Vec::new();
    let mut add = |function: &FunctionId, reason: Reason, from: &str, place: &str| {
        let name = program.function(*function).name.clone();
        let is_new = out.iter().all(|c| c.name != name);
        if is_new && reaches(program, library, *function) {
            let (given_to, place) = (from.to_owned(), place.to_owned());
            out.push(Unfollowed { name, given_to, place, reason });
        }
    };
    for (name, place, call) in &absent {
        let mut found = Mentions::default();
        call.arguments.iter().for_each(|argument| found.add(argument));
        let found = found.all(program);
        found.functions.iter().for_each(|f| add(f, Reason::Given, name, place));
    }
    let mut seen = Mentions::default();
    let is_seen = |v: &VariableId| program.variable(*v).storage == Storage::Global;
    seen.variables.extend((0..program.variables.len()).map(VariableId::new).filter(is_seen));
    seen.all(program).functions.iter().for_each(|f| add(f, Reason::Given, first, &absent[0].1));
    for (id, function, _) in program.defined() {
        if !function.internal && id != main {
            add(&id, Reason::Visible, first, &absent[0].1);
        }
    }
    out
}

/// Returns the external calls, each with the name and the place.
fn absent_calls<'p>(
    program: &'p Program,
    library: &[CFunction],
) -> Vec<(String, String, &'p Call)> {
    let mut out = Vec::new();
    for (_, _, graph) in program.defined() {
        for edge in &graph.edges {
            let Action::Call(call) = &edge.action else { continue };
            let place = edge.place.map(|p| program.at(p)).unwrap_or_default();
            let is_absent = |f: &FunctionId| {
                let f = program.function(*f);
                let is_library = library.iter().any(|l| l.name == f.name);
                let is_followed = REGISTERS.contains(&f.name.as_str());
                f.body.is_none() && !is_library && !is_followed && !is_known(&f.name)
            };
            if let Some(f) = call.callee.targets().iter().find(|f| is_absent(f)) {
                out.push((program.function(*f).name.clone(), place, call));
            } else if let Callee::Pointer { pointer, complete: false, .. } = &call.callee {
                out.push((program.expr(pointer), place, call));
            }
        }
    }
    out
}

/// Functions and variables that some expressions name.
#[derive(Debug, Default)]
struct Mentions {
    functions: BTreeSet<FunctionId>,
    variables: HashSet<VariableId>,
}

impl Mentions {
    fn add(&mut self, expr: &Expr) {
        expressions(expr, &mut |e| match &e.kind {
            ExprKind::Function(f) => {
                self.functions.insert(*f);
            }
            ExprKind::Load(lvalue) | ExprKind::AddressOf(lvalue) => {
                if let LvalueBase::Variable(v) = lvalue.base {
                    self.variables.insert(v);
                }
            }
            _ => {}
        });
    }

    /// The variables on the way to an lvalue.
    fn of(lvalue: &Lvalue) -> Self {
        let mut out = Self::default();
        match &lvalue.base {
            LvalueBase::Variable(v) => {
                out.variables.insert(*v);
            }
            LvalueBase::Deref(pointer) => out.add(pointer),
        }
        out
    }

    /// Adds everything that is stored in the variables or in the objects to which they may point.
    fn all(mut self, program: &Program) -> Self {
        loop {
            let before = (self.functions.len(), self.variables.len());
            for (target, value) in stores(program) {
                let mut stored = Self::default();
                stored.add(value);
                let holds_pointers = !stored.functions.is_empty() || !stored.variables.is_empty();
                if !holds_pointers {
                    continue;
                }
                let meets = |m: &Self| m.variables.iter().any(|v| self.variables.contains(v));
                // After a pointer is copied, its target can be reached through both pointers.
                let is_pointer = value.ty.element().is_some();
                if meets(&target) || (is_pointer && meets(&stored)) {
                    self.functions.extend(stored.functions);
                    self.variables.extend(stored.variables.into_iter().chain(target.variables));
                }
            }
            if (self.functions.len(), self.variables.len()) == before {
                return self;
            }
        }
    }
}

/// Returns all stores: the place and the value.
fn stores(program: &Program) -> Vec<(Mentions, &Expr)> {
    let mut out = Vec::new();
    for (k, variable) in program.variables.iter().enumerate() {
        if let Initial::Values(list) = &variable.initial {
            let id = VariableId::new(k);
            let target = || Mentions { variables: HashSet::from([id]), ..Mentions::default() };
            out.extend(list.iter().map(|(_, value)| (target(), value)));
        }
    }
    for (_, _, graph) in program.defined() {
        for edge in &graph.edges {
            match &edge.action {
                Action::Assign { target, value } => out.push((Mentions::of(target), value)),
                Action::Call(call) => {
                    for target in call.callee.targets() {
                        let parameters = &program.function(*target).parameters;
                        for (parameter, value) in parameters.iter().zip(&call.arguments) {
                            let variables = HashSet::from([*parameter]);
                            out.push((Mentions { variables, ..Mentions::default() }, value));
                        }
                    }
                }
                _ => {}
            }
        }
    }
    out
}

/// Returns true if a function may call the library, directly or through others.
pub(super) fn reaches(program: &Program, library: &[CFunction], function: FunctionId) -> bool {
    let mut seen = HashSet::from([function]);
    let mut open = vec![function];
    while let Some(f) = open.pop() {
        let f = program.function(f);
        if library.iter().any(|l| l.name == f.name) {
            return true;
        }
        let Some(graph) = &f.body else { continue };
        for (_, call) in graph.calls() {
            if matches!(call.callee, Callee::Pointer { complete: false, .. }) {
                return true;
            }
            open.extend(call.callee.targets().iter().filter(|t| seen.insert(**t)));
        }
    }
    false
}
