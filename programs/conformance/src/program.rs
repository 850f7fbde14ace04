//! Programs in the form that this crate uses: functions whose edges write or read a type, call, or do nothing relevant.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::automata::{Event, Value};

/// The position of a function in [`Program::functions`].
pub type FunctionId = usize;

/// A place in a source file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// A call that writes or reads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Site {
    /// The place of the call.
    pub place: Place,
    /// The function that is called.
    pub callee: String,
    /// The function that calls it.
    pub caller: String,
    /// The types that the call writes or reads, if events are parts of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<String>,
}

impl Site {
    /// Describes the type of an event at the site, with the type of which it is a part.
    pub fn event(&self, kind: &str) -> String {
        match &self.whole {
            Some(whole) => format!("{kind} of {whole}"),
            None => kind.to_owned(),
        }
    }
}

/// One element of a type's sequence.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// The type.
    pub kind: String,
    /// The values that the element may have; empty for any value.
    pub values: Vec<i128>,
    /// If `values` is empty, the values that the element does not have.
    pub excluded: Vec<i128>,
    /// True for any number of such elements, including none.
    pub many: bool,
    /// True for an element that may be missing (for example at the end of a file).
    pub optional: bool,
}

impl Part {
    /// One element of a type, with any value.
    pub fn one(kind: impl Into<String>) -> Self {
        Self { kind: kind.into(), ..Self::default() }
    }

    /// Parses a sequence of type names separated by spaces. A name may be followed by `*` (any number of times), `?`
    /// (may be missing), `=1` or `=1|2` (these constants), or `!=1|2` (any other values).
    pub fn sequence(text: &str) -> Vec<Self> {
        let word = |word: &str| {
            let (word, mark) = match word.strip_suffix(['*', '?']) {
                Some(rest) => (rest, word.chars().last()),
                None => (word, None),
            };
            let (many, optional) = (mark == Some('*'), mark == Some('?'));
            let constants = word.rsplit_once('=').and_then(|(kind, values)| {
                let values: Result<Vec<i128>, _> = values.split('|').map(str::parse).collect();
                Some((kind, values.ok()?))
            });
            let (kind, values) = constants.unwrap_or((word, Vec::new()));
            match kind.strip_suffix('!') {
                Some(kind) if !values.is_empty() => Self {
                    kind: kind.to_owned(),
                    values: Vec::new(),
                    excluded: values,
                    many,
                    optional,
                },
                _ => Self { kind: kind.to_owned(), values, excluded: Vec::new(), many, optional },
            }
        };
        text.split_whitespace().map(word).collect()
    }

    /// The text that [`Part::sequence`] reads.
    pub fn text(parts: &[Self]) -> String {
        let word = |part: &Self| {
            let all = |values: &[i128], sign: &str| match values {
                [] => String::new(),
                values => {
                    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                    format!("{sign}{}", values.join("|"))
                }
            };
            let values = all(&part.values, "=") + &all(&part.excluded, "!=");
            let mark = match (part.many, part.optional) {
                (true, _) => "*",
                (false, true) => "?",
                (false, false) => "",
            };
            format!("{}{values}{mark}", part.kind)
        };
        parts.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    /// The events of one element: one for each value.
    pub fn events(&self) -> Vec<Event> {
        if self.values.is_empty() {
            let value = match &self.excluded[..] {
                [] => Value::Any,
                excluded => Value::Except(excluded.iter().copied().collect()),
            };
            return vec![Event { kind: self.kind.clone(), value }];
        }
        self.values.iter().map(|value| Event::of(self.kind.clone(), *value)).collect()
    }
}

/// The effect of an edge.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// No relevant action.
    Nothing,
    /// Writes or reads an element.
    Io(Part),
    /// Calls one of these functions.
    Call(Vec<FunctionId>),
    /// Ends the run, whichever functions are active. The target of the edge is the exit, but has no meaning.
    End,
}

/// A step from node to node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// The node at which the edge begins.
    pub from: usize,
    /// The node at which the edge ends.
    pub to: usize,
    /// The effect.
    pub action: Action,
    /// The call that the edge represents or belongs to, by its position in [`Program::sites`].
    pub site: Option<usize>,
}

/// A function: a graph with one entry and one exit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Function {
    /// The name.
    pub name: String,
    /// Number of nodes.
    pub nodes: usize,
    /// The node at which the function begins.
    pub entry: usize,
    /// The node at which the function returns.
    pub exit: usize,
    /// The edges.
    pub edges: Vec<Edge>,
}

impl Function {
    /// A function with an entry, node 0, and an exit, node 1.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), nodes: 2, entry: 0, exit: 1, edges: Vec::new() }
    }

    /// Adds a node.
    pub fn add_node(&mut self) -> usize {
        self.nodes += 1;
        self.nodes - 1
    }

    /// Returns true if the exit can be reached using only calls of functions that are known to return.
    fn returns(&self, returning: &[bool]) -> bool {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.nodes];
        for edge in &self.edges {
            let passes = match &edge.action {
                Action::Nothing | Action::Io(_) => true,
                Action::Call(callees) => {
                    callees.is_empty() || callees.iter().any(|callee| returning[*callee])
                }
                Action::End => false,
            };
            if passes {
                next[edge.from].push(edge.to);
            }
        }
        let mut seen = vec![false; self.nodes];
        let mut work = vec![self.entry];
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                work.extend(&next[node]);
            }
        }
        seen[self.exit]
    }

    /// Adds edges that write or read a sequence of elements one after another.
    pub fn add_sequence(&mut self, from: usize, to: usize, parts: &[Part], site: Option<usize>) {
        let mut at = from;
        for (k, part) in parts.iter().enumerate() {
            let last = k + 1 == parts.len();
            let next = if last { to } else { self.add_node() };
            if part.many {
                let around = self.add_node();
                let mut edge = |from, to, action| {
                    self.edges.push(Edge { from, to, action, site });
                };
                edge(at, around, Action::Nothing);
                let once = Part { many: false, optional: false, ..part.clone() };
                edge(around, around, Action::Io(once));
                edge(around, next, Action::Nothing);
            } else {
                if part.optional {
                    self.edges.push(Edge { from: at, to: next, action: Action::Nothing, site });
                }
                let action = Action::Io(Part { optional: false, ..part.clone() });
                self.edges.push(Edge { from: at, to: next, action, site });
            }
            at = next;
        }
        if parts.is_empty() {
            self.edges.push(Edge { from, to, action: Action::Nothing, site });
        }
    }
}

