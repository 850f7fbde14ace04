//! Runs canonical programs on concrete values.
//!
//! The interpreter is for tests, which compare the front end with compiled programs, and check that the invariants of
//! analyses hold on every run. Integers have C semantics. Undefined behaviour ends the run with a [`Fault`] and its
//! place. Reads of values that were never written are not noticed, because such bytes have a fixed value. The [`Host`]
//! implements functions without a body.

mod eval;
mod fault;
mod format;
mod library;
mod memory;

use std::collections::HashMap;

use crate::model::{
    Action, Call, Callee, EdgeId, Expr, Function, FunctionId, Initial, NodeId, Place, Program,
    Storage, Type, VariableId,
};

pub use fault::Fault;
pub use library::Library;
pub use memory::{Memory, function_address};

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// An integer, or a pointer as its address.
    Int(i128),
    /// A floating number.
    Float(f64),
    /// A struct, a union or an array.
    Bytes(Vec<u8>),
    /// The value of a function that does not return one.
    Void,
}

/// The end of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    /// The function returned.
    Returned(Value),
    /// The program called `exit` with this status.
    Exit(i32),
    /// The program called `abort`, or an assertion failed.
    Abort,
    /// Undefined behaviour, and the place of the edge.
    Undefined(Fault, Option<Place>),
    /// The bound on steps was reached.
    Steps,
    /// Calls nest deeper than the bound.
    Depth,
    /// A function without a body, which the host does not know.
    External(String),
    /// No edge can be taken: a guard is missing, or a function that never returns did.
    Stuck(Option<Place>),
}

/// Bounds of a run.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// The maximum number of edges.
    pub steps: u64,
    /// Most calls that are active at once.
    pub depth: usize,
    /// The maximum number of bytes of memory.
    pub memory: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { steps: 10_000_000, depth: 10_000, memory: 256 << 20 }
    }
}

/// The environment of a program.
pub trait Host {
    /// Calls a function that has no body; `result` is the type that the caller expects.
    ///
    /// # Errors
    /// Returns the reason why the run ends.
    fn call(
        &mut self,
        memory: &mut Memory,
        function: &Function,
        arguments: &[Value],
        result: Option<&Type>,
    ) -> Result<Value, Stop>;

    /// A value for [`ExprKind::Unknown`](crate::ExprKind::Unknown), or of a variable that no file
    /// defines. It is converted to the type.
    fn unknown(&mut self, _ty: &Type) -> i128 {
        0
    }

    /// Returns the edge to take if any of `count` edges may be taken.
    fn choose(&mut self, _count: usize) -> usize {
        0
    }

    /// Called at each node before one of its edges is taken.
    fn visit(&mut self, _machine: &Machine<'_>, _function: FunctionId, _node: NodeId) {}
}

/// An activation of a function.
#[derive(Debug)]
struct Frame {
    function: FunctionId,
    node: NodeId,
    /// The addresses of variables that were used.
    variables: HashMap<VariableId, u64>,
    /// Arguments beyond the parameters.
    further: Vec<Value>,
    /// The call for which this frame waits.
    waiting: Option<EdgeId>,
    /// Memory that is freed when the frame ends.
    allocated: Vec<u64>,
}

/// A running program.
#[derive(Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    memory: Memory,
    /// The addresses of variables with static storage, and of strings.
    statics: HashMap<VariableId, u64>,
    strings: HashMap<u32, u64>,
    frames: Vec<Frame>,
    steps: u64,
    bounds: Bounds,
}

impl<'p> Machine<'p> {
    /// A machine before the program's first step.
    pub fn new(program: &'p Program, bounds: Bounds) -> Self {
        Self {
            program,
            memory: Memory::new(bounds.memory),
            statics: HashMap::new(),
            strings: HashMap::new(),
            frames: Vec::new(),
            steps: 0,
            bounds,
        }
    }

    /// The memory.
    pub fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The number of edges that were taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the value of a scalar variable of the current activation or of the program; `None` if it was not used
    /// yet or is not a scalar.
    pub fn value(&self, variable: VariableId) -> Option<Value> {
        let frame = self.frames.last()?;
        let address = frame.variables.get(&variable).or(self.statics.get(&variable))?;
        let ty = &self.program.variable(variable).ty;
        ty.is_scalar().then(|| self.read(*address, ty, None).ok()).flatten()
    }

