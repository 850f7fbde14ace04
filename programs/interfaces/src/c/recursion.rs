//! Translates functions that call themselves, with an explicit stack (the paper's appendix). A call saves the local
//! variables and the return location, and a return restores them.

use canonical::{Call, FunctionId, Place as CPlace};

use super::expr::Reader;
use super::memory::{Binding, Bindings, declare, range};
use super::scope::Scope;
use super::state::{Activation, Frame, Lowering, Return, Site};
use crate::library::{Expr, Place, Problem, Update, VarId, Variable};

impl<'p> Lowering<'p> {
    fn scratch(&mut self, name: &str, low: i64, high: i64) -> VarId {
        let mut name = name.to_owned();
        while self.locals.iter().any(|v| v.name == name) {
            name.push('_');
        }
        self.locals.push(Variable {
            name,
            low,
            high,
            initial: low.max(0).min(high),
            place: Place::default(),
        });
        VarId(self.globals.len() + self.locals.len() - 1)
    }

    /// A call of a function that may call itself.
    pub(super) fn recursive_call(
        &mut self,
        from: i64,
        to: i64,
        scope: &Scope<'p>,
        call: &Call,
        id: FunctionId,
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        let inner = |a: &Activation| a.functions.iter().position(|f| f.id == id);
        if let Some(frame) = self.activation.as_ref().and_then(inner) {
            return self.push(from, to, scope, call, frame, place);
        }
        let before = self.activation.take();
        self.activate(id)?;
        self.enter(from, to, scope, call, place)?;
        self.activation = before;
        Ok(())
    }

    /// Declares the frames and the stack of a function and of those with which it is mutually recursive.
    fn activate(&mut self, id: FunctionId) -> Result<(), Problem> {
        let callees = self.callees(id);
        let mut ids: Vec<FunctionId> =
            callees.into_iter().filter(|f| *f != id && self.callees(*f).contains(&id)).collect();
        ids.sort_unstable();
        ids.insert(0, id);
        let mut functions = Vec::new();
        let mut variables = Vec::new();
        for id in ids {
            let f = self.program.function(id);
            let mut bindings = Bindings::new();
            let prefix = format!("{}.", f.name);
            for v in f.parameters.iter().chain(&f.locals) {
                let variable = self.program.variable(*v);
                let is_static = variable.storage == canonical::Storage::Static;
                // Pointer parameters are replaced by the names of their targets.
                let is_name = variable.storage == canonical::Storage::Parameter
                    && matches!(variable.ty, canonical::Type::Pointer(_));
                if is_static || is_name {
                    continue;
                }
                let first = self.locals.len();
                let at = declare(self.program, *v, &prefix, self.globals.len(), &mut self.locals)?;
                variables.extend((first..self.locals.len()).map(|k| VarId(self.globals.len() + k)));
                bindings.insert(*v, Binding::Memory(at));
            }
            let result = match f.ty.result.is_scalar() {
                true => {
                    let (low, high) = range(&f.ty.result);
                    Some(self.scratch(&format!("{prefix}result"), low, high))
                }
                false => None,
            };
            let entry = self.location();
            functions.push(Frame { id, bindings, result, entry, is_called: false, is_done: false });
        }
        let most = self.options.stack;
        let depth = self.scratch("depth", 0, most as i64);
        let mut slots = Vec::new();
        for k in 0..most {
            // There are as many return locations as calls, and the number of calls is not known yet.
            let back = self.scratch(&format!("stack{k}.return"), 0, 255);
            let mut copies = Vec::new();
            for v in &variables {
                let v = self.locals[v.0 - self.globals.len()].clone();
                copies.push(self.scratch(&format!("stack{k}.{}", v.name), v.low, v.high));
            }
            slots.push((back, copies));
        }
        let pop = self.location();
        self.activation =
            Some(Activation { functions, depth, slots, variables, sites: Vec::new(), pop });
        Ok(())
    }

    /// Translates the first call: enters the function, translates all callees, and returns.
    fn enter(
        &mut self,
        from: i64,
        to: i64,
        scope: &Scope<'p>,
        call: &Call,
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        let (entry, mut updates) = self.bind(scope, call, 0, from, place)?;
        let Some(activation) = &self.activation else { return Ok(()) };
        updates.push((activation.depth, Update::Value(Expr::Int(0))));
        let (pop, depth) = (activation.pop, activation.depth);
        let result = activation.functions[0].result;
        self.step(from, Expr::Int(1), updates, entry, place);
        while let Some(k) = self.next_frame() {
            let Some(activation) = &mut self.activation else { break };
            let aliased = self.aliased.clone();
            let frame = &mut activation.functions[k];
            frame.is_done = true;
            let (id, entry, variable) = (frame.id, frame.entry, frame.result);
            let scope = Scope::new(self.program, frame.bindings.clone(), &aliased);
            let returns = Return { location: pop, result: None, variable };
            let start = self.body(id, scope, &returns)?;
            self.step(entry, Expr::Int(1), Vec::new(), start, None);
        }
        let bottom = Expr::equals(Expr::Var(depth), Expr::Int(0));
        let mut updates = Vec::new();
        if let (Some(target), Some(result)) = (&call.result, result) {
            let at = self.whole(scope, target, place)?;
            updates.push((at, Update::Value(Expr::Var(result))));
        }
        self.step(pop, bottom, updates, to, place);
        self.pops(place);
        Ok(())
    }

