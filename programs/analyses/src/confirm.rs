//! Confirms refutations by concrete runs of the interpreter before they are reported.

use std::collections::VecDeque;

use canonical::interpret::{Bounds, Fault, Host, Library, Machine, Memory, Stop, Value};
use canonical::{Function, FunctionId, IntType, NodeId, Program, Type};

use crate::unfold::library::{self, Kind};

/// A call that failed: the active calls, and the node before the call.
pub type Failure = (FunctionId, NodeId);

/// A function that is called at each node.
type Watch<'v> = Box<dyn FnMut(&Machine<'_>, FunctionId, NodeId) + 'v>;

/// The environment of a run: inputs in their order, and the library.
pub struct World<'v> {
    inputs: VecDeque<i128>,
    /// The values of inputs after the last given one.
    beyond: Box<dyn FnMut() -> i128 + 'v>,
    /// The inputs that were read.
    pub read: Vec<i128>,
    /// The first failure.
    pub failure: Option<Failure>,
    /// Called at each node.
    watch: Watch<'v>,
    last: Option<Failure>,
    library: Library,
}

impl<'v> World<'v> {
    /// An environment with these inputs; further inputs are zero.
    pub fn new(inputs: &[i128]) -> Self {
        Self {
            inputs: inputs.iter().copied().collect(),
            beyond: Box::new(|| 0),
            read: Vec::new(),
            failure: None,
            watch: Box::new(|_, _, _| {}),
            last: None,
            library: Library::new(&[]),
        }
    }

    /// The value of inputs beyond the last.
    #[must_use]
    pub fn beyond(mut self, value: impl FnMut() -> i128 + 'v) -> Self {
        self.beyond = Box::new(value);
        self
    }

    /// A function that is called at each node.
    #[must_use]
    pub fn watch(mut self, watch: impl FnMut(&Machine<'_>, FunctionId, NodeId) + 'v) -> Self {
        self.watch = Box::new(watch);
        self
    }

    fn fail(&mut self) -> Stop {
        self.failure = self.failure.or(self.last);
        Stop::Abort
    }
}

impl Host for World<'_> {
    fn call(
        &mut self,
        memory: &mut Memory,
        function: &Function,
        arguments: &[Value],
        result: Option<&Type>,
    ) -> Result<Value, Stop> {
        let zero = || match arguments.first() {
            Some(Value::Int(value)) => *value == 0,
            Some(Value::Float(value)) => *value == 0.0,
            _ => false,
        };
        match library::kind(function) {
            Kind::Error => Err(self.fail()),
            Kind::Assert if zero() => Err(self.fail()),
            Kind::Assume if zero() => Err(Stop::Exit(0)),
            Kind::Assert | Kind::Assume | Kind::Fact => Ok(Value::Int(0)),
            Kind::Input => {
                let value = self.inputs.pop_front().unwrap_or_else(|| (self.beyond)());
                let value = converted(value, result.unwrap_or(&function.ty.result));
                if let Value::Int(value) = value {
                    self.read.push(value);
                }
                Ok(value)
            }
            _ => self.library.call(memory, function, arguments, result),
        }
    }

    fn visit(&mut self, machine: &Machine<'_>, function: FunctionId, node: NodeId) {
        (self.watch)(machine, function, node);
        let mut active = machine.active();
        let count = machine.active().count();
        let caller = (count >= 2).then(|| active.nth(count - 2)).flatten();
        // A function whose call is a failure has a body, and the body begins.
        if self.entered(machine, function, node)
            && let Some((by, Some(edge))) = caller
            && self.failure.is_none()
        {
            self.failure = machine
                .program()
                .function(by)
                .body
                .as_ref()
                .map(|graph| (by, graph.edge(edge).from));
        }
        self.last = Some((function, node));
    }
}

impl World<'_> {
    fn entered(&self, machine: &Machine<'_>, function: FunctionId, node: NodeId) -> bool {
        let about = machine.program().function(function);
        let begins = about.body.as_ref().is_some_and(|graph| graph.entry == node);
        begins && library::kind(about) == Kind::Error
    }
}

#[allow(clippy::cast_precision_loss)] // An input, which may be any.
fn converted(value: i128, ty: &Type) -> Value {
    match ty {
        Type::Int(int) => Value::Int(int.convert(value)),
        Type::Float(_) => Value::Float(value as f64),
        _ => Value::Int(IntType::INT.convert(value)),
    }
}

/// The maximum number of edges of a run that confirms a refutation.
const STEPS: u64 = 2_000_000;

/// Runs a program on inputs; returns the failure with which it ends, and the inputs that it read.
pub fn run(program: &Program, entry: FunctionId, inputs: &[i128]) -> (Option<Failure>, Vec<i128>) {
    let mut world = World::new(inputs);
    let mut machine = Machine::new(program, Bounds { steps: STEPS, ..Bounds::default() });
    let arguments: Vec<Value> =
        program.function(entry).parameters.iter().map(|_| Value::Int(0)).collect();
    let stop = machine.run(&mut world, entry, &arguments);
    // Undefined behaviour before the failure would have ended the run, except through memory.
    let limit = matches!(stop, Stop::Undefined(Fault::OutOfMemory, _));
    (world.failure.filter(|_| !limit), world.read)
}