    /// Returns the bytes of a variable of the current activation or of the program; `None` if it was not used yet.
    pub fn bytes(&self, variable: VariableId) -> Option<&[u8]> {
        let frame = self.frames.last()?;
        let address = frame.variables.get(&variable).or(self.statics.get(&variable))?;
        let size = self.program.size(&self.program.variable(variable).ty)?;
        self.memory.read(*address, size).ok()
    }

    /// Returns the active functions, outermost first, each with the call for which it waits.
    pub fn active(&self) -> impl Iterator<Item = (FunctionId, Option<EdgeId>)> {
        self.frames.iter().map(|frame| (frame.function, frame.waiting))
    }

    /// Runs a function to the end of the run.
    pub fn run(&mut self, host: &mut dyn Host, function: FunctionId, arguments: &[Value]) -> Stop {
        let result = self.initialize(host).and_then(|()| {
            self.enter(function, arguments.to_vec())?;
            loop {
                if let Some(value) = self.step(host)? {
                    return Ok(value);
                }
            }
        });
        match result {
            Ok(value) => Stop::Returned(value),
            Err(stop) => stop,
        }
    }

    /// Gives all variables of static storage their initial values.
    fn initialize(&mut self, host: &mut dyn Host) -> Result<(), Stop> {
        let program = self.program;
        let fault = |fault| Stop::Undefined(fault, None);
        for (k, variable) in program.variables.iter().enumerate() {
            if matches!(variable.storage, Storage::Global | Storage::Static) {
                let size = program.size(&variable.ty).unwrap_or(0);
                let address = self.memory.allocate(size, true).map_err(fault)?;
                self.statics.insert(VariableId::new(k), address);
            }
        }
        for (k, variable) in program.variables.iter().enumerate() {
            match &variable.initial {
                Initial::Values(values) => {
                    for (target, value) in values {
                        let value = self.evaluate(value, host).map_err(fault)?;
                        self.store(target, &value, host).map_err(fault)?;
                    }
                }
                Initial::Unknown if variable.ty.is_scalar() => {
                    let unknown = Expr::unknown(variable.ty.clone());
                    let value = self.evaluate(&unknown, host).map_err(fault)?;
                    let address = self.statics[&VariableId::new(k)];
                    self.write(address, &variable.ty, None, &value).map_err(fault)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Begins an activation of a function that has a body.
    fn enter(&mut self, id: FunctionId, mut arguments: Vec<Value>) -> Result<(), Stop> {
        let function = self.program.function(id);
        let Some(graph) = &function.body else {
            return Err(Stop::External(function.name.clone()));
        };
        if self.frames.len() >= self.bounds.depth {
            return Err(Stop::Depth);
        }
        let further = arguments.split_off(arguments.len().min(function.parameters.len()));
        self.frames.push(Frame {
            function: id,
            node: graph.entry,
            variables: HashMap::new(),
            further,
            waiting: None,
            allocated: Vec::new(),
        });
        for (parameter, value) in function.parameters.iter().zip(arguments) {
            let ty = &self.program.variable(*parameter).ty;
            let fault = |fault| Stop::Undefined(fault, function.place);
            let address = self.address_of(*parameter).map_err(fault)?;
            self.write(address, ty, None, &value).map_err(fault)?;
        }
        Ok(())
    }

    /// Returns the address of a variable, which is allocated if necessary.
    fn address_of(&mut self, id: VariableId) -> Result<u64, Fault> {
        if let Some(address) = self.statics.get(&id) {
            return Ok(*address);
        }
        let Some(frame) = self.frames.last_mut() else { return Err(Fault::WildPointer) };
        if let Some(address) = frame.variables.get(&id) {
            return Ok(*address);
        }
        let size = self.program.size(&self.program.variable(id).ty).unwrap_or(0);
        let address = self.memory.allocate(size, false)?;
        frame.variables.insert(id, address);
        frame.allocated.push(address);
        Ok(address)
    }

    /// Takes one edge; returns the value of the outermost function when it returns.
    fn step(&mut self, host: &mut dyn Host) -> Result<Option<Value>, Stop> {
        let Some(frame) = self.frames.last() else { return Ok(Some(Value::Void)) };
        let (function, node) = (frame.function, frame.node);
        host.visit(self, function, node);
        let Some(graph) = &self.program.function(function).body else {
            return Err(Stop::Stuck(None));
        };
        if node == graph.exit {
            return self.leave(Value::Void, host);
        }
        if self.steps >= self.bounds.steps {
            return Err(Stop::Steps);
        }
        self.steps += 1;
        let edges = &graph.node(node).outgoing;
        let edge = self.choose(graph, edges, host)?;
        let place = graph.edge(edge).place;
        let fault = |fault| Stop::Undefined(fault, place);
        match &graph.edge(edge).action {
            Action::Nothing | Action::Guard { .. } => {}
            Action::Assign { target, value } => {
                let value = self.evaluate(value, host).map_err(fault)?;
                self.store(target, &value, host).map_err(fault)?;
            }
            Action::Return(value) => {
                let value = match value {
                    Some(value) => self.evaluate(value, host).map_err(fault)?,
                    None => Value::Void,
                };
                return self.leave(value, host);
            }
            Action::Call(call) => return self.call(call, edge, place, host).map(|()| None),
        }
        self.go_to(graph.edge(edge).to);
        Ok(None)
    }

    fn go_to(&mut self, node: NodeId) {
        if let Some(frame) = self.frames.last_mut() {
            frame.node = node;
        }
    }

    /// Chooses the edge to take among those of a node.
    fn choose(
        &mut self,
        graph: &crate::model::Graph,
        edges: &[EdgeId],
        host: &mut dyn Host,
    ) -> Result<EdgeId, Stop> {
        let mut open = Vec::new();
        for id in edges {
            let edge = graph.edge(*id);
            let Action::Guard { condition, holds } = &edge.action else {
                open.push(*id);
                continue;
            };
            let value = self.evaluate(condition, host);
            let value = value.map_err(|fault| Stop::Undefined(fault, edge.place))?;
            if is_true(&value) == *holds {
                return Ok(*id);
            }
        }
        let choice = if open.len() > 1 { host.choose(open.len()) } else { 0 };
        let place = edges.first().and_then(|edge| graph.edge(*edge).place);
        open.get(choice).copied().ok_or(Stop::Stuck(place))
    }

    fn call(
        &mut self,
        call: &Call,
        edge: EdgeId,
        place: Option<Place>,
        host: &mut dyn Host,
    ) -> Result<(), Stop> {
        let fault = |fault| Stop::Undefined(fault, place);
        let id = match &call.callee {
            Callee::Function(id) => *id,
            Callee::Pointer { pointer, .. } => {
                let pointer = self.evaluate(pointer, host).map_err(fault)?;
                self.function_of(&pointer).ok_or(fault(Fault::BadCall))?
            }
        };
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            arguments.push(self.evaluate(argument, host).map_err(fault)?);
        }
        let function = self.program.function(id);
        if let Some(frame) = self.frames.last_mut() {
            frame.waiting = Some(edge);
        }
        if function.body.is_some() {
            return self.enter(id, arguments);
        }
        let ty = call.result.as_ref().map(|result| &result.ty);
        let value = match self.builtin(&function.name, &arguments, ty).map_err(fault)? {
            Some(value) => value,
            None => match host.call(&mut self.memory, function, &arguments, ty) {
                // Hosts do not report places.
                Err(Stop::Undefined(what, None)) => return Err(fault(what)),
                other => other?,
            },
        };
        self.resume(value, host)
    }

    fn function_of(&self, pointer: &Value) -> Option<FunctionId> {
        let Value::Int(address) = pointer else { return None };
        let number = memory::function_at(u64::try_from(*address).ok()?)?;
        ((number as usize) < self.program.functions.len()).then_some(FunctionId(number))
    }

    /// Ends an activation.
    fn leave(&mut self, value: Value, host: &mut dyn Host) -> Result<Option<Value>, Stop> {
        let Some(frame) = self.frames.pop() else { return Ok(Some(value)) };
        for address in frame.allocated {
            // A program that frees a variable itself has already been stopped.
            let _ = self.memory.free(address);
        }
        if self.frames.is_empty() {
            return Ok(Some(value));
        }
        self.resume(value, host)?;
        Ok(None)
    }

    /// Continues after a call.
    fn resume(&mut self, value: Value, host: &mut dyn Host) -> Result<(), Stop> {
        let program = self.program;
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let (Some(edge), Some(graph)) =
            (frame.waiting.take(), &program.function(frame.function).body)
        else {
            return Err(Stop::Stuck(None));
        };
        let edge = graph.edge(edge);
        if let Action::Call(Call { result: Some(result), .. }) = &edge.action {
            let fault = |fault| Stop::Undefined(fault, edge.place);
            self.store(result, &value, host).map_err(fault)?;
        }
        self.go_to(edge.to);
        Ok(())
    }
}

/// Returns true for values that are not zero.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Int(value) => *value != 0,
        Value::Float(value) => *value != 0.0,
        Value::Bytes(_) | Value::Void => false,
    }
}
