//! Programs as one graph: each call of a function has a copy of its graph, a *context*.
//!
//! Calls that nest too deeply, and calls of functions that are already active, have no copy. Their function is analysed
//! once, starting from any memory, and the call itself may have any effect that the function can have. This is sound
//! for recursion, and keeps the graph finite.

mod access;
pub mod callbacks;
pub mod library;
pub mod memory;
mod own;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use canonical::order::conflicts;
use canonical::{
    Action, Callee, Edge, EdgeId, Expr, FunctionId, Graph, NodeId, Place, Program, Storage, Type,
    VariableId,
};

use serde::{Deserialize, Serialize};

use library::Kind;
use memory::{Memory, ObjectId};

/// A copy of a function's graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(pub u32);

/// A node of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId(pub u32);

/// A call by which a function was entered.
pub type CallEdge = (FunctionId, EdgeId);

/// A context.
#[derive(Debug, Clone)]
pub struct Context {
    /// The function.
    pub function: FunctionId,
    /// The calling context and its edge; `None` for the first function, and for functions that start from any memory.
    pub parent: Option<(ContextId, EdgeId)>,
    /// True if it begins with any memory.
    pub summary: bool,
    /// True if it, or a calling context, begins with any memory.
    pub below_summary: bool,
    /// The first of its points; the points are numbered like the nodes.
    pub first: u32,
    /// Objects of its variables.
    pub objects: HashMap<VariableId, ObjectId>,
    /// The object of its result.
    pub result: Option<ObjectId>,
}

/// The effect of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The effect of the edge, which is not a call.
    Edge,
    /// Arguments become parameters of a context.
    Enter(ContextId),
    /// The result of a context becomes that of the call.
    Leave(ContextId),
    /// A context that begins with any memory.
    EnterAny,
    /// A call that changes only its result.
    Value,
    /// A call whose argument is not zero.
    Assume,
    /// A call that may change everything that external code can reach.
    Anything,
}

/// A transition between points.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// The point before.
    pub from: PointId,
    /// The point after.
    pub to: PointId,
    /// The context to which the edge belongs.
    pub context: ContextId,
    /// The edge.
    pub edge: EdgeId,
    /// The effect.
    pub step: Step,
}

/// A place at which the program may fail.
#[derive(Debug, Clone)]
pub struct Assertion {
    /// The point before the call.
    pub point: PointId,
    /// The argument that must not be zero; `None` if the place must not be reached.
    pub condition: Option<Expr>,
    /// The place that a person would name, which is the call of the outermost function called "assert".
    pub place: Option<Place>,
}

/// Bounds of the graph.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Limits {
    /// The maximum nesting depth of calls.
    pub depth: usize,
    /// The number of points after which calls get no more copies.
    pub points: usize,
    /// True if widening stops at the constants of the program. In nested loops, the number of steps is then the product
    /// of the loops' numbers of steps.
    pub thresholds: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 12, points: 20_000, thresholds: true }
    }
}

/// A program as one graph.
#[derive(Debug, Clone)]
pub struct Unfolding {
    /// The program.
    pub program: Arc<Program>,
    /// The contexts; the first is that of the function in which execution begins.
    pub contexts: Vec<Context>,
    /// The context of each point.
    pub points: Vec<ContextId>,
    /// All links.
    pub links: Vec<Link>,
    /// Links that leave each point.
    pub outgoing: Vec<Vec<u32>>,
    /// Links that lead to each point.
    pub incoming: Vec<Vec<u32>>,
    /// The order in which points are best visited.
    pub rank: Vec<u32>,
    /// True for points at which loops begin.
    pub head: Vec<bool>,
    /// Objects of variables with static storage.
    pub statics: BTreeMap<VariableId, ObjectId>,
    /// Memory.
    pub memory: Memory,
    /// The places where it may fail.
    pub assertions: Vec<Assertion>,
    /// Assertions of functions that no run in the graph calls: the place, and the function.
    pub unreached: Vec<(Option<Place>, FunctionId)>,
    /// Reasons why nothing can be proved.
    pub remarks: Vec<String>,
    summaries: HashMap<FunctionId, ContextId>,
    ways: callbacks::Ways,
    /// The reason why external functions reach the program, if they do.
    reaches: Option<String>,
    /// The bounds.
    pub limits: Limits,
}

