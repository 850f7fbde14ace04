//! Control-flow graphs as rules: an edge is a rule, or several.

use std::collections::HashSet;

use canonical::{
    Action, Call, Callee, CompositeId, Expr as CExpr, ExprKind, FunctionId, Initial, Lvalue,
    Place as CPlace, Program, Storage, Type, VariableId,
};

use super::expr::Reader;
use super::memory::{Binding, Bindings, add, declare, leaves, range, size};
use super::recursion::Activation;
use super::{ErrorKind, Options, Translated, problem};
use crate::library::{
    BinaryOp, Expr, Function, Library, Place, Problem, Rule, Update, VarId, Variable,
};
use crate::suite::{CFunction, CParameter};

/// Rules above which a function is refused.
const MOST_RULES: usize = 20_000;

/// The names that the code of a function may use.
#[derive(Debug, Clone)]
pub(super) struct Scope<'p> {
    pub(super) program: &'p Program,
    pub(super) bindings: Bindings,
}

impl Scope<'_> {
    pub(super) fn binding(&self, v: VariableId) -> Option<&Binding> {
        self.bindings.get(&v)
    }

    /// True if a pointer to this type may point into memory of the library.
    pub(super) fn is_aliased(&self, ty: &Type) -> bool {
        let is_char = ty.int().is_some_and(|int| int.bits() == 8);
        matches!(ty, Type::Composite(_))
            || self.bindings.iter().any(|(v, binding)| {
                let v = self.program.variable(*v);
                let parts = || leaves(self.program, &v.ty).unwrap_or_default();
                matches!(binding, Binding::Memory(_))
                    && v.address_taken
                    && (is_char || parts().iter().any(|(_, part)| part == ty))
            })
    }
}

/// Where a body returns to.
#[derive(Debug, Clone)]
pub(super) struct Return<'p> {
    pub(super) location: i64,
    /// The lvalue of the result in the scope of the caller.
    pub(super) result: Option<(Lvalue, Scope<'p>)>,
    /// Instead, the variable that gets it.
    pub(super) variable: Option<VarId>,
}

/// The state of the translation; locals and rules are those of the current function.
pub(super) struct Lowering<'p> {
    pub(super) program: &'p Program,
    pub(super) options: &'p Options,
    pub(super) globals: Vec<Variable>,
    global_bindings: Bindings,
    objects: Vec<(CompositeId, VarId)>,
    pub(super) locals: Vec<Variable>,
    pub(super) rules: Vec<Rule>,
    parameters: usize,
    locations: i64,
    pub(super) active: Vec<FunctionId>,
    pub(super) activation: Option<Activation>,
}

/// The variable that is set when a call fails.
const FAILED: VarId = VarId(0);

/// Translates a library.
pub(super) fn library(
    name: &str,
    program: &Program,
    options: &Options,
) -> Result<Translated, Problem> {
    let failed = Variable {
        name: "failed".to_owned(),
        low: 0,
        high: 1,
        initial: 0,
        place: Place::default(),
    };
    let mut lowering = Lowering {
        program,
        options,
        globals: vec![failed],
        global_bindings: Bindings::new(),
        objects: Vec::new(),
        locals: Vec::new(),
        rules: Vec::new(),
        parameters: 0,
        locations: 0,
        active: Vec::new(),
        activation: None,
    };
    lowering.globals();
    let initial = lowering.initial()?;
    let mut error = Expr::equals(Expr::Var(FAILED), Expr::Int(1));
    let mut has_variable = false;
    if options.error != ErrorKind::Exit {
        let err = (0..program.variables.len()).map(VariableId::new).find(|v| {
            let v = program.variable(*v);
            v.name == "err" && v.function.is_none()
        });
        match err.and_then(|v| lowering.global_bindings.get(&v)) {
            Some(Binding::Memory(at)) => {
                let is_set = Expr::binary(BinaryOp::Ne, Expr::Var(*at), Expr::Int(0));
                error = Expr::binary(BinaryOp::Or, error, is_set);
                has_variable = true;
            }
            _ if options.error == ErrorKind::Err => {
                let message = "no global variable `err`; with `--error exit`, only calls that do \
                               not return fail";
                return Err(problem(program, None, message));
            }
            _ => {}
        }
    }
    let mut functions = Vec::new();
    let mut interfaces = Vec::new();
    for function in &options.functions {
        let id = program.function_named(function).filter(|id| program.function(*id).body.is_some());
        let Some(id) = id else {
            let defined: Vec<&str> = program
                .defined()
                .filter(|(_, f, _)| !f.internal)
                .map(|(_, f, _)| f.name.as_str())
                .collect();
            let message = format!("no function `{function}`; there are: {}", defined.join(", "));
            return Err(problem(program, None, message));
        };
        let (f, c) = lowering.function(id)?;
        functions.push(f);
        interfaces.push(c);
    }
    let library =
        Library { name: name.to_owned(), globals: lowering.globals, initial, error, functions };
    Ok(Translated { library, functions: interfaces, has_variable })
}

