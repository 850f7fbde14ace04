//! Infers automata of programs (section 2.2 of the paper). Each function has an automaton, which is determinized and
//! minimized with calls as symbols; then they are joined.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexSet;

use crate::automata::fa::{Dfa, Fa};
use crate::automata::nwa::{CALL, Call, Internal, RETURN, Return};
use crate::automata::{Alphabet, Event, Nwa, State};
use crate::error::Error;
use crate::program::{Action, Function, FunctionId, Program};

/// The maximum number of states of the automaton of one function before it is minimized.
const STATES: usize = 100_000;

/// A label in a function's automaton.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Label {
    Event(Event),
    /// A call that returns.
    Call(FunctionId),
    /// A call in which the run ends.
    Last(FunctionId),
    /// The end of the run.
    End,
}

/// The automaton of a program, and the number of functions that are part of it.
#[derive(Debug, Clone)]
pub struct Inferred {
    /// The automaton. States are named after their function.
    pub automaton: Nwa,
    /// Number of functions that were not pruned.
    pub functions: usize,
}

/// Infers the automaton of a program.
///
/// # Errors
///
/// Returns an error if a function's automaton is too large.
pub fn infer(program: &Program, alphabet: &mut Alphabet) -> Result<Inferred, Error> {
    infer_functions(program, &program.relevant(), alphabet)
}

/// Infers the automaton of some functions of a program, given by their positions. They must include the one that runs.
/// With [`Program::able`], |Q| is counted as in the paper, including functions that never run.
///
/// # Errors
///
/// Returns an error if a function's automaton is too large.
pub fn infer_functions(
    program: &Program,
    relevant: &[bool],
    alphabet: &mut Alphabet,
) -> Result<Inferred, Error> {
    let (parts, labels) = parts(program, relevant)?;
    let functions = parts.len();
    Ok(Inferred { automaton: join(program, &parts, &labels, alphabet), functions })
}

/// The automata of functions, with calls as symbols.
pub(crate) type Parts = (BTreeMap<FunctionId, Dfa>, IndexSet<Label>);

/// Makes the automata of some functions.
pub(crate) fn parts(program: &Program, relevant: &[bool]) -> Result<Parts, Error> {
    let mut labels: IndexSet<Label> = IndexSet::new();
    let mut parts: BTreeMap<FunctionId, Dfa> = BTreeMap::new();
    let calls = Calls { relevant, ending: program.ending(), returning: program.returning() };
    for (k, function) in program.functions.iter().enumerate() {
        if relevant[k] {
            let fa = automaton(function, &calls, &mut labels);
            parts.insert(k, fa.determinize(STATES)?.minimize());
        }
    }
    Ok((parts, labels))
}

/// Returns true if the automaton of a function is small enough, whatever its callees do.
pub(crate) fn is_small(function: &Function, functions: usize, limit: usize) -> bool {
    let all = vec![true; functions];
    let calls = Calls { relevant: &all, ending: vec![false; functions], returning: all.clone() };
    automaton(function, &calls, &mut IndexSet::new()).determinize(limit).is_ok()
}

/// The functions that calls enter, in which they end, and from which they return.
struct Calls<'a> {
    relevant: &'a [bool],
    ending: Vec<bool>,
    returning: Vec<bool>,
}

