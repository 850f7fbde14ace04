//! The conditions that values which a consumer reads decide, and the unfolding does not.
//!
//! Such a condition is taken to hold or not, so that the consumer seems to accept more than it does.
//! This is found by following values through all functions: exactly through variables that only
//! their function can change, by one set each for other variables, members, and objects that
//! pointers point to.

pub mod region;

use std::collections::{BTreeMap, BTreeSet};

use canonical::{
    Action as Step, Call, Callee, CompositeId, Expr, ExprKind, FunctionId, Graph, Lvalue,
    LvalueBase, Program, Projection, Storage, Type, VariableId, walk,
};

use region::Regions;

/// The sets of sources grow at most this often over all functions.
const ROUNDS: usize = 50;

/// A place that has values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    Variable(VariableId),
    /// A member of all structs of a type.
    Field(CompositeId, u32),
    /// The object that a variable points to.
    Pointee(VariableId),
    Result(FunctionId),
}

/// Numbers of functions that read.
type Sources = BTreeSet<usize>;

/// The variables of one function at a node.
type State = BTreeMap<VariableId, Sources>;

/// The position of an edge in a program.
pub type At = (FunctionId, usize);

/// A call that reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The number of the function that reads, in a list of the caller's.
    pub source: usize,
    /// True if the values go where the arguments point to, and the result only says whether they
    /// were read.
    pub by_pointer: bool,
    /// The argument, from 0, that a macro fills.
    pub argument: Option<usize>,
}

/// A condition that values decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// The position of the condition.
    pub at: At,
    /// The functions that read the values.
    pub sources: BTreeSet<usize>,
    /// The name through which a value comes that is in no variable of its function alone.
    pub through: Option<String>,
}

/// Finds the conditions that values decide, of those in `conditions`.
pub fn decided(
    source: &Program,
    reads: &BTreeMap<At, Vec<Reading>>,
    conditions: &BTreeSet<At>,
) -> Vec<Decided> {
    if reads.is_empty() {
        return Vec::new();
    }
    let mut flow = Flow { source, reads, cells: BTreeMap::new(), changed: true };
    let graphs: Vec<(FunctionId, &Graph, Regions)> = source
        .defined()
        .map(|(id, _, graph)| (id, graph, Regions::of(successors(graph))))
        .collect();
    let mut found = Vec::new();
    for _ in 0..ROUNDS {
        if !std::mem::take(&mut flow.changed) {
            break;
        }
        found.clear();
        for (id, graph, regions) in &graphs {
            flow.function(*id, graph, regions, conditions, &mut found);
        }
    }
    found
}

/// The nodes after each node of a graph.
fn successors(graph: &Graph) -> Vec<Vec<usize>> {
    let after = |node: &canonical::Node| {
        node.outgoing.iter().map(|id| graph.edge(*id).to.index()).collect()
    };
    graph.nodes.iter().map(after).collect()
}

struct Flow<'a> {
    source: &'a Program,
    reads: &'a BTreeMap<At, Vec<Reading>>,
    cells: BTreeMap<Cell, Sources>,
    changed: bool,
}

