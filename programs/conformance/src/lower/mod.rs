//! Lowers canonical programs to programs of this crate, in which calls that write or read become events.

mod callbacks;
mod calls;
mod causes;
mod choices;
mod constants;
mod ends;
mod expr;
pub mod follow;
mod missing;
mod parts;
mod read;
mod remarks;
mod same;
mod sources;
mod streams;
mod unseen;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use canonical::{Action as Step, Call, Callee};

use crate::automata::Value;
use crate::error::Error;
use crate::flow::At;
use crate::granularity::take_apart;
use crate::infer::is_small;
use crate::program::{Action, Edge, Function, FunctionId, Part, Place, Program, Site};
use crate::remark::{Remark, Remarks};
use crate::settings::{Exits, Role, Settings};
use crate::sites::{Listed, Note, notes};
use crate::unfold::{Context, Detail, Unfolded, unfold};
use choices::Choice;
use ends::{Ends, Status};

/// The minimum number of nodes of an unfolded function for which the size of its automaton is checked.
const NODES: usize = 1_000;

/// The maximum number of states of the automaton of such a function.
const STATES: usize = 20_000;

/// A program with the list of its call sites that write or read.
#[derive(Debug, Clone, Default)]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// The call sites, in the order of their places.
    pub sites: Vec<Listed>,
    /// Number of functions that have a body.
    pub functions: usize,
    /// Reasons why the program may behave differently from the lowered one.
    pub remarks: Vec<Remark>,
}

/// Turns the calls that write (of a producer) or read (of a consumer) into events. With a list of sites, exactly the
/// calls on the list become events; otherwise `settings` and comments in the source decide.
///
/// # Errors
///
/// Returns an error if the function that runs has no body, a setting refers to a parameter that a call does not have,
/// or a type cannot be split.
pub fn lower(
    source: &canonical::Program,
    role: Role,
    settings: &Settings,
    list: Option<&[Listed]>,
) -> Result<Lowered, Error> {
    with_lowering(source, role, settings, list, |mut lowering, mut program| {
        for (id, _, graph) in source.defined() {
            let lowered = lowering.function(&mut program, id, graph, false);
            program.functions.push(lowered);
        }
        for id in lowering.bodies.failing.keys() {
            if let Some(graph) = &source.function(*id).body {
                let lowered = lowering.function(&mut program, *id, graph, true);
                program.functions.push(lowered);
            }
        }
        lowering.check_list()?;
        lowering.remark(&program);
        let mut sites = lowering.found;
        sites.sort_by(|a, b| (&a.file, a.line, a.column).cmp(&(&b.file, b.line, b.column)));
        take_apart(&mut program, &settings.types)?;
        let remarks = lowering.remarks.told();
        Ok(Lowered { functions: lowering.bodies.whole.len(), program, sites, remarks })
    })
}

