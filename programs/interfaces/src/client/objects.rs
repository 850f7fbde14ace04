//! The objects that a client passes to functions of the library by pointers.
//!
//! The graph is about one object of each type, which is zero at the beginning and which only the library changes.
//! Arguments and variables that may be another one are not followed.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{Action, Expr, ExprKind, Initial, Lvalue, LvalueBase, Program, VariableId, walk};

use super::unfollowed::{Reason, Unfollowed};
use crate::suite::{CFunction, CParameter};

/// Finds arguments that may be objects other than that of the graph, and changes of that object or of variables of
/// other files, which may belong to the library.
pub(super) fn objects(program: &Program, library: &[CFunction]) -> Vec<Unfollowed> {
    let mut found = Found::default();
    for (_, function, graph) in program.defined() {
        if library.iter().any(|own| own.name == function.name) {
            continue;
        }
        for edge in &graph.edges {
            let place = edge.place.map(|place| program.at(place)).unwrap_or_default();
            match &edge.action {
                Action::Call(call) => {
                    let targets = call.callee.targets().iter();
                    let called = targets.map(|target| program.function(*target).name.as_str());
                    let known = called.filter_map(|n| library.iter().find(|own| own.name == n));
                    let mut given = BTreeSet::new();
                    for function in known {
                        for (k, parameter) in function.parameters.iter().enumerate() {
                            let argument = call.arguments.get(k);
                            found.argument(program, parameter, argument, &function.name, &place);
                            given.insert(k);
                        }
                    }
                    for (k, argument) in call.arguments.iter().enumerate() {
                        if !given.contains(&k) || address(argument).is_none() {
                            found.addresses(argument, &place);
                        }
                    }
                    call.result.iter().for_each(|result| found.assigned(result, &place));
                }
                Action::Assign { target, value } => {
                    found.assigned(target, &place);
                    found.addresses(value, &place);
                }
                Action::Guard { .. } | Action::Return(_) | Action::Nothing => {}
            }
        }
    }
    walk::initial(program, &mut |part| {
        if let ExprKind::AddressOf(lvalue) = &part.kind
            && let LvalueBase::Variable(root) = lvalue.base
        {
            found.changed.entry(root).or_default();
        }
    });
    found.all(program)
}

/// Objects and changes that were found.
#[derive(Default)]
struct Found {
    /// The variables that are passed as each object, with the first function and place.
    given: BTreeMap<usize, BTreeMap<VariableId, (String, String)>>,
    /// The variables that the client changes, or whose address it keeps, with the first place.
    changed: BTreeMap<VariableId, String>,
    out: Vec<Unfollowed>,
}

impl Found {
    /// Looks at an argument for a parameter.
    fn argument(
        &mut self,
        program: &Program,
        parameter: &CParameter,
        argument: Option<&Expr>,
        function: &str,
        place: &str,
    ) {
        let root = argument.and_then(address);
        match parameter {
            CParameter::Value(_) | CParameter::Zero => {}
            CParameter::Object(k) => match root {
                Some((root, true)) => {
                    let at = (function.to_owned(), place.to_owned());
                    self.given.entry(*k).or_default().entry(root).or_insert(at);
                }
                _ => self.add(function, place),
            },
            CParameter::Buffer => {
                let is_text =
                    argument.is_some_and(|a| matches!(a.below_casts().kind, ExprKind::String(_)));
                let is_own = root.is_some_and(|(root, _)| {
                    !matches!(program.variable(root).initial, Initial::Unknown)
                });
                if !is_text && !is_own {
                    self.add(function, place);
                }
            }
        }
    }

    fn add(&mut self, name: &str, place: &str) {
        let reason = Reason::Object;
        let (name, given_to, place) = (name.to_owned(), String::new(), place.to_owned());
        if self.out.iter().all(|known| known.name != name) {
            self.out.push(Unfollowed { name, given_to, place, reason });
        }
    }

    fn assigned(&mut self, target: &Lvalue, place: &str) {
        if let LvalueBase::Variable(root) = target.base {
            self.changed.entry(root).or_insert_with(|| place.to_owned());
        }
    }

    /// Records the variables whose address an expression contains, because they may be changed through it.
    fn addresses(&mut self, expr: &Expr, place: &str) {
        walk::expressions(expr, &mut |part| {
            if let ExprKind::AddressOf(lvalue) = &part.kind {
                self.assigned(lvalue, place);
            }
        });
    }

    fn all(mut self, program: &Program) -> Vec<Unfollowed> {
        for variables in std::mem::take(&mut self.given).into_values() {
            let several = variables.len() > 1;
            for (root, (function, place)) in variables {
                let is_zero = match &program.variable(root).initial {
                    Initial::Values(values) => {
                        values.iter().all(|(_, value)| value.constant() == Some(0))
                    }
                    Initial::None | Initial::Unknown => false,
                };
                if several || !is_zero || self.changed.contains_key(&root) {
                    self.add(&function, &place);
                }
            }
        }
        for (root, place) in std::mem::take(&mut self.changed) {
            let variable = program.variable(root);
            if matches!(variable.initial, Initial::Unknown) {
                let (name, given_to) = (variable.name.clone(), String::new());
                self.out.push(Unfollowed { name, given_to, place, reason: Reason::Elsewhere });
            }
        }
        self.out
    }
}

/// Returns the variable whose address an expression is, and true if it is the address of the whole variable.
fn address(expr: &Expr) -> Option<(VariableId, bool)> {
    let ExprKind::AddressOf(lvalue) = &expr.below_casts().kind else { return None };
    match lvalue.base {
        LvalueBase::Variable(root) => Some((root, lvalue.path.is_empty())),
        LvalueBase::Deref(_) => None,
    }
}