impl Flow<'_> {
    /// True for variables that only their function changes, by their names.
    fn is_own(&self, variable: VariableId) -> bool {
        let variable = self.source.variable(variable);
        let shared = matches!(variable.storage, Storage::Global | Storage::Static);
        !shared && !variable.address_taken && variable.ty.is_scalar()
    }

    fn add(&mut self, cell: Cell, sources: &Sources) {
        let known = self.cells.entry(cell).or_default();
        let before = known.len();
        known.extend(sources);
        self.changed |= known.len() != before;
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

    /// The sources of the values that an expression uses, and the first cell with one that is no own variable.
    fn uses(&self, state: &State, expr: &Expr) -> (Sources, Option<Cell>) {
        let (mut found, mut through) = (Sources::new(), None);
        walk::expressions(expr, &mut |part| {
            let ExprKind::Load(lvalue) = &part.kind else { return };
            let Some(cell) = Self::cell(lvalue) else { return };
            let known = match cell {
                Cell::Variable(own) if self.is_own(own) => state.get(&own),
                _ => self.cells.get(&cell),
            };
            let Some(known) = known.filter(|known| !known.is_empty()) else { return };
            found.extend(known);
            let is_local = match cell {
                Cell::Variable(own) => {
                    self.is_own(own) && self.source.variable(own).storage != Storage::Parameter
                }
                _ => false,
            };
            if !is_local {
                through.get_or_insert(cell);
            }
        });
        (found, through)
    }

    /// Follows the values through one function, and lists the conditions that they decide.
    fn function(
        &mut self,
        id: FunctionId,
        graph: &Graph,
        regions: &Regions,
        conditions: &BTreeSet<At>,
        found: &mut Vec<Decided>,
    ) {
        let mut states: Vec<State> = vec![State::new(); graph.nodes.len()];
        for parameter in &self.source.function(id).parameters {
            let known = self.cells.get(&Cell::Variable(*parameter)).cloned();
            if self.is_own(*parameter) {
                states[graph.entry.index()].insert(*parameter, known.unwrap_or_default());
            }
        }
        // The sources of the conditions that decide whether an edge is taken.
        let mut implied: BTreeMap<usize, Sources> = BTreeMap::new();
        let mut work: BTreeSet<usize> = (0..graph.nodes.len()).collect();
        while let Some(node) = work.pop_first() {
            for k in &graph.nodes[node].outgoing {
                let edge = graph.edge(*k);
                let mut state = states[node].clone();
                if let Step::Guard { condition, .. } = &edge.action {
                    let (sources, _) = self.uses(&state, condition);
                    if !sources.is_empty() {
                        imply(graph, regions, node, &sources, &mut implied, &mut work);
                    }
                }
                let implied = implied.get(&k.index()).cloned().unwrap_or_default();
                self.step((id, k.index()), &edge.action, &implied, &mut state);
                let to = edge.to.index();
                let mut grown = false;
                for (variable, sources) in state {
                    let known = states[to].entry(variable).or_default();
                    let before = known.len();
                    known.extend(sources);
                    grown |= known.len() != before;
                }
                if grown {
                    work.insert(to);
                }
            }
        }
        for (k, edge) in graph.edges.iter().enumerate() {
            let Step::Guard { condition, .. } = &edge.action else { continue };
            if !conditions.contains(&(id, k)) {
                continue;
            }
            let (sources, through) = self.uses(&states[edge.from.index()], condition);
            if !sources.is_empty() {
                let through = through.map(|cell| self.name(cell));
                found.push(Decided { at: (id, k), sources, through });
            }
        }
    }

    /// Applies the effect of an edge to the variables of its function, and to all other places.
    fn step(&mut self, at: At, step: &Step, implied: &Sources, state: &mut State) {
        match step {
            Step::Assign { target, value } => {
                let (mut sources, _) = self.uses(state, value);
                sources.extend(implied);
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
                let (mut sources, _) = self.uses(state, value);
                sources.extend(implied);
                self.add(Cell::Result(at.0), &sources);
            }
            Step::Call(call) => self.call(at, call, state),
            Step::Guard { .. } | Step::Return(None) | Step::Nothing => {}
        }
    }

    fn store(&mut self, target: &Lvalue, sources: Sources, state: &mut State) {
        match Self::cell(target) {
            Some(Cell::Variable(own)) if self.is_own(own) => {
                state.insert(own, sources);
            }
            Some(cell) => self.add(cell, &sources),
            None => {}
        }
    }

    /// Both have what one of them has.
    fn join(&mut self, one: Cell, other: Cell) {
        for (from, to) in [(one, other), (other, one)] {
            let known = self.cells.get(&from).cloned().unwrap_or_default();
            self.add(to, &known);
        }
    }

    fn call(&mut self, at: At, call: &Call, state: &mut State) {
        let readings = self.reads.get(&at).cloned().unwrap_or_default();
        let mut result = Sources::new();
        for Reading { source, by_pointer, argument } in &readings {
            let own = Sources::from([*source]);
            if let Some(argument) = argument {
                let filled = call.arguments.get(*argument);
                if let Some(ExprKind::Load(lvalue)) = filled.map(|a| &a.below_casts().kind) {
                    self.store(lvalue, own, state);
                }
            } else if *by_pointer {
                for cell in call.arguments.iter().filter_map(object) {
                    self.add(cell, &own);
                }
            } else {
                result.extend(own);
            }
        }
        for target in call.callee.targets().iter().filter(|_| readings.is_empty()) {
            let parameters = self.source.function(*target).parameters.clone();
            for (parameter, argument) in parameters.iter().zip(&call.arguments) {
                let (sources, _) = self.uses(state, argument);
                self.add(Cell::Variable(*parameter), &sources);
                if let Some(cell) = object(argument) {
                    self.join(cell, Cell::Pointee(*parameter));
                }
            }
            result.extend(self.cells.get(&Cell::Result(*target)).into_iter().flatten());
        }
        let is_unknown = |id: &FunctionId| self.source.function(*id).body.is_none();
        if readings.is_empty()
            && matches!(call.callee, Callee::Function(_))
            && call.callee.targets().iter().all(is_unknown)
        {
            // A function that is not there may compare what it is given: `memcmp`, `strcmp`.
            for argument in &call.arguments {
                result.extend(self.uses(state, argument).0);
                let cell = object(argument);
                result.extend(cell.and_then(|cell| self.cells.get(&cell)).into_iter().flatten());
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

/// Marks the edges that a branch decides about: assignments of constants, and returns.
fn imply(
    graph: &Graph,
    regions: &Regions,
    branch: usize,
    sources: &Sources,
    implied: &mut BTreeMap<usize, Sources>,
    work: &mut BTreeSet<usize>,
) {
    let Some((nodes, again)) = regions.decided(branch) else { return };
    for node in nodes {
        for id in &graph.nodes[node].outgoing {
            let is_constant = match &graph.edge(*id).action {
                // In a loop, everything depends on whether it goes on.
                Step::Assign { value, .. } => !again && value.constant().is_some(),
                Step::Return(value) => value.as_ref().is_some_and(|v| v.constant().is_some()),
                _ => false,
            };
            if is_constant {
                let known = implied.entry(id.index()).or_default();
                let before = known.len();
                known.extend(sources);
                if known.len() != before {
                    work.insert(node);
                }
            }
        }
    }
}
