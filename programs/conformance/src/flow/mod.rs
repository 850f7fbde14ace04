//! Finds conditions that depend on values that a consumer reads and that the unfolding does not decide.
//!
//! Such a condition is assumed to both hold and not hold, so the consumer seems to accept more than it does. These
//! conditions are found by following values through all functions. Variables that only their function can change are
//! followed exactly. Other variables, members, and targets of pointers have one set of values each.

pub mod live;
pub mod region;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use canonical::{
    Action as Step, Call, Callee, CompositeId, Expr, ExprKind, FunctionId, Graph, Lvalue,
    LvalueBase, Program, Projection, Storage, Type, VariableId, walk,
};

use crate::search::Search;
use region::Regions;

/// The maximum number of rounds over all functions in which the sets of sources may grow.
const ROUNDS: usize = 50;

/// A memory location whose values are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Variable(VariableId),
    /// A member of all structs of a type.
    Field(CompositeId, u32),
    /// The object that a variable points to.
    Pointee(VariableId),
    Result(FunctionId),
}

/// A set of functions that read: one bit for each function of the group that is followed.
type Sources = u64;

/// The variables of one function at a node that have values, in order.
type State = Vec<(VariableId, Sources)>;

/// The position of an edge in a program.
pub type At = (FunctionId, usize);

/// A call that reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The index of the function that reads, in the caller's list.
    pub source: usize,
    /// True if the values are stored where the arguments point, and the result only indicates whether they were read.
    pub by_pointer: bool,
    /// The argument, counted from 0, that a macro fills.
    pub argument: Option<usize>,
}

/// A condition that values decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// The position of the condition.
    pub at: At,
    /// The functions that read the values.
    pub sources: BTreeSet<usize>,
    /// The name through which a value passes if it is not kept only in variables of its function.
    pub through: Option<String>,
}

/// Returns the `conditions` that values decide.
pub fn decided(
    source: &Program,
    reads: &BTreeMap<At, Vec<Reading>>,
    conditions: &BTreeSet<At>,
) -> Vec<Decided> {
    let bodies: Vec<Body<'_>> =
        source.defined().map(|(id, _, graph)| Body::of(id, graph)).collect();
    let most = reads.values().flatten().map(|reading| reading.source).max();
    let mut found: BTreeMap<At, Decided> = BTreeMap::new();
    // Values from different functions do not interact, so the functions can be followed in groups of any size.
    for first in most.into_iter().flat_map(|most| (0..=most).step_by(Sources::BITS as usize)) {
        for decided in (Flow { source, reads, first, cells: BTreeMap::new(), changed: true })
            .decided(&bodies, conditions)
        {
            found
                .entry(decided.at)
                .and_modify(|known| known.sources.extend(&decided.sources))
                .or_insert(decided);
        }
    }
    found.into_values().collect()
}

/// The body of a function, with what its branches decide.
struct Body<'a> {
    id: FunctionId,
    graph: &'a Graph,
    regions: Regions,
    search: RefCell<Search>,
    /// For each node, the edges that [`Body::implied`] finds, once known.
    implied: Vec<OnceCell<Vec<usize>>>,
}

impl<'a> Body<'a> {
    fn of(id: FunctionId, graph: &'a Graph) -> Self {
        let after = |node: &canonical::Node| {
            node.outgoing.iter().map(|id| graph.edge(*id).to.index()).collect()
        };
        let regions = Regions::of(graph.nodes.iter().map(after).collect());
        let implied = vec![OnceCell::new(); graph.nodes.len()];
        Self { id, graph, regions, search: RefCell::default(), implied }
    }

    /// Returns the edges on which a branch decides: assignments of constants, and returns.
    fn implied(&self, branch: usize) -> &[usize] {
        self.implied[branch].get_or_init(|| {
            let decided = self.regions.decided(branch, &mut self.search.borrow_mut());
            let Some((nodes, again)) = decided else { return Vec::new() };
            let edges = nodes.iter().filter_map(|node| self.graph.nodes.get(*node));
            let edges = edges.flat_map(|node| &node.outgoing).copied();
            let is_constant = |id: &canonical::EdgeId| match &self.graph.edge(*id).action {
                // In a loop, everything depends on whether it continues.
                Step::Assign { value, .. } => !again && value.constant().is_some(),
                Step::Return(value) => value.as_ref().is_some_and(|v| v.constant().is_some()),
                _ => false,
            };
            edges.filter(is_constant).map(|id| id.index()).collect()
        })
    }
}

struct Flow<'a> {
    source: &'a Program,
    reads: &'a BTreeMap<At, Vec<Reading>>,
    /// The first function of the group that is followed.
    first: usize,
    cells: BTreeMap<Cell, Sources>,
    changed: bool,
}

