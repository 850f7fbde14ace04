//! The client: King's symbolic execution (*Symbolic Execution and Program Testing*, 1976), path by path.
//!
//! It does not use answers of others. If its bounds do not suffice for all paths, it abandons the rest. It then knows
//! nothing at the nodes that the abandoned paths might reach, which over-approximates all of their states.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use canonical::{Action, Call, Callee, FunctionId, IntType, NodeId, Type};

use super::access::{Access, any, offset};
use super::begin;
use super::execute::Executor;
use super::knowledge::{Knowledge, Seen};
use super::left::{self, calls};
use super::path::{Frame, Halt, Object, Path, Value};
use super::solve::{Answer, solve};
use super::term::{Condition, Term};
use crate::protocol::place::Segments;
use crate::protocol::{Client, Dereference, End, Formula, Progress, Report, Server, Spot, Verdict};
use crate::unfold::Unfolding;
use crate::unfold::library::{self, Kind};

/// The maximum number of edges of the exploration.
const EDGES: u64 = 200_000;
const QUERIES: u64 = 800;
/// The maximum number of conditions of all queries together.
const CONDITIONS: usize = 60_000;
const PATHS: usize = 4_000;
/// The number of edges of a step.
const STEP: u64 = 100;
/// The maximum number of calls that are active at once.
const DEPTH: usize = 400;

/// A client.
pub struct Symbolic {
    unfolding: Arc<Unfolding>,
    segments: Arc<Segments>,
    pending: VecDeque<Path>,
    knowledge: Knowledge,
    /// Nodes about which nothing is known because paths to them were abandoned.
    left: BTreeSet<(FunctionId, NodeId)>,
    /// Changes that have not been reported to others yet.
    changed: BTreeSet<Spot>,
    refuted: BTreeMap<usize, Vec<i128>>,
    edges: u64,
    queries: u64,
    conditions: usize,
    begun: bool,
}

/// The outcome of an edge.
enum Next {
    One,
    Forked(Vec<Path>),
    Ended,
}

impl Symbolic {
    /// A client at its beginning.
    pub fn new(unfolding: Arc<Unfolding>, segments: Arc<Segments>) -> Self {
        Self {
            unfolding,
            segments,
            pending: VecDeque::new(),
            knowledge: Knowledge::default(),
            left: BTreeSet::new(),
            changed: BTreeSet::new(),
            refuted: BTreeMap::new(),
            edges: 0,
            queries: 0,
            conditions: 0,
            begun: false,
        }
    }

    fn begin(&mut self) {
        self.begun = true;
        let program = self.unfolding.program.clone();
        match begin::first(&program, self.unfolding.contexts[0].function) {
            Ok(path) => self.pending.push_back(path),
            Err(path) => self.leave(&path),
        }
    }

    /// Follows a path to its next fork, or for some edges.
    fn follow(&mut self, mut path: Path) {
        for _ in 0..STEP {
            self.edges += 1;
            self.record(&path);
            match self.edge(&mut path) {
                Ok(Next::One) => {}
                Ok(Next::Ended) => return,
                Ok(Next::Forked(paths)) => return self.pending.extend(paths),
                Err(Halt::Ends) => return,
                Err(Halt::Abandoned) => return self.leave(&path),
            }
        }
        self.pending.push_back(path);
    }

    /// Records the memory at nodes where paths meet.
    fn record(&mut self, path: &Path) {
        let Some(frame) = path.frames.last() else { return };
        let place = (frame.function, frame.node);
        if !self.is_noted(place) || self.left.contains(&place) {
            return;
        }
        let calls = calls(path);
        let seen = Seen::of(path, &self.segments);
        if self.knowledge.add((place.0, place.1, calls.clone()), seen) {
            self.changed.insert(Spot::called(place.0, place.1, calls));
        }
    }

    /// Returns true for nodes where paths meet. Functions return without a visit to their exits.
    fn is_noted(&self, (function, node): (FunctionId, NodeId)) -> bool {
        let graph = self.unfolding.program.function(function).body.as_ref();
        let meets = |graph: &canonical::Graph| {
            graph.nodes.get(node.index()).is_some_and(|node| node.incoming.len() >= 2)
        };
        graph.is_some_and(|graph| node != graph.exit && meets(graph))
    }