/// Returns the automaton of one function, whose nodes are states and whose calls are symbols.
fn automaton(function: &Function, calls: &Calls<'_>, labels: &mut IndexSet<Label>) -> Fa {
    let number = |k: usize| State::try_from(k).unwrap_or(State::MAX);
    let mut fa = Fa { states: function.nodes, ..Fa::default() };
    fa.initial.insert(number(function.entry));
    fa.finals.insert(number(function.exit));
    for edge in &function.edges {
        let (from, to) = (number(edge.from), number(edge.to));
        let mut on = |label: Label| Some(number(labels.insert_full(label).0));
        match &edge.action {
            Action::Nothing => fa.edges.push((from, None, to)),
            Action::End => fa.edges.push((from, on(Label::End), number(function.exit))),
            Action::Io(part) => {
                fa.edges.extend(part.events().into_iter().map(|e| (from, on(Label::Event(e)), to)));
            }
            Action::Call(callees) => {
                for callee in callees {
                    let relevant = calls.relevant[*callee];
                    if relevant || calls.returning[*callee] {
                        let label = relevant.then(|| on(Label::Call(*callee)));
                        fa.edges.push((from, label.flatten(), to));
                    }
                    if relevant && calls.ending[*callee] {
                        let last = on(Label::Last(*callee));
                        fa.edges.push((from, last, number(function.exit)));
                    }
                }
                if callees.is_empty() {
                    fa.edges.push((from, None, to));
                }
            }
        }
    }
    fa
}

/// Joins the automata of the functions, with calls and returns in place of the symbols.
fn join(
    program: &Program,
    parts: &BTreeMap<FunctionId, Dfa>,
    labels: &IndexSet<Label>,
    alphabet: &mut Alphabet,
) -> Nwa {
    let mut nwa = Nwa::default();
    let mut bases: BTreeMap<FunctionId, State> = BTreeMap::new();
    for (k, dfa) in parts {
        bases.insert(*k, State::try_from(nwa.len()).unwrap_or(State::MAX));
        for state in 0..dfa.next.len() {
            nwa.add_state(format!("{}:{state}", program.functions[*k].name));
        }
    }
    let ended = ended(&mut nwa, program, &parts.keys().copied().collect::<Vec<_>>());
    for (k, dfa) in parts {
        let base = bases[k];
        for (from, next) in (base..).zip(&dfa.next) {
            for (label, to) in next {
                let to = base + to;
                match &labels[*label as usize] {
                    Label::End => {
                        nwa.internal.push(Internal { from, on: None, to: ended[k] });
                    }
                    Label::Event(event) => {
                        let on = Some(alphabet.symbol(event.clone()));
                        nwa.internal.push(Internal { from, on, to });
                    }
                    Label::Call(callee) => {
                        let (inside, entry) = (&parts[callee], bases[callee]);
                        let on = alphabet.symbol(Event::any(CALL));
                        nwa.calls.push(Call { from, on, to: entry + inside.initial });
                        let on = alphabet.symbol(Event::any(RETURN));
                        for (exit, last) in (entry..).zip(&inside.finals) {
                            if *last {
                                nwa.returns.push(Return { from: exit, call: from, on, to });
                            }
                        }
                    }
                    Label::Last(callee) => {
                        let (from_inside, to) = (ended[callee], ended[k]);
                        let on = alphabet.symbol(Event::any(CALL));
                        let entry = bases[callee] + parts[callee].initial;
                        nwa.calls.push(Call { from, on, to: entry });
                        let on = alphabet.symbol(Event::any(RETURN));
                        nwa.returns.push(Return { from: from_inside, call: from, on, to });
                    }
                }
            }
        }
    }
    nwa.calls.sort_by_key(|call| (call.from, call.to));
    nwa.calls.dedup();
    let (main, base) = (&parts[&program.main], bases[&program.main]);
    nwa.initial.insert(base + main.initial);
    // A state to which only the end of a run leads does not represent a return.
    let mut returned = BTreeSet::from([main.initial]);
    for (label, to) in main.next.iter().flatten() {
        if matches!(labels[*label as usize], Label::Event(_) | Label::Call(_)) {
            returned.insert(*to);
        }
    }
    let finals = (0..).zip(&main.finals).filter(|(k, last)| **last && returned.contains(k));
    nwa.finals.extend(finals.map(|(k, _)| base + k));
    nwa.finals.extend(ended.get(&program.main));
    // The state before a return identifies it. That state is in one function, and a deterministic automaton does not
    // call a function twice from one state.
    nwa
}