/// Prepares a program, and calls a function with it and an empty lowered program.
fn with_lowering<T>(
    source: &canonical::Program,
    role: Role,
    settings: &Settings,
    list: Option<&[Listed]>,
    run: impl FnOnce(Lowering<'_>, Program) -> Result<T, Error>,
) -> Result<T, Error> {
    let main = settings.program(role).main.as_deref().unwrap_or("main");
    let ends = Ends::of(source, settings.program(role).exits);
    let mut bodies = Bodies::default();
    for (id, _, _) in source.defined() {
        bodies.whole.insert(id, bodies.whole.len());
    }
    let failing = source.defined().map(|(id, _, _)| id).filter(|id| ends.by_parameter(*id));
    bodies.failing = (bodies.whole.len()..).zip(failing).map(|(k, id)| (id, k)).collect();
    let running = source.function_named(main).and_then(|id| bodies.whole.get(&id));
    let Some(running) = running else {
        let why = format!("the {} has no function `{main}`", role.name());
        return Err(Error::Program(why));
    };
    let all_return = settings.program(role).exits == Exits::None;
    let program = Program { main: *running, all_return, ..Program::default() };
    let lowering = Lowering {
        source,
        role,
        settings,
        list,
        bodies: &bodies,
        ends: &ends,
        context: context(source, settings, main),
        texts: source.files.iter().map(|path| comments(path)).collect::<Result<_, _>>()?,
        calls: calls::calls(source),
        streams: sources::Streams::of(source, settings),
        numbers: BTreeMap::new(),
        found: vec![],
        choices: Vec::new(),
        statuses: BTreeSet::new(),
        reads: BTreeMap::new(),
        remarks: Remarks::default(),
    };
    lowering.check_parameters()?;
    lowering.check_comments()?;
    run(lowering, program)
}

/// Facts about the whole program. Macros of the settings may assign their arguments.
fn context(source: &canonical::Program, settings: &Settings, main: &str) -> Context {
    let fills = settings.functions.values().filter(|known| known.into.is_some_and(|k| k > 0));
    let macros = fills.map(|known| known.name.clone()).chain(settings.macros.iter().cloned());
    Context::of(source, source.function_named(main), macros.collect())
}

/// Returns the comments about calls in a file; no comments if the file cannot be read.
fn comments(path: &Path) -> Result<Vec<Note>, Error> {
    let Ok(text) = std::fs::read(path) else { return Ok(Vec::new()) };
    let wrong = |(line, why)| Error::text(&path.display().to_string(), line, why);
    notes(&String::from_utf8_lossy(&text)).map_err(wrong)
}

/// The positions of functions in the lowered program.
#[derive(Debug, Default)]
struct Bodies {
    whole: BTreeMap<canonical::FunctionId, FunctionId>,
    /// Functions that end the run with the status in a parameter, in the form that they have if the status is nonzero.
    failing: BTreeMap<canonical::FunctionId, FunctionId>,
}

struct Lowering<'a> {
    source: &'a canonical::Program,
    role: Role,
    settings: &'a Settings,
    list: Option<&'a [Listed]>,
    bodies: &'a Bodies,
    ends: &'a Ends,
    context: Context,
    texts: Vec<Vec<Note>>,
    calls: calls::Calls,
    streams: sources::Streams,
    /// The sites, by edge and callee.
    numbers: BTreeMap<(At, canonical::FunctionId), usize>,
    found: Vec<Listed>,
    /// The guards that the unfolding leaves undecided.
    choices: Vec<Choice>,
    /// The edges that may end the run with a status that is 0 or nonzero.
    statuses: BTreeSet<At>,
    /// For each edge that reads, the functions by which it reads.
    reads: BTreeMap<At, Vec<canonical::FunctionId>>,
    remarks: Remarks,
}