impl<'p> Lowering<'p> {
    /// Declares the variables of static storage, and an object for each struct that functions of the
    /// interface get pointers to. Variables without a translation are refused where they are used.
    fn globals(&mut self) {
        for (k, v) in self.program.variables.iter().enumerate() {
            if matches!(v.storage, Storage::Global | Storage::Static) {
                let id = VariableId::new(k);
                if let Ok(at) = declare(self.program, id, "", 0, &mut self.globals) {
                    self.global_bindings.insert(id, Binding::Memory(at));
                }
            }
        }
        for name in &self.options.functions {
            let Some(id) = self.program.function_named(name) else { continue };
            for p in &self.program.function(id).parameters {
                let Some(Type::Composite(composite)) = self.program.variable(*p).ty.element()
                else {
                    continue;
                };
                if self.objects.iter().any(|(c, _)| c == composite) {
                    continue;
                }
                if let Ok(parts) = leaves(self.program, &Type::Composite(*composite)) {
                    self.objects.push((*composite, VarId(self.globals.len())));
                    add(parts, "object", &mut self.globals);
                }
            }
        }
    }

    /// The initial condition: zero, and then the initializers.
    fn initial(&self) -> Result<Expr, Problem> {
        let mut values: Vec<Option<i64>> = vec![Some(0); self.globals.len()];
        let scope = Scope { program: self.program, bindings: self.global_bindings.clone() };
        for (k, v) in self.program.variables.iter().enumerate() {
            let Some(Binding::Memory(at)) = self.global_bindings.get(&VariableId::new(k)) else {
                continue;
            };
            match &v.initial {
                Initial::Unknown => {
                    let end = at.0 + size(self.program, &v.ty);
                    values[at.0..end].iter_mut().for_each(|value| *value = None);
                }
                Initial::Values(list) => {
                    for (target, value) in list {
                        let updates = self.copy(&scope, target, value).map_err(|why| {
                            problem(self.program, v.place, format!("initial value: {why}"))
                        })?;
                        for (leaf, update) in updates {
                            values[leaf.0] = match update {
                                Update::Value(Expr::Int(n)) => Some(n),
                                _ => None,
                            };
                        }
                    }
                }
                Initial::None => {}
            }
        }
        let known = values.iter().enumerate().filter_map(|(k, v)| Some((VarId(k), (*v)?)));
        Ok(known.fold(Expr::Int(1), |all, (v, value)| {
            Expr::and(all, Expr::equals(Expr::Var(v), Expr::Int(value)))
        }))
    }

