//! A run of the analysis over the functions that lead to pixels.

use std::collections::{BTreeMap, BTreeSet};

use canonical::{
    Action, Callee, Expr, ExprKind, FunctionId, Graph, NodeId, Program, Storage, VariableId, walk,
};

use super::super::uses::{Interface, interface};
use super::facts::Facts;
use super::live::Live;
use super::names::harmless;
use super::state::{Key, State, index_mark, is_element, key, refine, value, variable};
use super::value::{Mark, Value};

/// The maximum number of rounds over all functions. If more are needed, the results are not used.
const ROUNDS: usize = 60;

/// The maximum number of functions and contexts of one client.
const CONTEXTS: usize = 4_000;

/// A client's program, with what all trials share.
#[derive(Debug)]
pub struct Client {
    pub(super) program: Program,
    /// Functions that nothing calls, and that lead to pixels.
    roots: Vec<FunctionId>,
    /// For each function, the global variables that it or its callees may assign.
    pub(super) stores: Vec<BTreeSet<VariableId>>,
    live: Live,
}

/// The outcome of a trial.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trial {
    /// The interfaces through which pixels may be read, with the first place of each.
    pub readers: BTreeMap<Interface, canonical::Place>,
    /// The edges that may be taken and whose actions may affect the picture.
    pub edges: BTreeSet<(FunctionId, u32)>,
    /// The tags on which something other than decided conditions depends.
    pub used: Mark,
    /// False if the analysis was cut short.
    pub complete: bool,
}

impl Trial {
    /// Returns true if pixels may be read through the RGBA interface and no other.
    pub fn rgba_alone(&self) -> bool {
        self.complete && self.readers.keys().eq([&Interface::Rgba])
    }

    /// Returns true if pixels may be read, but never through the RGBA interface.
    pub fn raw(&self) -> bool {
        self.complete && !self.readers.is_empty() && !self.readers.contains_key(&Interface::Rgba)
    }

    /// Returns true if no pixels are read.
    pub fn nothing(&self) -> bool {
        self.complete && self.readers.is_empty()
    }

    /// Returns true if nothing differs in another trial, and no value that comes from the tags is used.
    pub fn same(&self, other: &Self, tags: Mark) -> bool {
        self.complete
            && other.complete
            && self.edges == other.edges
            && !self.used.with(other.used).meets(tags)
    }
}

impl Client {
    /// Prepares a program; returns `None` if nothing in it leads to pixels.
    pub fn new(program: Program) -> Option<Self> {
        let calls = callees(&program);
        let mut leads: BTreeSet<FunctionId> = BTreeSet::new();
        for (k, function) in program.functions.iter().enumerate() {
            if interface(&function.name).is_some() && function.body.is_none() {
                leads.insert(FunctionId::new(k));
            }
        }
        let readers = leads.clone();
        loop {
            let before = leads.len();
            for (function, callees) in &calls {
                if callees.iter().any(|callee| leads.contains(callee)) {
                    leads.insert(*function);
                }
            }
            if leads.len() == before {
                break;
            }
        }
        leads.extend(providers(&program, &calls, &leads));
        let called = |id: &FunctionId| calls.iter().any(|(f, all)| f != id && all.contains(id));
        let roots: Vec<_> =
            leads.iter().filter(|id| !readers.contains(id) && !called(id)).copied().collect();
        let stores = stores(&program, &calls);
        let live = Live::of(&program);
        (!roots.is_empty()).then_some(Self { program, roots, stores, live })
    }

    /// Returns true for an action on which a picture may depend, which excludes conditions and messages to people.
    fn does_something(&self, action: &Action) -> bool {
        match action {
            Action::Nothing | Action::Guard { .. } => false,
            Action::Assign { .. } | Action::Return(_) => true,
            Action::Call(call) => {
                let name = |id: &FunctionId| &self.program.function(*id).name;
                let targets = call.callee.targets();
                targets.is_empty() || !targets.iter().all(|id| harmless(name(id)))
            }
        }
    }

    /// Follows the program on a file.
    pub fn trial(&self, facts: &Facts) -> Trial {
        let mut run = Run {
            client: self,
            facts,
            contexts: BTreeMap::new(),
            cells: BTreeMap::new(),
            missing: BTreeSet::new(),
            changed: true,
            epoch: 1,
            trial: Trial { complete: true, ..Trial::default() },
        };
        for root in &self.roots {
            run.contexts.insert((*root, Vec::new()), Context::default());
        }
        for _ in 0..ROUNDS {
            if !run.changed {
                let missing = std::mem::take(&mut run.missing);
                if missing.is_empty() {
                    return run.trial;
                }
                run.cells.extend(missing.into_iter().map(|key| (key, Value::ANY)));
                run.epoch += 1;
            }
            run.changed = false;
            let all: Vec<Instance> = run.contexts.keys().cloned().collect();
            for instance in &all {
                run.function(instance);
            }
            if run.contexts.len() > CONTEXTS {
                break;
            }
        }
        run.trial.complete = false;
        run.trial
    }
}

