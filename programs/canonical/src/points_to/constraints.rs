//! Constraints on the sets of objects to which pointers may point.

use super::library::{Model, model};
use crate::model::{
    Action, Binary, Call, Callee, EdgeId, Expr, ExprKind, FunctionId, Graph, Initial, IntRank,
    Lvalue, LvalueBase, Program, Type, VariableId,
};

/// A set of objects. Objects are nodes too: the node of an object is the set of objects to which its content may point.
pub type Node = u32;

/// A call through a pointer.
#[derive(Debug, Clone)]
pub struct Site {
    pub function: FunctionId,
    pub edge: EdgeId,
    pub pointer: Node,
    pub arguments: Vec<Node>,
    pub result: Option<Node>,
}

/// Inclusions between sets.
#[derive(Debug, Default)]
pub struct Constraints {
    /// `set ∋ object`
    pub members: Vec<(Node, Node)>,
    /// `superset ⊇ set`
    pub copies: Vec<(Node, Node)>,
    /// `superset ⊇ *pointer`
    pub loads: Vec<(Node, Node)>,
    /// `*pointer ⊇ set`
    pub stores: Vec<(Node, Node)>,
    pub sites: Vec<Site>,
    /// The number of nodes.
    pub nodes: u32,
    variables: u32,
    functions: u32,
}