    /// Updates of the leaves of a target whose place is certain.
    fn copy(
        &self,
        scope: &Scope<'p>,
        target: &Lvalue,
        value: &CExpr,
    ) -> Result<Vec<(VarId, Update)>, String> {
        let mut reader = Reader { scope, defined: Expr::Int(1) };
        let choices = reader.choices(target)?.leaves;
        let [(_, at)] = choices[..] else {
            return Err("the place of this assignment is not certain".to_owned());
        };
        let parts = leaves(self.program, &target.ty)?;
        let leaf = |k: usize| VarId(at.0 + k);
        let all = 0..parts.len();
        Ok(match &value.kind {
            ExprKind::Zero => all.map(|k| (leaf(k), Update::Value(Expr::Int(0)))).collect(),
            ExprKind::Bytes(string) => {
                let bytes = self.program.string(*string);
                let byte = |k: usize| i64::from(bytes.get(k).copied().unwrap_or(0) as i8);
                all.map(|k| (leaf(k), Update::Value(Expr::Int(byte(k))))).collect()
            }
            ExprKind::Load(from) if !target.ty.is_scalar() => {
                let sources = reader.choices(from)?.leaves;
                let [(_, from)] = sources[..] else {
                    return Err("the source of this assignment is not certain".to_owned());
                };
                let source = |k: usize| Update::Value(Expr::Var(VarId(from.0 + k)));
                all.map(|k| (leaf(k), source(k))).collect()
            }
            _ if target.ty.is_scalar() => {
                let (low, high) = range(&target.ty);
                let value = reader.value(value)?;
                vec![(leaf(0), value.map_or(Update::Any(low, high), Update::Value))]
            }
            _ => return Err("this assignment of a struct has no translation".to_owned()),
        })
    }

    /// Translates a function of the interface.
    fn function(&mut self, id: FunctionId) -> Result<(Function, CFunction), Problem> {
        let f = self.program.function(id);
        self.locals.clear();
        self.rules.clear();
        self.locations = 0;
        self.activation = None;
        let mut bindings = self.global_bindings.clone();
        let mut interface = CFunction { name: f.name.clone(), parameters: Vec::new() };
        for p in &f.parameters {
            let v = self.program.variable(*p);
            let (binding, parameter) = match &v.ty {
                Type::Int(_) => {
                    let at = declare(self.program, *p, "", self.globals.len(), &mut self.locals)?;
                    (Binding::Memory(at), CParameter::Value(at.0 - self.globals.len()))
                }
                Type::Pointer(element) => {
                    let object = |(c, _): &(CompositeId, VarId)| **element == Type::Composite(*c);
                    match self.objects.iter().position(object) {
                        Some(k) => (Binding::Points(self.objects[k].1), CParameter::Object(k)),
                        None => (Binding::Client, CParameter::Buffer),
                    }
                }
                Type::Float(_) => continue,
                _ => return Err(self.refuse(v.place, "a struct by value has no translation")),
            };
            bindings.insert(*p, binding);
            interface.parameters.push(parameter);
        }
        if interface.parameters.len() < f.parameters.len() {
            return Err(self.refuse(f.place, "floating parameters have no translation"));
        }
        let parameters = self.locals.len();
        self.parameters = parameters;
        self.location();
        let s =
            Variable { name: "s".to_owned(), low: 0, high: 0, initial: 0, place: Place::default() };
        let mut s = vec![s];
        while self.locals.iter().any(|v| v.name == s[0].name) {
            s[0].name.push('_');
        }
        self.locals.append(&mut s);
        let end = self.location();
        let to = Return { location: end, result: None, variable: None };
        let scope = Scope { program: self.program, bindings };
        let entry = match self.recursive(id) {
            true => {
                let arguments: Vec<CExpr> = f
                    .parameters
                    .iter()
                    .map(|p| {
                        CExpr::load(Lvalue::variable(*p, self.program.variable(*p).ty.clone()))
                    })
                    .collect();
                let call = Call { callee: Callee::Function(id), arguments, result: None };
                self.call(0, end, &scope, &call, f.place)?;
                None
            }
            false => Some(self.body(id, scope, &to)?),
        };
        if let Some(entry) = entry {
            self.step(0, Expr::Int(1), Vec::new(), entry, None);
        }
        let high = self.locations;
        self.locals[parameters].high = high;
        let function = Function {
            name: f.name.clone(),
            locals: std::mem::take(&mut self.locals),
            parameters,
            rules: std::mem::take(&mut self.rules),
            place: Place::default(),
        };
        Ok((function, interface))
    }

