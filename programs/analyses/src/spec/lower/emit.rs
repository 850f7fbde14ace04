//! Builds the canonical program: variables, edges and calls of one function.

use std::path::PathBuf;
use std::sync::Arc;

use canonical::{
    Action, Binary, Call, Callee, Expr, Function, FunctionId, FunctionType, Graph, Initial,
    IntRank, IntType, Lvalue, NodeId, Place, Program, Storage, Token, TokenId, Type, Variable,
    VariableId,
};
use inverter::IntType as SpecType;

use crate::unfold::library::FACT;

/// A function under construction, from its entry to the node at which the next edge begins.
pub struct Emitter {
    program: Program,
    graph: Graph,
    /// The node at which the next edge begins.
    pub at: NodeId,
    /// The place of the next edge.
    pub place: Option<Place>,
    /// The number of assertions so far.
    pub assertions: usize,
}

/// The function to which the edges belong.
const FIRST: FunctionId = FunctionId(0);

/// Returns the type of the canonical program that has the values of a spec type.
pub fn int_type(ty: SpecType) -> IntType {
    let (rank, signed) = match ty {
        SpecType::U8 => (IntRank::Char, false),
        SpecType::U16 => (IntRank::Short, false),
        SpecType::U32 => (IntRank::Int, false),
        SpecType::U64 => (IntRank::Long, false),
        SpecType::I8 => (IntRank::Char, true),
        SpecType::I16 => (IntRank::Short, true),
        SpecType::I32 => (IntRank::Int, true),
        SpecType::I64 => (IntRank::Long, true),
    };
    IntType { rank, signed }
}

/// A numeral.
pub fn int(value: i128) -> Expr {
    Expr::int(value, IntType::WIDE)
}

/// An operator on numbers without bounds.
pub fn binary(operator: Binary, a: Expr, b: Expr) -> Expr {
    let ty = if operator.is_comparison() { Type::INT } else { Type::Int(IntType::WIDE) };
    Expr::binary(operator, a, b, ty)
}

/// Any number.
pub fn unknown() -> Expr {
    Expr::unknown(Type::Int(IntType::WIDE))
}

impl Emitter {
    /// An empty function of this name.
    pub fn new(name: &str, files: Vec<PathBuf>) -> Self {
        let graph = Graph::new();
        let at = graph.entry;
        let mut this = Self {
            program: Program { files, ..Program::default() },
            graph,
            at,
            place: None,
            assertions: 0,
        };
        this.function(name, Type::Void, Vec::new());
        this
    }

    /// Returns the program, whose function ends at the end of the last edge.
    pub fn finish(mut self) -> Arc<Program> {
        let exit = self.graph.exit;
        self.go(exit);
        self.program.functions[FIRST.index()].body = Some(self.graph);
        Arc::new(self.program)
    }

    /// Returns a function, which is declared when it is first named.
    fn function(&mut self, name: &str, result: Type, parameters: Vec<Type>) -> FunctionId {
        if let Some(known) = self.program.function_named(name) {
            return known;
        }
        let ty = FunctionType { result, parameters, variadic: false };
        self.program.functions.push(Function::declared(name, ty));
        FunctionId::new(self.program.functions.len() - 1)
    }

    /// Adds a variable. Each has a separate token, so that analyses can name it.
    pub fn variable(&mut self, name: String, ty: IntType, place: Option<Place>) -> VariableId {
        let token = place.map(|place| {
            self.program.tokens.push(Token { text: name.as_str().into(), place });
            TokenId::new(self.program.tokens.len() - 1)
        });
        self.program.variables.push(Variable {
            name,
            ty: Type::Int(ty),
            storage: Storage::Local,
            function: Some(FIRST),
            initial: Initial::None,
            address_taken: false,
            token,
            place,
        });
        let id = VariableId::new(self.program.variables.len() - 1);
        self.program.functions[FIRST.index()].locals.push(id);
        id
    }

    fn lvalue(&self, variable: VariableId) -> Lvalue {
        Lvalue::variable(variable, self.program.variable(variable).ty.clone())
    }

    /// The value of a variable, as a number without bounds.
    pub fn load(&self, variable: VariableId) -> Expr {
        Expr::load(self.lvalue(variable)).cast(Type::Int(IntType::WIDE))
    }

    /// A node without edges.
    pub fn node(&mut self) -> NodeId {
        self.graph.add_node()
    }

    fn edge(&mut self, to: NodeId, action: Action) {
        self.graph.add_edge(self.at, to, action, self.place, []);
    }

    fn step(&mut self, action: Action) {
        let to = self.node();
        self.edge(to, action);
        self.at = to;
    }

    /// Ends at the current node, and continues at another one.
    pub fn go(&mut self, to: NodeId) {
        self.edge(to, Action::Nothing);
        self.at = to;
    }

    /// Returns the node at which runs end if a condition does not hold.
    pub fn exit(&self) -> NodeId {
        self.graph.exit
    }

    /// Assigns a number, which is in the variable's type.
    pub fn assign(&mut self, variable: VariableId, value: Expr) {
        let target = self.lvalue(variable);
        let value = value.cast(target.ty.clone());
        self.step(Action::Assign { target, value });
    }

    /// Ends the use of a variable, so that analyses stop relating it to others.
    pub fn forget(&mut self, variable: VariableId) {
        let target = self.lvalue(variable);
        let value = Expr::unknown(target.ty.clone());
        self.step(Action::Assign { target, value });
    }

    /// Leaves by one edge if a condition holds, and by another if not.
    pub fn branch(&mut self, condition: &Expr, yes: NodeId, no: NodeId) {
        self.edge(yes, Action::Guard { condition: condition.clone(), holds: true });
        self.edge(no, Action::Guard { condition: condition.clone(), holds: false });
    }

    fn call(&mut self, name: &str, argument: Option<Expr>, result: Option<VariableId>) {
        let result = result.map(|variable| self.lvalue(variable));
        let ty = result.as_ref().map_or(Type::Void, |lvalue| lvalue.ty.clone());
        let arguments: Vec<Expr> = argument.into_iter().collect();
        let parameters = arguments.iter().map(|argument| argument.ty.clone()).collect();
        let callee = Callee::Function(self.function(name, ty, parameters));
        self.step(Action::Call(Call { callee, arguments, result }));
    }

    /// Reads an input into a variable.
    pub fn input(&mut self, variable: VariableId) {
        let ty = self.program.variable(variable).ty.int().unwrap_or(IntType::WIDE);
        let sign = if ty.signed { 'i' } else { 'u' };
        self.call(&format!("__VERIFIER_nondet_{sign}{}", ty.bits()), None, Some(variable));
    }

    /// Ends the runs on which a condition does not hold.
    pub fn require(&mut self, condition: Expr) {
        self.call("__VERIFIER_assume", Some(condition), None);
    }

    /// States a theorem.
    pub fn fact(&mut self, condition: Expr) {
        self.call(FACT, Some(condition), None);
    }

    /// Asserts a condition, on which the runs that continue may rely. Returns the number of the assertion.
    pub fn assert(&mut self, condition: Expr) -> usize {
        self.call("assert", Some(condition.clone()), None);
        self.require(condition);
        self.assertions += 1;
        self.assertions - 1
    }
}