impl Unfolding {
    /// The graph of a program that begins with a function, which must have a body.
    ///
    /// # Errors
    /// There is no such function with a body.
    pub fn new(program: Arc<Program>, entry: &str, limits: Limits) -> Result<Self, String> {
        let program = own::without_own_assertions(program);
        let first = program.function_named(entry).filter(|id| program.function(*id).body.is_some());
        let first = first.ok_or_else(|| format!("there is no function `{entry}` with a body"))?;
        let mut memory = Memory::default();
        let mut statics = BTreeMap::new();
        for (k, variable) in program.variables.iter().enumerate() {
            if matches!(variable.storage, Storage::Global | Storage::Static) {
                let id = VariableId::new(k);
                let global = variable.storage == Storage::Global;
                statics.insert(id, memory.add(&program, Some(id), &variable.ty, global));
            }
        }
        let mut this = Self {
            ways: callbacks::Ways::new(&program),
            reaches: library::reaches_program(&program),
            program,
            contexts: Vec::new(),
            points: Vec::new(),
            links: Vec::new(),
            outgoing: Vec::new(),
            incoming: Vec::new(),
            rank: Vec::new(),
            head: Vec::new(),
            statics,
            memory,
            assertions: Vec::new(),
            unreached: Vec::new(),
            remarks: Vec::new(),
            summaries: HashMap::new(),
            limits,
        };
        this.add_context(first, None, false);
        let mut next = 0;
        while next < this.contexts.len() {
            this.connect(ContextId(u32::try_from(next).unwrap_or(u32::MAX)));
            next += 1;
        }
        this.order();
        this.place_assertions();
        this.remark();
        let entered = this.entered();
        this.unreached = callbacks::assertions(&this.program)
            .into_iter()
            .filter(|(function, _)| !entered.contains(function))
            .map(|(function, place)| (place, function))
            .collect();
        Ok(this)
    }

    fn add_context(
        &mut self,
        function: FunctionId,
        parent: Option<(ContextId, EdgeId)>,
        summary: bool,
    ) -> ContextId {
        let program = self.program.clone();
        let id = ContextId(u32::try_from(self.contexts.len()).unwrap_or(u32::MAX));
        let about = program.function(function);
        let mut objects = HashMap::new();
        for variable in about.parameters.iter().chain(&about.locals) {
            let entry = program.variable(*variable);
            if !matches!(entry.storage, Storage::Global | Storage::Static) {
                objects.insert(
                    *variable,
                    self.memory.add(&program, Some(*variable), &entry.ty, false),
                );
            }
        }
        let returns = about.ty.result != Type::Void;
        let result = returns.then(|| self.memory.add(&program, None, &about.ty.result, false));
        let below = summary || parent.is_some_and(|(p, _)| self.context(p).below_summary);
        let first = u32::try_from(self.points.len()).unwrap_or(u32::MAX);
        self.contexts.push(Context {
            function,
            parent,
            summary,
            below_summary: below,
            first,
            objects,
            result,
        });
        let nodes = about.body.as_ref().map_or(0, |graph| graph.nodes.len());
        self.points.extend(std::iter::repeat_n(id, nodes));
        self.outgoing.resize(self.points.len(), Vec::new());
        self.incoming.resize(self.points.len(), Vec::new());
        id
    }

    /// Adds the links of a context.
    fn connect(&mut self, id: ContextId) {
        let program = self.program.clone();
        let Some(graph) = &program.function(self.context(id).function).body else { return };
        for (k, edge) in graph.edges.iter().enumerate() {
            let edge_id = EdgeId::new(k);
            let (from, to) = (self.point(id, edge.from), self.point(id, edge.to));
            let Action::Call(call) = &edge.action else {
                self.link(Link { from, to, context: id, edge: edge_id, step: Step::Edge });
                continue;
            };
            // Without a known target, the call reaches an unknown function.
            let open = matches!(&call.callee, Callee::Pointer { targets, complete, .. }
                if !complete || targets.is_empty());
            if open {
                self.link(Link { from, to, context: id, edge: edge_id, step: Step::Anything });
                self.remark_once("a call through a pointer may call functions that are not there");
            }
            for target in call.callee.targets() {
                self.call(id, edge_id, edge, *target);
            }
        }
    }

    /// Adds the links of a call of one function.
    fn call(&mut self, id: ContextId, edge_id: EdgeId, edge: &Edge, target: FunctionId) {
        let program = self.program.clone();
        let function = program.function(target);
        let (from, to) = (self.point(id, edge.from), self.point(id, edge.to));
        let link = |step| Link { from, to, context: id, edge: edge_id, step };
        let Action::Call(call) = &edge.action else { return };
        if function.body.is_none()
            && !function.name.starts_with("__VERIFIER_")
            && let Some(why) = self.reaches.clone()
        {
            self.remark_once(&why);
        }
        match library::kind_of_call(&program, function, &call.arguments) {
            Kind::Body => self.enter(id, edge_id, edge, target),
            Kind::Error => {
                self.assertions.push(Assertion { point: from, condition: None, place: edge.place });
                match &function.body {
                    Some(_) => self.enter(id, edge_id, edge, target),
                    None if function.no_return => {}
                    None => self.link(link(Step::Value)),
                }
            }
            Kind::Assert => {
                let condition = call.arguments.first().cloned();
                self.assertions.push(Assertion { point: from, condition, place: edge.place });
                self.link(link(Step::Value));
            }
            Kind::Assume | Kind::Fact => self.link(link(Step::Assume)),
            Kind::Input | Kind::Pure => self.link(link(Step::Value)),
            Kind::Ends => {}
            Kind::Unknown => {
                if library::begins_threads(&function.name) {
                    self.remark_once("the program begins threads");
                } else if call.arguments.iter().any(|a| callbacks::taken(&program, a).is_some()) {
                    self.remark_once("a function that is not there gets the address of a function");
                } else if let Some(why) = self.ways.reason(&program, &call.arguments) {
                    self.remark_once(&why);
                }
                self.link(link(Step::Anything));
            }
        }
    }