    pub(super) fn refuse(&self, place: Option<CPlace>, message: impl Into<String>) -> Problem {
        problem(self.program, place, message)
    }

    /// A new location.
    pub(super) fn location(&mut self) -> i64 {
        self.locations += 1;
        self.locations - 1
    }

    /// The location variable: it comes right after the parameters.
    fn s(&self) -> VarId {
        VarId(self.globals.len() + self.parameters)
    }

    /// Bindings of variables of static storage.
    pub(super) fn global_bindings(&self) -> &Bindings {
        &self.global_bindings
    }

    /// Adds a rule from one location to another.
    pub(super) fn step(
        &mut self,
        from: i64,
        guard: Expr,
        mut updates: Vec<(VarId, Update)>,
        to: i64,
        place: Option<CPlace>,
    ) {
        let s = self.s();
        updates.push((s, Update::Value(Expr::Int(to))));
        let here = Expr::equals(Expr::Var(s), Expr::Int(from));
        let place = place.map_or(Place::default(), |p| Place {
            line: p.line as usize,
            column: p.column as usize,
        });
        self.rules.push(Rule { guard: Expr::and(here, guard), updates, place });
    }

    /// Adds a rule that fails.
    pub(super) fn fail(&mut self, from: i64, guard: Expr, place: Option<CPlace>) {
        self.step(from, guard, vec![(FAILED, Update::Value(Expr::Int(1)))], from, place);
    }

    /// Adds a rule, and one that fails where the condition of its expressions does not hold.
    fn defined(
        &mut self,
        from: i64,
        guard: Expr,
        defined: &Expr,
        updates: Vec<(VarId, Update)>,
        to: i64,
        place: Option<CPlace>,
    ) {
        if *defined != Expr::Int(1) {
            self.fail(from, Expr::negated(defined.clone()), place);
        }
        self.step(from, Expr::and(guard, defined.clone()), updates, to, place);
    }

    /// Translates a body; returns the location of its entry.
    pub(super) fn body(
        &mut self,
        id: FunctionId,
        mut scope: Scope<'p>,
        to: &Return<'p>,
    ) -> Result<i64, Problem> {
        let f = self.program.function(id);
        for local in &f.locals {
            let v = self.program.variable(*local);
            if v.storage == Storage::Static || scope.bindings.contains_key(local) {
                continue;
            }
            let prefix = format!("{}.", f.name);
            let at = declare(self.program, *local, &prefix, self.globals.len(), &mut self.locals)?;
            scope.bindings.insert(*local, Binding::Memory(at));
        }
        let Some(graph) = &f.body else {
            return Err(self.refuse(f.place, format!("`{}` has no body", f.name)));
        };
        self.active.push(id);
        let mut locations = Vec::new();
        for k in 0..graph.nodes.len() {
            let is_exit = k == graph.exit.index();
            locations.push(if is_exit { to.location } else { self.location() });
        }
        for edge in &graph.edges {
            let (from, next) = (locations[edge.from.index()], locations[edge.to.index()]);
            match &edge.action {
                Action::Nothing => self.step(from, Expr::Int(1), Vec::new(), next, edge.place),
                Action::Guard { condition, holds } => {
                    self.guard(from, next, &scope, condition, *holds, edge.place)?;
                }
                Action::Assign { target, value } => {
                    self.assign(from, next, (&scope, target), (&scope, value), edge.place)?;
                }
                Action::Call(call) => self.call(from, next, &scope, call, edge.place)?,
                Action::Return(value) => {
                    self.returns(from, &scope, value.as_ref(), to, edge.place)?
                }
            }
            if self.rules.len() > MOST_RULES {
                let message = format!("`{}` has more than {MOST_RULES} rules", f.name);
                return Err(self.refuse(f.place, message));
            }
        }
        self.active.pop();
        Ok(locations[graph.entry.index()])
    }