    fn next_frame(&self) -> Option<usize> {
        let frames = &self.activation.as_ref()?.functions;
        frames.iter().position(|f| f.is_called && !f.is_done)
    }

    /// Binds the arguments of a call of a frame; returns its entry and the updates.
    #[allow(clippy::type_complexity, reason = "the two parts of one rule")]
    fn bind(
        &mut self,
        scope: &Scope<'p>,
        call: &Call,
        frame: usize,
        from: i64,
        place: Option<CPlace>,
    ) -> Result<(i64, Vec<(VarId, Update)>), Problem> {
        let Some(activation) = &self.activation else { return Ok((0, Vec::new())) };
        let (id, entry) = (activation.functions[frame].id, activation.functions[frame].entry);
        let mut known = self.global_bindings().clone();
        known.extend(activation.functions[frame].bindings.clone());
        let (bindings, updates, defined) = self.arguments(scope, call, id, Some(&known), place)?;
        for (p, argument) in self.program.function(id).parameters.iter().zip(&call.arguments) {
            let is_pointer = matches!(self.program.variable(*p).ty, canonical::Type::Pointer(_));
            let is_bound = match (known.get(p), bindings.get(p)) {
                (Some(Binding::Points(_)), _) => {
                    matches!(Reader::new(scope).binding(argument), Ok(Some(_)))
                }
                (_, Some(Binding::Memory(_))) => false,
                _ => true,
            };
            if is_pointer && !is_bound {
                let message = "a pointer that is not followed is passed to a function that calls itself: it \
                               has no translation";
                return Err(self.refuse(place, message));
            }
        }
        if defined != Expr::Int(1) {
            self.fail(from, Expr::negated(defined), place);
        }
        if let Some(activation) = &mut self.activation {
            activation.functions[frame].bindings = bindings;
            activation.functions[frame].is_called = true;
        }
        Ok((entry, updates))
    }

    /// A call by one of the functions: saves its variables.
    fn push(
        &mut self,
        from: i64,
        to: i64,
        scope: &Scope<'p>,
        call: &Call,
        frame: usize,
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        let target = match &call.result {
            Some(target) => Some(self.whole(scope, target, place)?),
            None => None,
        };
        let (entry, updates) = self.bind(scope, call, frame, from, place)?;
        let Some(activation) = &mut self.activation else { return Ok(()) };
        let result = activation.functions[frame].result;
        let site = activation.sites.len() as i64;
        activation.sites.push(Site { target, result, after: to });
        let (depth, slots) = (activation.depth, activation.slots.clone());
        let variables = activation.variables.clone();
        for (k, (back, copies)) in slots.iter().enumerate() {
            let mut updates = updates.clone();
            updates.push((*back, Update::Value(Expr::Int(site))));
            let saved = copies.iter().zip(&variables);
            updates.extend(saved.map(|(copy, v)| (*copy, Update::Value(Expr::Var(*v)))));
            updates.push((depth, Update::Value(Expr::Int(k as i64 + 1))));
            let here = Expr::equals(Expr::Var(depth), Expr::Int(k as i64));
            self.step(from, here, updates, entry, place);
        }
        let full = Expr::equals(Expr::Var(depth), Expr::Int(slots.len() as i64));
        self.fail(from, full, place);
        Ok(())
    }

    /// The returns to all calls among the functions.
    fn pops(&mut self, place: Option<CPlace>) {
        let Some(activation) = self.activation.clone() else { return };
        for (k, (back, copies)) in activation.slots.iter().enumerate() {
            for (n, site) in activation.sites.iter().enumerate() {
                let here = Expr::and(
                    Expr::equals(Expr::Var(activation.depth), Expr::Int(k as i64 + 1)),
                    Expr::equals(Expr::Var(*back), Expr::Int(n as i64)),
                );
                let mut updates: Vec<(VarId, Update)> = activation
                    .variables
                    .iter()
                    .zip(copies)
                    .filter(|(v, _)| site.target != Some(**v))
                    .map(|(v, copy)| (*v, Update::Value(Expr::Var(*copy))))
                    .collect();
                if let (Some(target), Some(result)) = (site.target, site.result) {
                    updates.push((target, Update::Value(Expr::Var(result))));
                }
                updates.push((activation.depth, Update::Value(Expr::Int(k as i64))));
                self.step(activation.pop, here, updates, site.after, place);
            }
        }
    }

    /// Returns the variable that an lvalue names, if it names a whole variable.
    fn whole(
        &self,
        scope: &Scope<'p>,
        target: &canonical::Lvalue,
        place: Option<CPlace>,
    ) -> Result<VarId, Problem> {
        match target.whole_variable().and_then(|v| scope.binding(v)) {
            Some(Binding::Memory(at)) => Ok(*at),
            _ => Err(self.refuse(place, "the result of a recursive call must go to a variable")),
        }
    }
}