/// Adds a state for each function in which the run may end, directly or in a callee. From there it returns to the
/// corresponding state of its caller. In the function that runs, this state is final.
fn ended(nwa: &mut Nwa, program: &Program, parts: &[FunctionId]) -> BTreeMap<FunctionId, State> {
    let ends = program.ending();
    let parts = parts.iter().filter(|k| ends[**k]);
    parts.map(|k| (*k, nwa.add_state(format!("{}:end", program.functions[*k].name)))).collect()
}

/// A program's automaton whose states are the nodes of its graphs, with the sites of its events.
#[derive(Debug, Clone)]
pub struct Traced {
    /// The automaton. It accepts the same words as the inferred one.
    pub automaton: Nwa,
    /// For each element of [`Nwa::internal`], its position in [`Program::sites`].
    pub sites: Vec<Option<usize>>,
}

/// Returns the automaton of a program before minimization, which shows the sites of a word's events. Splits a node from
/// which several functions are called or one is called twice.
pub fn trace(program: &Program, alphabet: &mut Alphabet) -> Traced {
    let (relevant, returning) = (program.relevant(), program.returning());
    let mut nwa = Nwa::default();
    let mut sites = Vec::new();
    let mut bases: BTreeMap<FunctionId, State> = BTreeMap::new();
    for (k, function) in program.functions.iter().enumerate() {
        if relevant[k] {
            bases.insert(k, State::try_from(nwa.len()).unwrap_or(State::MAX));
            for node in 0..function.nodes {
                nwa.add_state(format!("{}:{node}", function.name));
            }
        }
    }
    let ended = ended(&mut nwa, program, &bases.keys().copied().collect::<Vec<_>>());
    let (call_on, return_on) =
        (alphabet.symbol(Event::any(CALL)), alphabet.symbol(Event::any(RETURN)));
    let node = |base: State, node: usize| base + State::try_from(node).unwrap_or(State::MAX);
    for (k, base) in &bases {
        for edge in &program.functions[*k].edges {
            let (from, to) = (node(*base, edge.from), node(*base, edge.to));
            let mut silent = |nwa: &mut Nwa, from, to| {
                nwa.internal.push(Internal { from, on: None, to });
                sites.push(None);
            };
            match &edge.action {
                Action::Nothing => silent(&mut nwa, from, to),
                Action::End => silent(&mut nwa, from, ended[k]),
                Action::Io(part) => {
                    for event in part.events() {
                        let on = Some(alphabet.symbol(event));
                        nwa.internal.push(Internal { from, on, to });
                        sites.push(edge.site);
                    }
                }
                Action::Call(callees) => {
                    for callee in callees.iter().filter(|callee| relevant[**callee]) {
                        let site = nwa.add_state(format!("call:{}", nwa.len()));
                        silent(&mut nwa, from, site);
                        let inside = &program.functions[*callee];
                        let entry = node(bases[callee], inside.entry);
                        nwa.calls.push(Call { from: site, on: call_on, to: entry });
                        let exit = node(bases[callee], inside.exit);
                        nwa.returns.push(Return { from: exit, call: site, on: return_on, to });
                        if let Some(inside) = ended.get(callee) {
                            let (from, to) = (*inside, ended[k]);
                            nwa.returns.push(Return { from, call: site, on: return_on, to });
                        }
                    }
                    let passes = |callee: &FunctionId| !relevant[*callee] && returning[*callee];
                    if callees.is_empty() || callees.iter().any(passes) {
                        silent(&mut nwa, from, to);
                    }
                }
            }
        }
    }
    let (main, base) = (&program.functions[program.main], bases[&program.main]);
    nwa.initial.insert(node(base, main.entry));
    nwa.finals.insert(node(base, main.exit));
    nwa.finals.extend(ended.get(&program.main));
    Traced { automaton: nwa, sites }
}
