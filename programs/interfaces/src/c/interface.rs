//! The library of a program: variables of static storage, and the functions of the interface.

use std::rc::Rc;

use canonical::{
    Call, Callee, CompositeId, Expr as CExpr, FunctionId, Initial, Lvalue, Program, Storage, Type,
    VariableId,
};

use super::alias::Aliased;
use super::memory::{Binding, Bindings, add, declare, leaves, size};
use super::options::{ErrorKind, Options, Translated, problem};
use super::scope::Scope;
use super::slice::slice;
use super::state::{FAILED, Lowering, Return};
use crate::library::{
    BinaryOp, Expr, Function, Library, Place, Places, Problem, Update, VarId, Variable, folded,
};
use crate::suite::{CFunction, CParameter};

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
        aliased: Rc::new(Aliased::of(program)),
        vague: Vec::new(),
        function: 0,
    };
    lowering.globals();
    let initial = lowering.initial()?;
    let (error, has_variable) = lowering.error()?;
    let mut functions = Vec::new();
    let mut interfaces = Vec::new();
    for (k, function) in options.functions.iter().enumerate() {
        if options.functions[..k].contains(function) {
            continue;
        }
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
        lowering.function = functions.len();
        let (f, c) = lowering.function(id)?;
        functions.push(f);
        interfaces.push(c);
    }
    let mut library = Library {
        name: name.to_owned(),
        globals: lowering.globals,
        initial,
        error,
        functions,
        places: Places::default(),
    };
    if let Some(problem) = slice(&mut library, lowering.vague) {
        return Err(problem);
    }
    Ok(Translated { library, functions: interfaces, has_variable })
}

impl Lowering<'_> {
    /// Declares the variables of static storage, and an object for each struct to which functions of the interface
    /// receive pointers. Variables without a translation are refused where they are used.
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

    /// The error condition, and true if it has a variable `err`.
    fn error(&self) -> Result<(Expr, bool), Problem> {
        let mut error = Expr::equals(Expr::Var(FAILED), Expr::Int(1));
        let mut has_variable = false;
        if self.options.error != ErrorKind::Exit {
            let err = (0..self.program.variables.len()).map(VariableId::new).find(|v| {
                let v = self.program.variable(*v);
                v.name == "err" && v.function.is_none()
            });
            match err.and_then(|v| self.global_bindings.get(&v)) {
                Some(Binding::Memory(at)) => {
                    let is_set = Expr::binary(BinaryOp::Ne, Expr::Var(*at), Expr::Int(0));
                    error = Expr::binary(BinaryOp::Or, error, is_set);
                    has_variable = true;
                }
                _ if self.options.error == ErrorKind::Err => {
                    let message = "no global variable `err`; with `--error exit`, only calls that do \
                                   not return fail";
                    return Err(problem(self.program, None, message));
                }
                _ => {}
            }
        }
        Ok((error, has_variable))
    }

    /// The initial condition: all memory is zero, then the initializers are applied.
    fn initial(&self) -> Result<Expr, Problem> {
        let mut values: Vec<Option<i64>> = vec![Some(0); self.globals.len()];
        let scope = Scope::new(self.program, self.global_bindings.clone(), &self.aliased);
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
                        let (updates, _) = self.copy(&scope, target, value).map_err(|why| {
                            problem(self.program, v.place, format!("initial value: {why}"))
                        })?;
                        for (leaf, update) in updates {
                            values[leaf.0] = match update {
                                Update::Value(value) => match folded(&value, &|_| None) {
                                    Expr::Int(n) => Some(n),
                                    _ => None,
                                },
                                Update::Any(..) => None,
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

    /// Returns the name of a library variable of a type, or with elements of it, to which a client may have a pointer:
    /// other files see it, or a function of the interface may pass on its address.
    fn own_object(&self, ty: &Type) -> Option<String> {
        let gives = |id: FunctionId| {
            let f = self.program.function(id);
            let by_pointer = f.parameters.iter().any(|p| {
                let element = self.program.variable(*p).ty.element();
                element.is_some_and(|element| matches!(element, Type::Pointer(_)))
            });
            matches!(f.ty.result, Type::Pointer(_)) || by_pointer
        };
        let mut named = self.options.functions.iter();
        let is_given = named.any(|name| self.program.function_named(name).is_some_and(gives));
        let has =
            |own: &Type| own == ty || matches!(own, Type::Array(element, _) if **element == *ty);
        let found = self.program.variables.iter().find(|v| {
            let is_seen = v.storage == Storage::Global
                || v.storage == Storage::Static && v.address_taken && is_given;
            is_seen && has(&v.ty)
        });
        found.map(|v| v.name.clone())
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
                    let at = self.objects.iter().position(object);
                    if let Some(own) = at.and_then(|_| self.own_object(element)) {
                        return Err(self.refuse(v.place, gets_own(&f.name, &own)));
                    }
                    let twice = |known: &CParameter| matches!((known, at), (CParameter::Object(k), Some(at)) if *k == at);
                    if interface.parameters.iter().any(twice) {
                        return Err(self.refuse(v.place, gets_two(&f.name)));
                    }
                    match at {
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
        let scope = Scope::new(self.program, bindings, &self.aliased);
        let entry = match self.recursive(id) {
            true => {
                let ty = |p: &VariableId| self.program.variable(*p).ty.clone();
                let load = |p: &VariableId| CExpr::load(Lvalue::variable(*p, ty(p)));
                let arguments: Vec<CExpr> = f.parameters.iter().map(load).collect();
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
}

/// Returns the reason why a function that may receive a pointer to a library variable is refused.
fn gets_own(function: &str, own: &str) -> String {
    format!("`{function}` may get the library's own `{own}`: a pointer to it leaves the library")
}

/// Returns the reason why a function that receives two pointers to structs of one type is refused.
fn gets_two(function: &str) -> String {
    format!(
        "`{function}` gets two pointers to structs of one type, which may be two objects: the graph is about one object of \
         each type, so give the other one a type of its own"
    )
}
