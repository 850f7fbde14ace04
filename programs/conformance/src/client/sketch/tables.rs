//! The tables that the bodies of all functions share: names of functions, members and constants.

use std::collections::BTreeMap;

use canonical::{
    Binary, Expr, Function, FunctionId, FunctionType, Initial, IntType, Lvalue, Program, Storage,
    Type, Variable, VariableId,
};

/// The tables.
pub struct Lowering<'p> {
    pub program: &'p mut Program,
    /// The first function with a name.
    functions: BTreeMap<String, FunctionId>,
    /// The functions that each file defines.
    own: BTreeMap<(u32, String), FunctionId>,
    /// The file that is read.
    pub file: u32,
    /// True if its members may be called by their names, as in C++.
    pub methods: bool,
    pub constants: BTreeMap<String, i128>,
    globals: BTreeMap<String, VariableId>,
}

/// Types are unknown, so all values have 64 bits and may be pointers.
pub const ANY: Type = Type::Int(IntType::LONG);

impl<'p> Lowering<'p> {
    pub fn new(program: &'p mut Program, constants: BTreeMap<String, i128>) -> Self {
        let (functions, own, globals) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { program, functions, own, file: 0, methods: false, constants, globals }
    }

    fn variable(&mut self, name: &str, storage: Storage) -> VariableId {
        let id = VariableId::new(self.program.variables.len());
        self.program.variables.push(Variable {
            name: name.to_owned(),
            ty: ANY,
            storage,
            function: None,
            initial: Initial::None,
            address_taken: false,
            token: None,
            place: None,
        });
        id
    }

    /// A new local variable.
    pub fn local(&mut self, name: &str) -> VariableId {
        self.variable(name, Storage::Local)
    }

    /// A new parameter.
    pub fn parameter(&mut self, name: &str) -> VariableId {
        self.variable(name, Storage::Parameter)
    }

    /// A new variable for the value of an inner expression.
    pub fn temporary(&mut self) -> VariableId {
        self.variable("%", Storage::Temporary)
    }

    /// Returns the global variable with a name. Names of struct members begin with a dot.
    pub fn global(&mut self, name: String) -> VariableId {
        if let Some(id) = self.globals.get(&name) {
            return *id;
        }
        let id = self.variable(&name, Storage::Global);
        self.globals.insert(name, id);
        id
    }

    /// Returns the function that a name denotes in the current file; `None` if unknown.
    pub fn known(&self, name: &str) -> Option<FunctionId> {
        let own = self.own.get(&(self.file, name.to_owned()));
        own.or_else(|| self.functions.get(name)).copied()
    }

    /// Returns the function with a name; declares it if it is unknown.
    pub fn function(&mut self, name: &str) -> FunctionId {
        self.known(name).unwrap_or_else(|| self.declare(name))
    }

    /// Defines a function in the current file.
    pub fn define(&mut self, name: &str) -> FunctionId {
        let key = (self.file, name.to_owned());
        if let Some(id) = self.own.get(&key) {
            return *id;
        }
        let id = self.declare(name);
        self.own.insert(key, id);
        id
    }

    fn declare(&mut self, name: &str) -> FunctionId {
        let id = FunctionId::new(self.program.functions.len());
        let ty = FunctionType { result: ANY, parameters: Vec::new(), variadic: true };
        self.program.functions.push(Function::declared(name, ty));
        self.functions.entry(name.to_owned()).or_insert(id);
        id
    }

    /// The whole of a variable.
    pub fn whole(variable: VariableId) -> Lvalue {
        Lvalue::variable(variable, ANY)
    }

    /// `left == right`.
    pub fn equal(left: Expr, right: Expr) -> Expr {
        Expr::binary(Binary::Equal, left, right, ANY)
    }
}
