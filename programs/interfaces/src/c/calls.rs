//! Calls: inlined, or of functions whose code is elsewhere.

use std::collections::HashSet;

use canonical::{Call, Callee, Expr as CExpr, FunctionId, Place as CPlace, Type};

use super::expr::Reader;
use super::memory::{Binding, Bindings, Scope, declare, range, size};
use super::state::{Lowering, Return};
use crate::library::{Expr, Problem, Update, VarId};

impl<'p> Lowering<'p> {
    /// A call: of a function of the program, or of one that is elsewhere.
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
        let inner = Scope::new(self.program, bindings);
        let result = call.result.clone().map(|target| (target, scope.clone()));
        let entry = self.body(id, inner, &Return { location: to, result, variable: None })?;
        self.defined(from, Expr::Int(1), &defined, updates, entry, place);
        Ok(())
    }

    /// Binds the parameters of a function to the arguments of a call; `known` are parameters that
    /// have their memory already.
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
            let mut reader = Reader { scope, defined: Expr::Int(1) };
            if matches!(v.ty, Type::Pointer(_))
                && let Some(at) = reader.binding(argument).map_err(|why| self.refuse(place, why))?
            {
                let same = |b: &Binding| matches!(b, Binding::Points(known) if *known == at);
                if bindings.get(p).is_some_and(|b| !same(b)) {
                    let message = "a pointer that changes from call to call has no translation";
                    return Err(self.refuse(place, message));
                }
                bindings.insert(*p, Binding::Points(at));
                continue;
            }
            let value = reader.value(argument).map_err(|why| self.refuse(place, why))?;
            defined = Expr::and(defined, reader.defined);
            let at = match bindings.get(p) {
                Some(Binding::Memory(at)) => *at,
                Some(_) => continue,
                None => {
                    let prefix = format!("{}.", f.name);
                    declare(self.program, *p, &prefix, self.globals.len(), &mut self.locals)?
                }
            };
            let (low, high) = range(&v.ty);
            updates.push((at, value.map_or(Update::Any(low, high), Update::Value)));
            bindings.insert(*p, Binding::Memory(at));
        }
        Ok((bindings, updates, defined))
    }

    /// A call of a function whose code is not there: its result may be any, but memory is never
    /// exhausted. It must not get pointers to the memory of the library unless it only reads there.
    fn external(
        &mut self,
        from: i64,
        to: i64,
        scope: &Scope<'p>,
        call: &Call,
        id: FunctionId,
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        let f = self.program.function(id);
        if f.no_return || matches!(f.name.as_str(), "exit" | "abort" | "_exit" | "__assert_fail") {
            self.fail(from, Expr::Int(1), place);
            return Ok(());
        }
        let reads = ["printf", "fprintf", "puts", "fputs", "strlen", "strcmp", "memcmp", "free"];
        let mut zeroed = Vec::new();
        for argument in &call.arguments {
            let mut reader = Reader { scope, defined: Expr::Int(1) };
            let binding = match matches!(argument.ty, Type::Pointer(_)) {
                true => reader.object(argument).map_err(|why| self.refuse(place, why))?,
                false => None,
            };
            let Some((at, ty)) = binding else { continue };
            let is_zero = call.arguments.get(1).and_then(CExpr::constant) == Some(0);
            if f.name == "memset" && is_zero && matches!(ty, Type::Composite(_)) {
                zeroed.extend((0..size(self.program, &ty)).map(|k| VarId(at.0 + k)));
            } else if !reads.contains(&f.name.as_str()) {
                let message = format!("`{}` may change memory of the library", f.name);
                return Err(self.refuse(place, message));
            }
        }
        let zero = |v| (v, Update::Value(Expr::Int(0)));
        let updates: Vec<(VarId, Update)> = zeroed.into_iter().map(zero).collect();
        let Some(target) = &call.result else {
            self.step(from, Expr::Int(1), updates, to, place);
            return Ok(());
        };
        let middle = self.location();
        self.step(from, Expr::Int(1), updates, middle, place);
        let value = match f.name.as_str() {
            "malloc" | "calloc" | "realloc" | "strdup" => CExpr::int(1, canonical::IntType::INT),
            _ => CExpr::unknown(target.ty.clone()),
        };
        self.assign(middle, to, (scope, target), (scope, &value), place)
    }

    /// True if a function may call itself.
    pub(super) fn recursive(&self, id: FunctionId) -> bool {
        self.callees(id).contains(&id)
    }

    /// The functions that a function may call, also by others.
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