    /// Takes one edge.
    fn edge(&mut self, path: &mut Path) -> Result<Next, Halt> {
        let program = self.unfolding.program.clone();
        let executor = Executor { program: &program };
        let frame = path.frames.last().ok_or(Halt::Ends)?;
        let graph = program.function(frame.function).body.as_ref().ok_or(Halt::Abandoned)?;
        let node = frame.node;
        if node == graph.exit {
            return self.result(path, None).map(|()| Next::One);
        }
        let outgoing = &graph.node(node).outgoing;
        let [only] = outgoing.as_slice() else { return self.fork(path, graph) };
        let edge = graph.edge(*only);
        match &edge.action {
            Action::Guard { .. } => return self.fork(path, graph),
            Action::Nothing => {}
            Action::Assign { target, value } => executor.assign(path, target, value)?,
            Action::Return(value) => {
                let scalar = value.as_ref().filter(|value| value.ty.is_scalar());
                let returned = match scalar {
                    Some(value) => Some(executor.evaluate(path, value)?),
                    None if value.as_ref().is_some_and(|value| value.ty != Type::Void) => {
                        return Err(Halt::Abandoned);
                    }
                    None => None,
                };
                return self.result(path, returned).map(|()| Next::One);
            }
            Action::Call(call) => {
                if let Some(frame) = path.frames.last_mut() {
                    frame.waiting = Some(*only);
                }
                return self.call(path, call);
            }
        }
        if let Some(frame) = path.frames.last_mut() {
            frame.node = edge.to;
        }
        Ok(Next::One)
    }

    /// Takes all edges of a node that can be taken.
    fn fork(&mut self, path: &mut Path, graph: &canonical::Graph) -> Result<Next, Halt> {
        let program = self.unfolding.program.clone();
        let executor = Executor { program: &program };
        let node = path.frames.last().ok_or(Halt::Ends)?.node;
        let mut paths = Vec::new();
        for id in &graph.node(node).outgoing {
            let edge = graph.edge(*id);
            let mut taken = path.clone();
            let met = match &edge.action {
                Action::Guard { condition, holds } => {
                    let value = executor.evaluate(&mut taken, condition);
                    self.guard(&mut taken, value, *holds)
                }
                Action::Nothing => Ok(()),
                _ => Err(Halt::Abandoned),
            };
            match met {
                Ok(()) => {
                    if let Some(frame) = taken.frames.last_mut() {
                        frame.node = edge.to;
                    }
                    paths.push(taken);
                }
                Err(Halt::Ends) => {}
                Err(Halt::Abandoned) => return Err(Halt::Abandoned),
            }
        }
        match paths.len() {
            0 => Ok(Next::Ended),
            1 => {
                if let Some(only) = paths.pop() {
                    *path = only;
                }
                Ok(Next::One)
            }
            _ => Ok(Next::Forked(paths)),
        }
    }

    /// Requires that a value is zero, or that it is not.
    fn guard(
        &mut self,
        path: &mut Path,
        value: Result<Value, Halt>,
        holds: bool,
    ) -> Result<(), Halt> {
        let term = match value? {
            Value::Int(term) => term,
            Value::Pointer(object, _) => Term::number(object.is_some().into(), IntType::INT),
            Value::Function(_) => Term::number(1, IntType::INT),
            Value::Other => path.unknown(IntType::BOOL, false),
        };
        if let Some(value) = term.constant() {
            return if (value != 0) == holds { Ok(()) } else { Err(Halt::Ends) };
        }
        path.require(if holds { Condition::True(term) } else { Condition::False(term) });
        self.satisfy(path)
    }

    /// Finds inputs for a path; returns an error if there are none.
    fn satisfy(&mut self, path: &mut Path) -> Result<(), Halt> {
        if path.fits {
            return Ok(());
        }
        self.queries += 1;
        self.conditions += path.conditions.len();
        match solve(&path.conditions, &path.types()) {
            Answer::Inputs(inputs) => {
                path.model = inputs;
                path.fits = true;
                Ok(())
            }
            Answer::None => Err(Halt::Ends),
            Answer::Unknown => Err(Halt::Abandoned),
        }
    }

    /// Ends the innermost function.
    fn result(&mut self, path: &mut Path, value: Option<Value>) -> Result<(), Halt> {
        let program = self.unfolding.program.clone();
        let frame = path.frames.pop().ok_or(Halt::Ends)?;
        for object in frame.variables.values() {
            path.object(*object).alive = false;
        }
        self.resume(path, &program, value)
    }