impl Flow<'_> {
    fn decided(mut self, bodies: &[Body<'_>], conditions: &BTreeSet<At>) -> Vec<Decided> {
        let mut found = Vec::new();
        for _ in 0..ROUNDS {
            if !std::mem::take(&mut self.changed) {
                break;
            }
            found.clear();
            for body in bodies {
                self.function(body, conditions, &mut found);
            }
        }
        found
    }

    /// Returns the bit of a function that reads; 0 if the function is not in the group.
    fn bit(&self, source: usize) -> Sources {
        let number = source.checked_sub(self.first).filter(|k| *k < Sources::BITS as usize);
        number.map_or(0, |k| 1 << k)
    }

    fn known(&self, cell: Cell) -> Sources {
        self.cells.get(&cell).copied().unwrap_or_default()
    }

    /// Returns true for variables that only their function changes, through their names.
    fn is_own(&self, variable: VariableId) -> bool {
        let variable = self.source.variable(variable);
        let shared = matches!(variable.storage, Storage::Global | Storage::Static);
        !shared && !variable.address_taken && variable.ty.is_scalar()
    }

    fn add(&mut self, cell: Cell, sources: Sources) {
        if sources != 0 {
            let known = self.cells.entry(cell).or_default();
            self.changed |= sources & !*known != 0;
            *known |= sources;
        }
    }

    fn cell(lvalue: &Lvalue) -> Option<Cell> {
        let field = lvalue.path.iter().rev().find_map(|step| match step {
            Projection::Field(composite, field) => Some(Cell::Field(*composite, *field)),
            Projection::Index(_) => None,
        });
        field.or_else(|| match &lvalue.base {
            LvalueBase::Variable(variable) => Some(Cell::Variable(*variable)),
            LvalueBase::Deref(pointer) => object(pointer),
        })
    }

    /// Returns the sources of the values that an expression uses, and the first cell with a source that is not an own
    /// variable.
    fn uses(&self, state: &State, expr: &Expr) -> (Sources, Option<Cell>) {
        let (mut found, mut through) = (0, None);
        walk::expressions(expr, &mut |part| {
            let ExprKind::Load(lvalue) = &part.kind else { return };
            let Some(cell) = Self::cell(lvalue) else { return };
            let own = match cell {
                Cell::Variable(own) => self.is_own(own).then_some(own),
                _ => None,
            };
            let known = own.map_or_else(|| self.known(cell), |own| get(state, own));
            if known == 0 {
                return;
            }
            found |= known;
            let is_local =
                own.is_some_and(|own| self.source.variable(own).storage != Storage::Parameter);
            if !is_local {
                through.get_or_insert(cell);
            }
        });
        (found, through)
    }

    /// Follows the values through one function, and lists the conditions that they decide.
    fn function(&mut self, body: &Body<'_>, conditions: &BTreeSet<At>, found: &mut Vec<Decided>) {
        let graph = body.graph;
        let mut states: Vec<State> = vec![State::new(); graph.nodes.len()];
        for parameter in &self.source.function(body.id).parameters {
            let known = self.known(Cell::Variable(*parameter));
            if self.is_own(*parameter) {
                merge(&mut states[graph.entry.index()], *parameter, known);
            }
        }
        // Returns the sources of the conditions that decide whether an edge is taken.
        let mut implied: Vec<Sources> = vec![0; graph.edges.len()];
        let mut work: BTreeSet<usize> = (0..graph.nodes.len()).collect();
        while let Some(node) = work.pop_first() {
            for k in &graph.nodes[node].outgoing {
                let edge = graph.edge(*k);
                if let Step::Guard { condition, .. } = &edge.action {
                    let (sources, _) = self.uses(&states[node], condition);
                    for decided in if sources == 0 { &[] } else { body.implied(node) } {
                        if sources & !implied[*decided] != 0 {
                            implied[*decided] |= sources;
                            work.insert(graph.edges[*decided].from.index());
                        }
                    }
                }
                let mut state = states[node].clone();
                self.step((body.id, k.index()), &edge.action, implied[k.index()], &mut state);
                let to = edge.to.index();
                let mut grown = false;
                for (variable, sources) in state {
                    grown |= merge(&mut states[to], variable, sources);
                }
                if grown {
                    work.insert(to);
                }
            }
        }
        for (k, edge) in graph.edges.iter().enumerate() {
            let Step::Guard { condition, .. } = &edge.action else { continue };
            let at = (body.id, k);
            if !conditions.contains(&at) {
                continue;
            }
            let (sources, through) = self.uses(&states[edge.from.index()], condition);
            if sources != 0 {
                let through = through.map(|cell| self.name(cell));
                let bits = (0..Sources::BITS as usize).filter(|bit| sources >> bit & 1 != 0);
                let sources = bits.map(|bit| self.first + bit).collect();
                found.push(Decided { at, sources, through });
            }
        }
    }

    /// Applies the effect of an edge to the variables of its function, and to all other places.
    fn step(&mut self, at: At, step: &Step, implied: Sources, state: &mut State) {
        match step {
            Step::Assign { target, value } => {
                let sources = self.uses(state, value).0 | implied;
                if matches!(value.ty, Type::Pointer(_)) {
                    let place = Self::cell(target).and_then(|cell| match cell {
                        Cell::Variable(own) => Some(Cell::Pointee(own)),
                        _ => None,
                    });
                    if let (Some(one), Some(other)) = (place, object(value)) {
                        self.join(one, other);
                    }
                }
                self.store(target, sources, state);
            }
            Step::Return(Some(value)) => {
                let sources = self.uses(state, value).0 | implied;
                self.add(Cell::Result(at.0), sources);
            }
            Step::Call(call) => self.call(at, call, state),
            Step::Guard { .. } | Step::Return(None) | Step::Nothing => {}
        }
    }

    fn store(&mut self, target: &Lvalue, sources: Sources, state: &mut State) {
        match Self::cell(target) {
            Some(Cell::Variable(own)) if self.is_own(own) => {
                state.retain(|(variable, _)| *variable != own);
                merge(state, own, sources);
            }
            Some(cell) => self.add(cell, sources),
            None => {}
        }
    }

    /// After this, both cells have the sources of either.
    fn join(&mut self, one: Cell, other: Cell) {
        for (from, to) in [(one, other), (other, one)] {
            self.add(to, self.known(from));
        }
    }

    fn call(&mut self, at: At, call: &Call, state: &mut State) {
        let readings: &[Reading] = self.reads.get(&at).map_or(&[], Vec::as_slice);
        let mut result = 0;
        for Reading { source, by_pointer, argument } in readings {
            let own = self.bit(*source);
            if let Some(argument) = argument {
                let filled = call.arguments.get(*argument);
                if let Some(ExprKind::Load(lvalue)) = filled.map(|a| &a.below_casts().kind) {
                    self.store(lvalue, own, state);
                }
            } else if *by_pointer {
                for cell in call.arguments.iter().filter_map(object) {
                    self.add(cell, own);
                }
            } else {
                result |= own;
            }
        }
        for target in call.callee.targets().iter().filter(|_| readings.is_empty()) {
            let parameters = &self.source.function(*target).parameters;
            for (parameter, argument) in parameters.iter().zip(&call.arguments) {
                let (sources, _) = self.uses(state, argument);
                self.add(Cell::Variable(*parameter), sources);
                if let Some(cell) = object(argument) {
                    self.join(cell, Cell::Pointee(*parameter));
                }
            }
            result |= self.known(Cell::Result(*target));
        }
        let is_unknown = |id: &FunctionId| self.source.function(*id).body.is_none();
        if readings.is_empty()
            && matches!(call.callee, Callee::Function(_))
            && call.callee.targets().iter().all(is_unknown)
        {
            // A function without a body may compare its arguments, as `memcmp` and `strcmp` do.
            for argument in &call.arguments {
                result |= self.uses(state, argument).0;
                result |= object(argument).map_or(0, |cell| self.known(cell));
            }
        }
        if let Some(target) = &call.result {
            self.store(target, result, state);
        }
    }

    fn name(&self, cell: Cell) -> String {
        match cell {
            Cell::Variable(variable) | Cell::Pointee(variable) => {
                self.source.variable(variable).name.clone()
            }
            Cell::Field(composite, field) => {
                let fields = &self.source.composite(composite).fields;
                fields.get(field as usize).map(|field| field.name.clone()).unwrap_or_default()
            }
            Cell::Result(function) => self.source.function(function).name.clone(),
        }
    }
}