impl Lowering<'_> {
    /// Lowers one function. In its failing form, it does not end the run with the status in its parameter.
    fn function(
        &mut self,
        program: &mut Program,
        id: canonical::FunctionId,
        graph: &canonical::Graph,
        is_failing: bool,
    ) -> Function {
        let is_main = self.bodies.whole.get(&id) == Some(&program.main);
        let mut reads = self.filled(graph);
        reads.statuses = self.statuses_of(id, graph, is_main);
        reads.begins = is_main && self.begins(id);
        reads.choices = self.role == Role::Consumer;
        reads.numbers = self.settings.numbers;
        // With all values that the unfolding distinguishes, the automaton may be too large.
        for detail in Detail::FALLING {
            let unfolded = unfold(self.source, &self.context, graph, &reads, detail);
            let is_large = unfolded.nodes > NODES && detail != Detail::None;
            let before = (self.choices.len(), self.statuses.clone());
            let function = self.unfolded(program, id, graph, unfolded, is_failing);
            let bodies = self.bodies.whole.len() + self.bodies.failing.len();
            if !is_large || is_small(&function, bodies, STATES) {
                return function;
            }
            self.choices.truncate(before.0);
            self.statuses = before.1;
        }
        Function::new(self.source.function(id).name.clone())
    }

    /// Lowers an unfolded graph.
    fn unfolded(
        &mut self,
        program: &mut Program,
        id: canonical::FunctionId,
        graph: &canonical::Graph,
        unfolded: Unfolded,
        is_failing: bool,
    ) -> Function {
        let is_main = self.bodies.whole.get(&id) == Some(&program.main);
        let Unfolded { nodes, entry, exit, .. } = unfolded;
        let number = program.functions.len();
        let choice = |(edge, node)| Choice { function: number, at: (id, edge), node };
        self.choices.extend(unfolded.undecided.into_iter().map(choice));
        let name = self.unused_name(program, id, is_failing);
        let mut function = Function { name, nodes, entry, exit, edges: Vec::new() };
        for copy in unfolded.edges {
            let (from, to, fails) = (copy.from, copy.to, copy.fails);
            let mut add = |action| function.edges.push(Edge { from, to, action, site: None });
            match &graph.edges[copy.edge].action {
                Step::Call(call) => {
                    let at = Copy { at: (id, copy.edge), from, to, value: copy.value, fails };
                    self.call(program, &mut function, at, graph, call, is_failing);
                }
                Step::Return(Some(value)) if is_main => {
                    let status = self.ends.returns(self.source, id, graph, value);
                    match status.map(|status| known_status(status, fails)) {
                        Some(Status::Fails) => {}
                        Some(Status::May) => {
                            self.statuses.insert((id, copy.edge));
                            add(Action::Nothing);
                        }
                        _ => add(Action::Nothing),
                    }
                }
                _ => add(Action::Nothing),
            }
        }
        function
    }

    /// Returns the name of a function. If static functions in several files share a name, adds the file to distinguish
    /// their states.
    fn unused_name(
        &self,
        program: &Program,
        id: canonical::FunctionId,
        is_failing: bool,
    ) -> String {
        let function = self.source.function(id);
        let mut name = function.name.clone();
        let others = self.source.defined().filter(|(_, other, _)| other.name == name).count();
        if others > 1 {
            let path = function.place.map(|place| &self.source.files[place.file.index()]);
            let file = path.and_then(|path| path.file_name()).unwrap_or_default();
            name += &format!(" ({})", file.display());
        }
        if is_failing {
            name += " (failing)";
        }
        let is_used = |name: &str| program.functions.iter().any(|f| f.name == name);
        match (1..).map(|k| format!("{name} {k}")).find(|name| !is_used(name)) {
            Some(numbered) if is_used(&name) => numbered,
            _ => name,
        }
    }

    /// Returns true if nothing runs before a function, so variables have their initial values.
    fn begins(&self, id: canonical::FunctionId) -> bool {
        let calls = self.source.defined().flat_map(|(_, _, graph)| graph.calls());
        let is_called = calls.into_iter().any(|(_, call)| call.callee.targets().contains(&id));
        self.source.function(id).name == "main" && !is_called
    }

    /// Returns the statuses with which edges may end the run.
    fn statuses_of(
        &self,
        id: canonical::FunctionId,
        graph: &canonical::Graph,
        is_main: bool,
    ) -> BTreeMap<usize, canonical::Expr> {
        let mut found = BTreeMap::new();
        for (k, edge) in graph.edges.iter().enumerate() {
            let status = match &edge.action {
                Step::Return(Some(value)) if is_main => {
                    self.ends.returns(self.source, id, graph, value).map(|_| value)
                }
                Step::Call(call) => {
                    let given = call.callee.targets().iter();
                    let given = given.filter_map(|target| self.ends.given(self.source, *target));
                    given.min().and_then(|k| call.arguments.get(k))
                }
                _ => None,
            };
            found.extend(status.map(|status| (k, status.clone())));
        }
        found
    }

    /// Adds the edges of a call.
    fn call(
        &mut self,
        program: &mut Program,
        function: &mut Function,
        copy: Copy,
        graph: &canonical::Graph,
        call: &Call,
        is_failing: bool,
    ) {
        let Copy { at, from, to, value, fails } = copy;
        let edge = &graph.edges[at.1];
        let exit = function.exit;
        let mut callees = Vec::new();
        let mut other = call.callee.targets().is_empty();
        for target in call.callee.targets() {
            let callee = &self.source.function(*target).name;
            if let Some(parts) = self.parts(callee, call, edge.place, graph) {
                let site = self.site(program, (at, *target), edge.place, &parts);
                let readers = self.reads.entry(at).or_default();
                if !readers.contains(target) {
                    readers.push(*target);
                }
                let minus_one = self.writes_minus_one(&parts);
                if let Some(parts) = with_value(parts, &value, minus_one) {
                    function.add_sequence(from, to, &parts, Some(site));
                }
                continue;
            }
            let status = self.ends.call(self.source, at.0, graph, call, *target);
            let ends = match status.map(|status| known_status(status, fails)) {
                Some(Status::Parameter(_)) => !is_failing,
                Some(Status::May) => {
                    self.statuses.insert(at);
                    true
                }
                Some(Status::Ends) => true,
                Some(Status::Fails) | None => false,
            };
            let whole = self.bodies.whole.get(target);
            if whole.is_none() && ends {
                function.edges.push(Edge { from, to: exit, action: Action::End, site: None });
            } else if let Some(whole) = whole {
                let failing = self.bodies.failing.get(target).filter(|_| !ends);
                callees.push(*failing.unwrap_or(whole));
            } else {
                other |= program.all_return || !self.source.function(*target).no_return;
            }
        }
        other |= matches!(&call.callee, Callee::Pointer { complete: false, .. });
        if other {
            function.edges.push(Edge { from, to, action: Action::Nothing, site: None });
        }
        if !callees.is_empty() {
            function.edges.push(Edge { from, to, action: Action::Call(callees), site: None });
        }
    }

    /// Returns the number of a site; adds a new site to the program and to the list.
    fn site(
        &mut self,
        program: &mut Program,
        key: (At, canonical::FunctionId),
        place: Option<canonical::Place>,
        parts: &[Part],
    ) -> usize {
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        let callee = self.source.function(key.1).name.clone();
        let place = self.place(place);
        self.found.push(Listed {
            role: self.role,
            file: place.file.clone(),
            line: place.line,
            column: Some(place.column),
            callee: callee.clone(),
            parts: parts.to_vec(),
        });
        let is_made = parts.iter().any(|part| self.settings.types.contains_key(&part.kind));
        let whole = is_made.then(|| Part::text(parts));
        let caller = self.source.function(key.0.0).name.clone();
        program.sites.push(Site { place, callee, caller, whole });
        self.numbers.insert(key, program.sites.len() - 1);
        program.sites.len() - 1
    }

    fn place(&self, place: Option<canonical::Place>) -> Place {
        let (line, column) = place.map_or((0, 0), |place| (place.line, place.column));
        Place { file: place.map(|place| self.file(place)).unwrap_or_default(), line, column }
    }

    fn file(&self, place: canonical::Place) -> String {
        self.source.files[place.file.index()].display().to_string()
    }
}