/// A program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// The functions that have a body.
    pub functions: Vec<Function>,
    /// The function that runs.
    pub main: FunctionId,
    /// The calls that write or read, in the order of their places.
    pub sites: Vec<Site>,
    /// True if functions that never return and neither write nor read are treated as if they returned, as in the paper.
    pub all_return: bool,
}

impl Program {
    /// Returns true for each function that runs and can write or read, directly or through a callee.
    pub fn relevant(&self) -> Vec<bool> {
        let able = self.able();
        self.runs().into_iter().zip(able).map(|(runs, able)| runs && able).collect()
    }

    /// Returns true for each function that the first function may call, directly or indirectly.
    pub fn runs(&self) -> Vec<bool> {
        let calls = self.callees();
        let mut runs = vec![false; self.functions.len()];
        let mut work = vec![self.main];
        while let Some(k) = work.pop() {
            if !std::mem::replace(&mut runs[k], true) {
                work.extend(&calls[k]);
            }
        }
        runs
    }

    /// Returns true for each function that can write, read or end the run, directly or through a callee, and for the
    /// one that runs. These are the functions that section 4.2 of the paper does not prune, including those that never
    /// run.
    pub fn able(&self) -> Vec<bool> {
        let mut able = self.reaching(|action| matches!(action, Action::Io(_) | Action::End));
        if let Some(main) = able.get_mut(self.main) {
            *main = true;
        }
        able
    }

    /// Returns the values of the types for which each place in functions that run writes a single constant. If a place
    /// may write several values, later events may depend on the unknown value.
    pub fn written(&self) -> BTreeMap<String, BTreeSet<i128>> {
        let mut found: BTreeMap<String, BTreeSet<i128>> = BTreeMap::new();
        let mut others: BTreeSet<&str> = BTreeSet::new();
        let running = self.functions.iter().zip(self.relevant()).filter(|(_, runs)| *runs);
        for edge in running.flat_map(|(function, _)| &function.edges) {
            match &edge.action {
                Action::Io(Part { kind, values, .. }) if values.len() == 1 => {
                    found.entry(kind.clone()).or_default().extend(values);
                }
                Action::Io(part) => {
                    others.insert(&part.kind);
                }
                _ => {}
            }
        }
        found.retain(|kind, _| !others.contains(kind.as_str()));
        found
    }

    /// Returns for each type the constants that functions that run write, among other values.
    pub fn partly_written(&self) -> BTreeMap<String, BTreeSet<i128>> {
        let mut found: BTreeMap<String, BTreeSet<i128>> = BTreeMap::new();
        let running = self.functions.iter().zip(self.relevant()).filter(|(_, runs)| *runs);
        for edge in running.flat_map(|(function, _)| &function.edges) {
            if let Action::Io(part) = &edge.action {
                let own = found.entry(part.kind.clone()).or_default();
                own.extend(part.values.iter().chain(&part.excluded));
            }
        }
        found
    }

    /// Returns true for each function in which the run may end, directly or in a callee.
    pub fn ending(&self) -> Vec<bool> {
        self.reaching(|action| *action == Action::End)
    }

    /// Returns true for each function that may return to its caller. Calls of functions that never return, and the end
    /// of the run, have no successor.
    pub fn returning(&self) -> Vec<bool> {
        let mut returning = vec![self.all_return; self.functions.len()];
        loop {
            let mut changed = false;
            for (k, function) in self.functions.iter().enumerate() {
                if !returning[k] && function.returns(&returning) {
                    returning[k] = true;
                    changed = true;
                }
            }
            if !changed {
                return returning;
            }
        }
    }

    /// Returns true for each function that can do one of these actions, directly or through a callee.
    fn reaching(&self, wanted: impl Fn(&Action) -> bool) -> Vec<bool> {
        let calls = self.callees();
        let mut can: Vec<bool> =
            self.functions.iter().map(|f| f.edges.iter().any(|e| wanted(&e.action))).collect();
        loop {
            let before = can.clone();
            for (k, callees) in calls.iter().enumerate() {
                can[k] = can[k] || callees.iter().any(|callee| can[*callee]);
            }
            if can == before {
                return can;
            }
        }
    }

    /// The functions that each function calls.
    fn callees(&self) -> Vec<Vec<FunctionId>> {
        let calls = |function: &Function| -> Vec<FunctionId> {
            let calls = function.edges.iter().filter_map(|edge| match &edge.action {
                Action::Call(functions) => Some(functions.clone()),
                _ => None,
            });
            calls.flatten().collect()
        };
        self.functions.iter().map(calls).collect()
    }
}