/// The functions that each function with a body may call.
fn callees(program: &Program) -> Vec<(FunctionId, BTreeSet<FunctionId>)> {
    let of = |graph: &Graph| {
        graph.calls().flat_map(|(_, call)| call.callee.targets().to_vec()).collect()
    };
    program.defined().map(|(id, _, graph)| (id, of(graph))).collect()
}

/// Returns the functions that request tags and store something for functions that lead to pixels, because they may have
/// run before.
fn providers(
    program: &Program,
    calls: &[(FunctionId, BTreeSet<FunctionId>)],
    leads: &BTreeSet<FunctionId>,
) -> BTreeSet<FunctionId> {
    let stores = stores(program, calls);
    let mut loaded = BTreeSet::new();
    for (_, _, graph) in program.defined().filter(|(id, ..)| leads.contains(id)) {
        walk::graph(graph, &mut |expr: &Expr| {
            if let ExprKind::Load(lvalue) = &expr.kind {
                loaded.extend(variable(lvalue));
            }
        });
    }
    let asks = |id: &FunctionId| program.function(*id).name.starts_with("TIFFGetField");
    let mut asking: BTreeSet<FunctionId> = BTreeSet::new();
    loop {
        let before = asking.len();
        for (function, callees) in calls {
            if callees.iter().any(|callee| asks(callee) || asking.contains(callee)) {
                asking.insert(*function);
            }
        }
        if asking.len() == before {
            break;
        }
    }
    asking.retain(|id| stores[id.index()].iter().any(|variable| loaded.contains(variable)));
    asking
}

/// Returns the global variables that each function may assign.
fn stores(
    program: &Program,
    calls: &[(FunctionId, BTreeSet<FunctionId>)],
) -> Vec<BTreeSet<VariableId>> {
    let mut found = vec![BTreeSet::new(); program.functions.len()];
    let global = |id: &VariableId| program.variable(*id).storage == Storage::Global;
    for (id, _, graph) in program.defined() {
        for edge in &graph.edges {
            let own = &mut found[id.index()];
            match &edge.action {
                Action::Assign { target, .. } => own.extend(variable(target)),
                Action::Call(call) => {
                    let addresses = call.arguments.iter().filter_map(|a| match &a.kind {
                        ExprKind::AddressOf(inner) => variable(inner),
                        _ => None,
                    });
                    own.extend(addresses);
                }
                _ => {}
            }
        }
        found[id.index()].retain(global);
    }
    loop {
        let mut changed = false;
        for (function, callees) in calls {
            for callee in callees {
                let theirs = found[callee.index()].clone();
                let before = found[function.index()].len();
                found[function.index()].extend(theirs);
                changed |= found[function.index()].len() > before;
            }
        }
        if !changed {
            return found;
        }
    }
}

/// A function, with the tags that it receives as constants, by their positions.
pub(super) type Instance = (FunctionId, Vec<(usize, i128)>);

/// A function in one trial.
#[derive(Debug, Clone, Default)]
pub(super) struct Context {
    /// The state at the entry; `None` if it was not called yet.
    pub entry: Option<State>,
    /// The state at the exit.
    pub exit: Option<State>,
    /// The result.
    pub result: Option<Value>,
    /// Its callers, which must be followed again if the exit or the result changes.
    pub callers: BTreeSet<Instance>,
    /// True if the entry changed, or the result of a callee changed.
    pub dirty: bool,
    /// The number of changes of global variables when the function was last followed.
    pub seen: usize,
}

pub(super) struct Run<'a> {
    pub client: &'a Client,
    pub facts: &'a Facts,
    pub contexts: BTreeMap<Instance, Context>,
    /// The values that are stored in variables of the program.
    pub cells: BTreeMap<Key, Value>,
    /// Global variables that are read but have not been assigned yet.
    pub missing: BTreeSet<Key>,
    pub changed: bool,
    /// The number of changes of variables of the program so far.
    pub epoch: usize,
    pub trial: Trial,
}