impl Constraints {
    /// The constraints of a program.
    pub fn of(program: &Program) -> Self {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX / 4);
        let (variables, functions) =
            (count(program.variables.len()), count(program.functions.len()));
        // Variables, functions, results of functions, and everything external.
        let nodes = variables + 2 * functions + 1;
        let mut all = Self { nodes, variables, functions, ..Self::default() };
        let outside = all.outside();
        all.members.push((outside, outside));
        all.loads.push((outside, outside));
        all.stores.push((outside, outside));
        all.initial(program);
        for (id, _, graph) in program.defined() {
            all.graph(program, id, graph);
        }
        all.entries(program);
        all
    }

    fn variable(&self, id: VariableId) -> Node {
        id.0
    }

    /// The object of a function.
    pub fn function(&self, id: FunctionId) -> Node {
        self.variables + id.0
    }

    /// The function of an object.
    pub fn as_function(&self, node: Node) -> Option<FunctionId> {
        let k = node.checked_sub(self.variables)?;
        (k < self.functions).then_some(FunctionId(k))
    }

    /// The results of a function.
    pub fn result(&self, id: FunctionId) -> Node {
        self.variables + self.functions + id.0
    }

    /// The object of all code and memory that is not in the program.
    pub fn outside(&self) -> Node {
        self.variables + 2 * self.functions
    }

    /// The functions whose address is taken, ascending.
    pub fn taken(&self) -> Vec<FunctionId> {
        let mut all: Vec<FunctionId> =
            self.members.iter().filter_map(|(_, object)| self.as_function(*object)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn fresh(&mut self) -> Node {
        self.nodes += 1;
        self.nodes - 1
    }

    fn initial(&mut self, program: &Program) {
        for (k, variable) in program.variables.iter().enumerate() {
            let node = self.variable(VariableId::new(k));
            match &variable.initial {
                Initial::Values(values) => {
                    for (_, value) in values {
                        self.flow(value, node);
                    }
                }
                Initial::Unknown => self.copies.push((node, self.outside())),
                Initial::None => {}
            }
        }
    }

    /// Functions that external code may call receive arguments from outside.
    fn entries(&mut self, program: &Program) {
        let mut called = vec![false; program.functions.len()];
        for (_, _, graph) in program.defined() {
            for (_, call) in graph.calls() {
                if let Callee::Function(id) = call.callee {
                    called[id.index()] = true;
                }
            }
        }
        for (id, function, _) in program.defined() {
            if !called[id.index()] && !function.internal {
                for parameter in &function.parameters {
                    self.copies.push((self.variable(*parameter), self.outside()));
                }
            }
        }
    }

    fn graph(&mut self, program: &Program, function: FunctionId, graph: &Graph) {
        for (k, edge) in graph.edges.iter().enumerate() {
            match &edge.action {
                Action::Assign { target, value } if holds_pointers(&value.ty) => {
                    self.store(target, value);
                }
                Action::Return(Some(value)) => self.flow(value, self.result(function)),
                Action::Call(call) => self.call(program, function, EdgeId::new(k), call),
                _ => {}
            }
        }
    }

    fn call(&mut self, program: &Program, function: FunctionId, edge: EdgeId, call: &Call) {
        let result = call.result.as_ref().map(|target| self.target(target));
        match &call.callee {
            Callee::Function(id) if program.function(*id).body.is_some() => {
                let parameters = &program.function(*id).parameters;
                for (argument, parameter) in call.arguments.iter().zip(parameters) {
                    self.flow(argument, self.variable(*parameter));
                }
                // `va_arg` reads further arguments; its results come from outside.
                for argument in call.arguments.iter().skip(parameters.len()) {
                    self.flow(argument, self.outside());
                }
                if let Some(result) = result {
                    self.copies.push((result, self.result(*id)));
                }
            }
            Callee::Function(id) => {
                self.external(&program.function(*id).name, &call.arguments, result);
            }
            Callee::Pointer { pointer, .. } => {
                let pointer = self.value(pointer);
                let arguments = call.arguments.iter().map(|a| self.value(a)).collect();
                self.sites.push(Site { function, edge, pointer, arguments, result });
            }
        }
    }

    /// A call of a function without a body.
    fn external(&mut self, name: &str, arguments: &[Expr], result: Option<Node>) {
        let model = model(name);
        if matches!(model, Model::Allocates | Model::Reallocates) {
            let memory = self.fresh();
            self.members.extend(result.map(|result| (result, memory)));
        }
        if matches!(model, Model::ReturnsFirst | Model::Copies | Model::Reallocates)
            && let (Some(result), Some(first)) = (result, arguments.first())
        {
            self.flow(first, result);
        }
        if let (Model::Copies, [to, from, ..]) = (model, arguments) {
            let (to, from, content) = (self.value(to), self.value(from), self.fresh());
            self.loads.push((content, from));
            self.stores.push((to, content));
        }
        // It returns arguments of callers, which count as external.
        if name == "__builtin_va_arg" {
            self.copies.extend(result.map(|result| (result, self.outside())));
        }
        if model == Model::Unknown {
            for argument in arguments {
                self.flow(argument, self.outside());
            }
            self.copies.extend(result.map(|result| (result, self.outside())));
        }
    }

    fn store(&mut self, target: &Lvalue, value: &Expr) {
        match &target.base {
            LvalueBase::Variable(id) => self.flow(value, self.variable(*id)),
            LvalueBase::Deref(pointer) => {
                let (pointer, value) = (self.value(pointer), self.value(value));
                self.stores.push((pointer, value));
            }
        }
    }

    /// A node whose members are stored in an lvalue.
    fn target(&mut self, target: &Lvalue) -> Node {
        match &target.base {
            LvalueBase::Variable(id) => self.variable(*id),
            LvalueBase::Deref(pointer) => {
                let (pointer, value) = (self.value(pointer), self.fresh());
                self.stores.push((pointer, value));
                value
            }
        }
    }

    /// A node with the objects to which a value may point.
    fn value(&mut self, value: &Expr) -> Node {
        if let ExprKind::Load(lvalue) = &value.kind
            && let LvalueBase::Variable(id) = lvalue.base
        {
            return self.variable(id);
        }
        let node = self.fresh();
        self.flow(value, node);
        node
    }

    /// Adds the objects to which a value may point to a node.
    fn flow(&mut self, value: &Expr, to: Node) {
        match &value.kind {
            ExprKind::Load(lvalue) => match &lvalue.base {
                _ if !holds_pointers(&lvalue.ty) => {}
                LvalueBase::Variable(id) => self.copies.push((to, self.variable(*id))),
                LvalueBase::Deref(pointer) => {
                    let pointer = self.value(pointer);
                    self.loads.push((to, pointer));
                }
            },
            ExprKind::AddressOf(lvalue) => match &lvalue.base {
                LvalueBase::Variable(id) => self.members.push((to, self.variable(*id))),
                // A part of an object counts as the whole object.
                LvalueBase::Deref(pointer) => self.flow(pointer, to),
            },
            ExprKind::Function(id) => self.members.push((to, self.function(*id))),
            ExprKind::Cast(operand) => self.flow(operand, to),
            ExprKind::Unary(_, operand) if calculates_bytes(&value.ty) => self.flow(operand, to),
            ExprKind::Binary(operator, left, right) if calculates_pointers(*operator, value) => {
                self.flow(left, to);
                self.flow(right, to);
            }
            ExprKind::Unknown if holds_pointers(&value.ty) => {
                self.copies.push((to, self.outside()));
            }
            _ => {}
        }
    }
}

fn calculates_pointers(operator: Binary, value: &Expr) -> bool {
    !operator.is_comparison() && calculates_bytes(&value.ty)
}

/// Returns true if values of the type may be calculated from pointers or from their bytes.
fn calculates_bytes(ty: &Type) -> bool {
    holds_pointers(ty) || matches!(ty, Type::Int(_))
}

/// Returns true if values of the type may hold pointers.
fn holds_pointers(ty: &Type) -> bool {
    match ty {
        // Pointers are copied as numbers of their width, or byte by byte.
        Type::Int(int) => int.bits() == 64 || int.rank == IntRank::Char,
        Type::Array(element, _) => holds_pointers(element),
        Type::Float(_) | Type::Void => false,
        Type::Pointer(_) | Type::Function(_) | Type::Composite(_) => true,
    }
}