    /// Continues after a call.
    fn resume(
        &mut self,
        path: &mut Path,
        program: &canonical::Program,
        value: Option<Value>,
    ) -> Result<(), Halt> {
        let frame = path.frames.last_mut().ok_or(Halt::Ends)?;
        let graph = program.function(frame.function).body.as_ref().ok_or(Halt::Abandoned)?;
        let edge = graph.edge(frame.waiting.take().ok_or(Halt::Abandoned)?);
        frame.node = edge.to;
        let Action::Call(Call { result: Some(result), .. }) = &edge.action else { return Ok(()) };
        let executor = Executor { program };
        let value = match value {
            Some(value) => value,
            None => any(path, &result.ty)?,
        };
        let (object, at) = executor.locate(path, result)?;
        Access { program }.store(path, object, &at, &result.ty, &value)
    }

    fn call(&mut self, path: &mut Path, call: &Call) -> Result<Next, Halt> {
        let program = self.unfolding.program.clone();
        let executor = Executor { program: &program };
        let target = match &call.callee {
            Callee::Function(id) => *id,
            Callee::Pointer { pointer, .. } => match executor.evaluate(path, pointer)? {
                Value::Function(id) => id,
                Value::Pointer(None, _) => return Err(Halt::Ends),
                _ => return Err(Halt::Abandoned),
            },
        };
        let function = program.function(target);
        let kind = library::kind_of_call(&program, function, &call.arguments);
        match kind {
            Kind::Error => {
                self.fails(path)?;
                if function.body.is_none() {
                    return if function.no_return {
                        Ok(Next::Ended)
                    } else {
                        self.resume(path, &program, None).map(|()| Next::One)
                    };
                }
                self.enter(path, call, target)
            }
            Kind::Body => self.enter(path, call, target),
            Kind::Assert | Kind::Assume => {
                let argument = call.arguments.first().ok_or(Halt::Abandoned)?;
                let value = executor.evaluate(path, argument)?;
                if kind == Kind::Assert {
                    let mut failing = path.clone();
                    match self.guard(&mut failing, Ok(value.clone()), false) {
                        Ok(()) => self.fails(&mut failing)?,
                        Err(Halt::Ends) => {}
                        Err(Halt::Abandoned) => return Err(Halt::Abandoned),
                    }
                }
                self.guard(path, Ok(value), true)?;
                self.resume(path, &program, None).map(|()| Next::One)
            }
            Kind::Input => {
                let value = match &function.ty.result {
                    Type::Int(int) => Some(Value::Int(path.unknown(*int, true))),
                    _ => Some(Value::Other),
                };
                self.resume(path, &program, value).map(|()| Next::One)
            }
            Kind::Pure => {
                let value = self.library(path, call, &function.name)?;
                self.resume(path, &program, value).map(|()| Next::One)
            }
            // The condition holds anyway, and would burden all queries to Z3.
            Kind::Fact => self.resume(path, &program, None).map(|()| Next::One),
            Kind::Ends => Ok(Next::Ended),
            Kind::Unknown => Err(Halt::Abandoned),
        }
    }

    /// Returns the value of a library function; `None` represents any value.
    fn library(&mut self, path: &mut Path, call: &Call, name: &str) -> Result<Option<Value>, Halt> {
        let program = self.unfolding.program.clone();
        let executor = Executor { program: &program };
        let plain = name.strip_prefix("__builtin_").unwrap_or(name);
        let zero = plain == "calloc";
        if !matches!(plain, "malloc" | "calloc" | "alloca") {
            return Ok(None);
        }
        let mut size = 1_i128;
        for argument in &call.arguments {
            let Value::Int(term) = executor.evaluate(path, argument)? else {
                return Err(Halt::Abandoned);
            };
            size = size.saturating_mul(term.constant().ok_or(Halt::Abandoned)?);
        }
        if !(0..1 << 24).contains(&size) {
            return Err(Halt::Abandoned);
        }
        let object = path.allocate(Object::new(size, zero));
        Ok(Some(Value::Pointer(Some(object), offset(0))))
    }