    /// Adds the links of a call of a function with a body.
    fn enter(&mut self, id: ContextId, edge_id: EdgeId, edge: &Edge, target: FunctionId) {
        let program = self.program.clone();
        let Some(graph) = &program.function(target).body else { return };
        let (from, to) = (self.point(id, edge.from), self.point(id, edge.to));
        let (active, depth) = self.is_active(id, target);
        if active || depth >= self.limits.depth || self.points.len() > self.limits.points {
            let summary = match self.summaries.get(&target) {
                Some(known) => *known,
                None => {
                    let made = self.add_context(target, None, true);
                    self.summaries.insert(target, made);
                    made
                }
            };
            let entry = self.point(summary, graph.entry);
            self.link(Link { from, to: entry, context: id, edge: edge_id, step: Step::EnterAny });
            self.link(Link { from, to, context: id, edge: edge_id, step: Step::Anything });
            return;
        }
        let child = self.add_context(target, Some((id, edge_id)), false);
        let (entry, exit) = (self.point(child, graph.entry), self.point(child, graph.exit));
        self.link(Link { from, to: entry, context: id, edge: edge_id, step: Step::Enter(child) });
        self.link(Link { from: exit, to, context: id, edge: edge_id, step: Step::Leave(child) });
    }

    /// Returns true if a function is active in a context, and the number of active functions.
    fn is_active(&self, id: ContextId, function: FunctionId) -> (bool, usize) {
        let (mut active, mut depth, mut at) = (false, 0, Some(id));
        while let Some(context) = at {
            active |= self.context(context).function == function;
            depth += 1;
            at = self.context(context).parent.map(|(parent, _)| parent);
        }
        (active, depth)
    }

    fn link(&mut self, link: Link) {
        let number = u32::try_from(self.links.len()).unwrap_or(u32::MAX);
        self.links.push(link);
        self.outgoing[link.from.0 as usize].push(number);
        self.incoming[link.to.0 as usize].push(number);
    }

    /// Ranks points in reverse postorder, and marks those to which a link leads back.
    fn order(&mut self) {
        let n = self.points.len();
        (self.rank, self.head) = (vec![u32::MAX; n], vec![false; n]);
        // The state of a point: 0 is not seen, 1 is on the stack, 2 is done.
        let mut seen = vec![0_u8; n];
        let mut post = Vec::new();
        let mut stack = vec![(self.entry(), 0)];
        seen[self.entry().0 as usize] = 1;
        while let Some((point, next)) = stack.pop() {
            let Some(link) = self.outgoing[point.0 as usize].get(next) else {
                seen[point.0 as usize] = 2;
                post.push(point);
                continue;
            };
            stack.push((point, next + 1));
            let to = self.links[*link as usize].to;
            match seen[to.0 as usize] {
                0 => {
                    seen[to.0 as usize] = 1;
                    stack.push((to, 0));
                }
                1 => self.head[to.0 as usize] = true,
                _ => {}
            }
        }
        for (rank, point) in (0..).zip(post.iter().rev()) {
            self.rank[point.0 as usize] = rank;
        }
    }

    fn place_assertions(&mut self) {
        let mut assertions = std::mem::take(&mut self.assertions);
        for assertion in &mut assertions {
            let mut at = self.points[assertion.point.0 as usize];
            while let Some((parent, edge)) = self.context(at).parent {
                if !self.program.function(self.context(at).function).name.contains("assert") {
                    break;
                }
                assertion.place = self.graph(parent).edge(edge).place;
                at = parent;
            }
        }
        self.assertions = assertions;
    }

    /// Records remarks about the parts of the program that were not understood.
    fn remark(&mut self) {
        let program = self.program.clone();
        for diagnostic in &program.diagnostics {
            if diagnostic.effect != canonical::Effect::OverApproximated {
                let place = diagnostic
                    .place
                    .map(|place| format!("{}: ", program.at(place)))
                    .unwrap_or_default();
                self.remarks.push(format!("{place}{}", diagnostic.message));
            }
        }
        let entered = self.entered();
        for (place, name) in conflicts(&program, &[], |f| entered.contains(&f)) {
            let place = place.map(|place| format!("{}: ", program.at(place))).unwrap_or_default();
            let why = "the order of evaluation is open in C, and matters for";
            self.remark_once(&format!("{place}{why} {name}"));
        }
    }

    /// The functions that have a context.
    fn entered(&self) -> BTreeSet<FunctionId> {
        self.contexts.iter().map(|context| context.function).collect()
    }

    fn remark_once(&mut self, text: &str) {
        if !self.remarks.iter().any(|known| known == text) {
            self.remarks.push(text.to_owned());
        }
    }
}