impl Run<'_> {
    /// The value of a key in a state.
    pub fn look(&mut self, state: &State, key: Key) -> Value {
        if let Some(value) = state.known.get(&key) {
            return value.clone();
        }
        if self.client.program.variable(key.variable()).storage != Storage::Global {
            return Value::ANY;
        }
        if let Some(value) = self.cells.get(&key) {
            return value.clone();
        }
        self.missing.insert(key);
        Value::NEVER
    }

    pub fn value(&mut self, state: &State, expr: &Expr) -> Value {
        value(expr, &mut |key| self.look(state, key))
    }

    /// Stores a value. Other functions may read the values of global variables.
    pub fn store(&mut self, state: &mut State, key: Key, value: Value) {
        if self.client.program.variable(key.variable()).storage == Storage::Global {
            self.trial.used = self.trial.used.with(value.mark);
            let old = self.cells.get(&key).cloned().unwrap_or(Value::NEVER);
            let new = old.join(&value);
            if new != old {
                self.changed = true;
                self.epoch += 1;
                self.cells.insert(key, new);
            }
        }
        state.known.insert(key, value);
    }

    pub fn used(&mut self, mark: Mark) {
        self.trial.used = self.trial.used.with(mark);
    }

    /// Follows one function from its entry.
    fn function(&mut self, instance: &Instance) {
        let client = self.client;
        let Some(graph) = &client.program.function(instance.0).body else { return };
        let epoch = self.epoch;
        let Some(context) = self.contexts.get_mut(instance) else { return };
        if !context.dirty && context.seen == epoch {
            return;
        }
        (context.dirty, context.seen) = (false, epoch);
        let Some(entry) = context.entry.clone().or_else(|| {
            let root = client.roots.contains(&instance.0);
            root.then(State::default)
        }) else {
            return;
        };
        let live = &client.live;
        let mut states: Vec<Option<State>> = vec![None; graph.nodes.len()];
        states[graph.entry.index()] = Some(entry);
        let rank = |node: NodeId| live.rank(instance.0, node);
        let mut waiting = BTreeSet::from([(rank(graph.entry), graph.entry)]);
        while let Some((from, node)) = waiting.pop_first() {
            for edge in &graph.node(node).outgoing {
                let Some(mut state) = states[node.index()].clone() else { continue };
                let taken = self.edge(instance, graph, edge.index(), &mut state);
                if !taken {
                    continue;
                }
                if client.does_something(&graph.edge(*edge).action) {
                    self.trial.edges.insert((instance.0, edge.0));
                }
                let to = graph.edge(*edge).to;
                live.keep(instance.0, to, &mut state);
                let known = &mut states[to.index()];
                let changed = match known {
                    Some(known) => known.join(&state, rank(to) <= from),
                    None => {
                        *known = Some(state);
                        true
                    }
                };
                if changed {
                    waiting.insert((rank(to), to));
                }
            }
        }
        self.leave(instance, graph.exit, &states);
    }

    fn leave(&mut self, instance: &Instance, exit: NodeId, states: &[Option<State>]) {
        let Some(context) = self.contexts.get_mut(instance) else { return };
        if context.exit != states[exit.index()] {
            context.exit.clone_from(&states[exit.index()]);
            self.returns_otherwise(instance);
        }
    }

    /// The callers of a function have to be followed again.
    fn returns_otherwise(&mut self, instance: &Instance) {
        let callers = self.contexts.get(instance).map(|context| context.callers.clone());
        for caller in callers.into_iter().flatten() {
            if let Some(context) = self.contexts.get_mut(&caller) {
                context.dirty = true;
            }
        }
        self.changed = true;
    }

    /// Takes an edge; false if it cannot be taken.
    fn edge(&mut self, instance: &Instance, graph: &Graph, at: usize, state: &mut State) -> bool {
        let edge = &graph.edges[at];
        match &edge.action {
            Action::Nothing | Action::Return(None) => {}
            Action::Assign { target, value } => {
                let mut found = self.value(state, value);
                let index = index_mark(target, &mut |key| self.look(state, key));
                match key(target) {
                    Some(key) if !is_element(target) => self.store(state, key, found),
                    // After an element is assigned, the array's content may be the old value or the new one.
                    Some(key) => {
                        self.used(index);
                        let old = self.look(state, key);
                        found = found.join(&old);
                        self.store(state, key, found);
                    }
                    None => self.used(found.mark.with(index)),
                }
            }
            Action::Guard { condition, holds } => {
                let (no, yes) = {
                    let value = self.value(state, condition);
                    let (no, yes) = value.truth();
                    if no && yes {
                        self.used(value.mark);
                    }
                    (no, yes)
                };
                if !(if *holds { yes } else { no }) {
                    return false;
                }
                let before = state.clone();
                refine(state, condition, *holds, &mut |key| self.look(&before, key));
            }
            Action::Return(Some(value)) => {
                let found = self.value(state, value);
                if self.client.roots.contains(&instance.0) {
                    self.used(found.mark);
                }
                if let Some(context) = self.contexts.get_mut(instance) {
                    let old = context.result.clone().unwrap_or(Value::NEVER);
                    let new = old.join(&found);
                    if context.result.as_ref() != Some(&new) {
                        context.result = Some(new);
                        self.returns_otherwise(instance);
                    }
                }
            }
            Action::Call(call) => {
                if let Callee::Pointer { pointer, .. } = &call.callee {
                    let mark = self.value(state, pointer).mark;
                    self.used(mark);
                }
                return self.call(instance, call, edge.place, state);
            }
        }
        true
    }
}