    fn guard(
        &mut self,
        from: i64,
        to: i64,
        scope: &Scope<'p>,
        condition: &CExpr,
        holds: bool,
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        let mut reader = Reader { scope, defined: Expr::Int(1) };
        let value = reader.value(condition).map_err(|why| self.refuse(place, why))?;
        let guard = match (value, holds) {
            // An unknown condition may hold or not.
            (None, _) => Expr::Int(1),
            (Some(value), true) => value,
            (Some(value), false) => Expr::negated(value),
        };
        let defined = reader.defined;
        self.defined(from, guard, &defined, Vec::new(), to, place);
        Ok(())
    }

    fn returns(
        &mut self,
        from: i64,
        scope: &Scope<'p>,
        value: Option<&CExpr>,
        to: &Return<'p>,
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        if let (Some((target, caller)), Some(value)) = (&to.result, value) {
            return self.assign(from, to.location, (caller, target), (scope, value), place);
        }
        let mut updates = Vec::new();
        let mut reader = Reader { scope, defined: Expr::Int(1) };
        if let (Some(variable), Some(value)) = (to.variable, value) {
            let (low, high) = range(&value.ty);
            let value = reader.value(value).map_err(|why| self.refuse(place, why))?;
            updates.push((variable, value.map_or(Update::Any(low, high), Update::Value)));
        }
        let defined = reader.defined;
        self.defined(from, Expr::Int(1), &defined, updates, to.location, place);
        Ok(())
    }

    /// An assignment of a value in one scope to a target in another one.
    fn assign(
        &mut self,
        from: i64,
        to: i64,
        (target_scope, target): (&Scope<'p>, &Lvalue),
        (scope, value): (&Scope<'p>, &CExpr),
        place: Option<CPlace>,
    ) -> Result<(), Problem> {
        if !target.ty.is_scalar() {
            if !std::ptr::eq(target_scope, scope) {
                return Err(self.refuse(place, "a struct as a result has no translation"));
            }
            let updates = self.copy(scope, target, value).map_err(|why| self.refuse(place, why))?;
            self.step(from, Expr::Int(1), updates, to, place);
            return Ok(());
        }
        let mut reader = Reader { scope, defined: Expr::Int(1) };
        let value = reader.value(value).map_err(|why| self.refuse(place, why))?;
        let mut defined = reader.defined;
        let mut reader = Reader { scope: target_scope, defined: Expr::Int(1) };
        let choices = reader.choices(target).map_err(|why| self.refuse(place, why))?;
        defined = Expr::and(defined, reader.defined);
        let (low, high) = range(&target.ty);
        let update = value.map_or(Update::Any(low, high), Update::Value);
        if choices.leaves.is_empty() {
            self.defined(from, Expr::Int(1), &defined, Vec::new(), to, place);
        }
        for (condition, leaf) in choices.leaves {
            self.defined(from, condition, &defined, vec![(leaf, update.clone())], to, place);
        }
        Ok(())
    }

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
        let inner = Scope { program: self.program, bindings };
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
            if matches!(v.ty, Type::Pointer(_)) {
                if let Some(at) = reader.binding(argument).map_err(|why| self.refuse(place, why))? {
                    let same = |b: &Binding| matches!(b, Binding::Points(known) if *known == at);
                    if bindings.get(p).is_some_and(|b| !same(b)) {
                        let message = "a pointer that changes from call to call has no translation";
                        return Err(self.refuse(place, message));
                    }
                    bindings.insert(*p, Binding::Points(at));
                    continue;
                }
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
