//! Inlines calls of functions that have a body.

use std::collections::HashSet;
use std::rc::Rc;

use canonical::{Call, Callee, FunctionId, Place as CPlace, Type};

use super::expr::Reader;
use super::memory::{Binding, Bindings, declare, range};
use super::scope::Scope;
use super::state::{Lowering, Return};
use crate::library::{Expr, Problem, Update, VarId};

impl<'p> Lowering<'p> {
    /// Translates a call of a function of the program, or of an external one.
    pub(super) fn call(
        &mut self,
        from: i64,
        to: i64,
        scope: &Scope<'p>,
        call: &Call,
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        let id = match &call.callee {
            Callee::Function(id) => *id,
            Callee::Pointer { targets, complete: true, .. } if targets.len() == 1 => targets[0],
            Callee::Pointer { .. } => {
                return Err(self.refuse(place, "this call through a pointer has no translation"));
            }
        };
        if self.program.function(id).body.is_none() {
            return self.external(from, to, scope, call, id, place);
        }
        if self.recursive(id) {
            return self.recursive_call(from, to, scope, call, id, place);
        }
        let (bindings, updates, defined) = self.arguments(scope, call, id, None, place)?;
        let mut inner = Scope::new(self.program, bindings, &self.aliased);
        let pairs = self.program.function(id).parameters.iter().zip(&call.arguments);
        let of_client = pairs.filter(|(_, argument)| {
            matches!(argument.ty, Type::Pointer(_)) && scope.is_of_client(argument)
        });
        inner.clients = Rc::new(of_client.map(|(p, _)| *p).collect());
        let result = call.result.clone().map(|target| (target, scope.clone()));
        let entry = self.body(id, inner, &Return { location: to, result, variable: None })?;
        self.defined(from, Expr::Int(1), &defined, updates, entry, place);
        Ok(())
    }

    /// Binds the parameters of a function to the arguments of a call; `known` are parameters that already have memory.
    #[allow(clippy::type_complexity, reason = "the three parts of one rule")]
    pub(super) fn arguments(
        &mut self,
        scope: &Scope<'p>,
        call: &Call,
        id: FunctionId,
        known: Option<&Bindings>,
        place: Option<CPlace>,
    ) -> Result<(Bindings, Vec<(VarId, Update)>, Expr), Problem> {
        let f = self.program.function(id);
        let mut bindings = known.unwrap_or(&self.global_bindings).clone();
        let mut updates = Vec::new();
        let mut defined = Expr::Int(1);
        for (p, argument) in f.parameters.iter().zip(&call.arguments) {
            let v = self.program.variable(*p);
            let mut reader = Reader::new(scope);
            if matches!(v.ty, Type::Pointer(_))
                // A pointer that is not followed is reported where it is used.
                && let Ok(Some(at)) = reader.binding(argument)
            {
                let same = |b: &Binding| matches!(b, Binding::Points(known) if *known == at);
                if bindings.get(p).is_some_and(|b| !same(b)) {
                    let message = "a pointer that changes from call to call has no translation";
                    return Err(self.refuse(place, message));
                }
                bindings.insert(*p, Binding::Points(at));
                defined = Expr::and(defined, reader.defined);
                continue;
            }
            // Null may be passed on.
            let mut reader = Reader::new(scope);
            let value = reader.value(argument).map_err(|why| self.refuse(place, why))?;
            defined = Expr::and(defined, reader.defined);
            let vague = reader.vague;
            let at = match bindings.get(p) {
                Some(Binding::Memory(at)) => *at,
                Some(_) => continue,
                None => {
                    let prefix = format!("{}.", f.name);
                    declare(self.program, *p, &prefix, self.globals.len(), &mut self.locals)?
                }
            };
            let (low, high) = range(&v.ty);
            self.note(at, value.is_none(), vague, place);
            updates.push((at, value.map_or(Update::Any(low, high), Update::Value)));
            bindings.insert(*p, Binding::Memory(at));
        }
        Ok((bindings, updates, defined))
    }

    /// Returns true if a function may call itself.
    pub(super) fn recursive(&self, id: FunctionId) -> bool {
        self.callees(id).contains(&id)
    }

    /// The functions that a function may call, directly or through others.
    pub(super) fn callees(&self, id: FunctionId) -> HashSet<FunctionId> {
        let mut out = HashSet::new();
        let mut open = vec![id];
        while let Some(f) = open.pop() {
            let Some(graph) = &self.program.function(f).body else { continue };
            for (_, call) in graph.calls() {
                open.extend(call.callee.targets().iter().filter(|t| out.insert(**t)));
            }
        }
        out
    }
}