/// The object that a pointer points to.
fn object(pointer: &Expr) -> Option<Cell> {
    match &pointer.kind {
        ExprKind::Cast(within) => object(within),
        ExprKind::AddressOf(lvalue) => Flow::cell(lvalue),
        ExprKind::Binary(_, left, _) => object(left),
        ExprKind::Load(lvalue) if matches!(pointer.ty, Type::Pointer(_)) => {
            match Flow::cell(lvalue)? {
                Cell::Variable(variable) => Some(Cell::Pointee(variable)),
                other => Some(other),
            }
        }
        _ => None,
    }
}

/// The sources of a variable's values.
fn get(state: &State, variable: VariableId) -> Sources {
    let at = state.binary_search_by_key(&variable, |(own, _)| *own);
    at.map_or(0, |at| state[at].1)
}

/// Adds sources to those of a variable; returns true if one of them is new.
fn merge(state: &mut State, variable: VariableId, sources: Sources) -> bool {
    if sources == 0 {
        return false;
    }
    match state.binary_search_by_key(&variable, |(own, _)| *own) {
        Ok(at) => {
            let known = &mut state[at].1;
            let is_new = sources & !*known != 0;
            *known |= sources;
            is_new
        }
        Err(at) => {
            state.insert(at, (variable, sources));
            true
        }
    }
}