/// A copy of an edge with a call.
struct Copy {
    at: At,
    from: usize,
    to: usize,
    value: Value,
    fails: Option<bool>,
}

/// A status and the facts about it at one node.
fn known_status(status: Status, fails: Option<bool>) -> Status {
    match (status, fails) {
        (Status::May | Status::Parameter(_), Some(true)) => Status::Fails,
        (Status::May | Status::Parameter(_), Some(false)) => Status::Ends,
        _ => status,
    }
}

/// Returns the elements with the value that is read; `None` if they cannot have this value. A missing element, as at
/// the end of a file, has the value -1. An element that exists has this value only with `minus_one`.
fn with_value(mut parts: Vec<Part>, value: &Value, minus_one: bool) -> Option<Vec<Part>> {
    let [only] = &mut parts[..] else { return Some(parts) };
    if only.many {
        return Some(parts);
    }
    match value {
        Value::Any | Value::Other => {}
        Value::Is(-1) if only.optional => return Some(Vec::new()),
        Value::Is(value) => {
            let can = only.values.is_empty() || only.values.contains(value);
            if !can || only.excluded.contains(value) {
                return None;
            }
            only.values = vec![*value];
            only.optional = false;
        }
        Value::Except(constants) => {
            if only.values.is_empty() {
                only.excluded.extend(constants);
                only.excluded.sort_unstable();
                only.excluded.dedup();
            } else {
                only.values.retain(|value| !constants.contains(value));
                if only.values.is_empty() && !only.optional {
                    return None;
                }
            }
            if constants.contains(&-1) && only.optional {
                only.excluded.retain(|value| minus_one || *value != -1);
                only.optional = false;
            }
        }
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_narrows_what_is_read() {
        let with = |parts: &str, value: &Value| {
            with_value(Part::sequence(parts), value, false).map(|parts| Part::text(&parts))
        };
        let said = |parts, value: &Value| with(parts, value).unwrap();
        let except = Value::Except(BTreeSet::from([1, 2]));
        assert_eq!(said("byte", &Value::Is(1)), "byte=1");
        assert_eq!(said("byte", &except), "byte!=1|2");
        assert_eq!(said("byte=1|3", &except), "byte=3");
        assert_eq!(with("byte=1", &except), None);
        assert_eq!(with("byte=1", &Value::Is(2)), None);
        assert_eq!(said("byte", &Value::Any), "byte");
        // A missing byte has a value that no byte can have.
        assert_eq!(said("byte?", &Value::Is(1)), "byte=1");
        assert_eq!(said("byte?", &Value::Is(-1)), "");
        assert_eq!(said("byte?", &except), "byte!=1|2?");
        assert_eq!(said("byte?", &Value::Except(BTreeSet::from([-1]))), "byte");
        // If several elements are read at once, nothing is known about the value.
        assert_eq!(said("byte byte", &Value::Is(1)), "byte byte");
        assert_eq!(said("byte*", &Value::Is(1)), "byte*");
    }
}