    fn enter(&mut self, path: &mut Path, call: &Call, target: FunctionId) -> Result<Next, Halt> {
        let program = self.unfolding.program.clone();
        let executor = Executor { program: &program };
        let function = program.function(target);
        let graph = function.body.as_ref().ok_or(Halt::Abandoned)?;
        if path.frames.len() >= DEPTH || call.arguments.len() != function.parameters.len() {
            return Err(Halt::Abandoned);
        }
        let mut values = Vec::new();
        for (argument, parameter) in call.arguments.iter().zip(&function.parameters) {
            if !argument.ty.is_scalar() || argument.ty != program.variable(*parameter).ty {
                return Err(Halt::Abandoned);
            }
            values.push(executor.evaluate(path, argument)?);
        }
        let frame =
            Frame { function: target, node: graph.entry, variables: HashMap::new(), waiting: None };
        path.frames.push(frame);
        for (parameter, value) in function.parameters.iter().zip(values) {
            let object = executor.variable(path, *parameter)?;
            Access { program: &program }.store(
                path,
                object,
                &offset(0),
                &program.variable(*parameter).ty,
                &value,
            )?;
        }
        Ok(Next::One)
    }

    /// Records that a path fails the assertion at its node.
    fn fails(&mut self, path: &mut Path) -> Result<(), Halt> {
        self.satisfy(path)?;
        let Some(frame) = path.frames.last() else { return Ok(()) };
        let (place, calls) = ((frame.function, frame.node), calls(path));
        for (k, assertion) in self.unfolding.assertions.iter().enumerate() {
            let (context, node) = self.unfolding.node(assertion.point);
            let here = (self.unfolding.context(context).function, node) == place;
            if here
                && self.unfolding.calls(context).is_none_or(|known| known == calls)
                && !self.refuted.contains_key(&k)
            {
                self.refuted.insert(k, path.real_inputs());
            }
        }
        Ok(())
    }

    /// Abandons a path. Nothing is known any more about the nodes that it might reach.
    fn leave(&mut self, path: &Path) {
        for place in left::reachable(&self.unfolding.program, path) {
            if self.left.insert(place) && self.is_noted(place) {
                self.changed.insert(Spot::anywhere(place.0, place.1));
            }
        }
    }

    fn leave_all(&mut self) {
        for path in std::mem::take(&mut self.pending) {
            self.leave(&path);
        }
    }
}

impl Client for Symbolic {
    fn name(&self) -> &'static str {
        "symbolic"
    }

    fn step(&mut self, server: &mut dyn Server) -> Progress {
        if !self.begun {
            self.begin();
        } else if let Some(path) = self.pending.pop_front() {
            self.follow(path);
            let asked = self.queries > QUERIES || self.conditions > CONDITIONS;
            if asked || self.edges > EDGES || self.pending.len() > PATHS {
                self.leave_all();
            }
        }
        for spot in std::mem::take(&mut self.changed) {
            server.on_location_outdated(&spot);
        }
        if self.pending.is_empty() { Progress::Finished } else { Progress::Worked }
    }

    fn get_values(&mut self, spot: &Spot, wanted: &[Dereference]) -> String {
        let place = (spot.function, spot.node);
        if spot.filter.branching || self.left.contains(&place) || !self.is_noted(place) {
            return Formula::True.to_string();
        }
        let calls = spot.filter.call.then_some(spot.edges.as_slice());
        self.knowledge.formula(place, calls, wanted).to_string()
    }

    fn on_location_outdated(&mut self, _: &Spot) {}

    fn is_memory_over_approximated(&mut self) -> bool {
        self.begun && self.pending.is_empty()
    }

    fn can_improve_memory_over_approximation(&mut self) -> bool {
        !self.is_memory_over_approximated()
    }

    fn conclude(&mut self) {}

    fn report(&mut self) -> Report {
        let ended = self.is_memory_over_approximated();
        let verdict = |(k, assertion): (usize, &crate::unfold::Assertion)| {
            let (context, node) = self.unfolding.node(assertion.point);
            let place = (self.unfolding.context(context).function, node);
            match self.refuted.get(&k) {
                Some(inputs) => Verdict::Refuted(inputs.clone()),
                None if ended && !self.left.contains(&place) => Verdict::Proved,
                None => Verdict::Unknown,
            }
        };
        let verdicts = self.unfolding.assertions.iter().enumerate().map(verdict).collect();
        let end = match (ended, self.left.is_empty()) {
            (true, true) => End::Success,
            (true, false) => End::Failure,
            (false, _) => End::TimeOut,
        };
        Report { end, verdicts, invariants: Vec::new() }
    }
}
