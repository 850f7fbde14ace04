//! Interface synthesis by learning (Alur et al.): Angluin's L* over the names of the functions.
//!
//! A word is in the language if no run of it fails, for any arguments. The symbolic successors of the initial states
//! decide membership. Equivalence is decided by the library states that each state of the hypothesis reaches.

use std::collections::{HashMap, HashSet, VecDeque};

use biodivine_lib_bdd::Bdd;

use super::{any_arguments, empty};
use crate::graph::{Edge, Graph, Node};
use crate::library::Problem;
use crate::symbolic::{Calls, meet};

/// A state of the hypothesis, the library's states at it, and the step and function that led to it.
type Step = (usize, Bdd, Option<(usize, usize)>);

/// The maximum number of sets of states that the exact check of permissiveness visits.
const MOST_SETS: usize = 20_000;

type Word = Vec<usize>;

/// The deterministic automaton of a table; `None` is the sink of illegal words.
struct Hypothesis {
    /// The word that leads to each state, the initial one first.
    access: Vec<Word>,
    /// The state after each function.
    next: Vec<Vec<Option<usize>>>,
}

struct Teacher<'a> {
    calls: &'a Calls,
    /// For each function, the states in which it may fail.
    fails: Vec<Bdd>,
    /// The states after legal words.
    after: HashMap<Word, Option<Bdd>>,
}

/// Computes the smallest automaton of the legal sequences.
///
/// # Errors
///
/// Returns an error if the deadline has passed or equivalence needs too many sets of states.
pub fn learning(calls: &Calls) -> Result<Graph, Problem> {
    let functions = calls.functions.len();
    let fails = (0..functions).map(|f| calls.may_fail(f)).collect::<Result<_, _>>()?;
    let mut teacher = Teacher { calls, fails, after: HashMap::new() };
    let mut suffixes: Vec<Word> = (0..functions).map(|f| vec![f]).collect();
    loop {
        let hypothesis = hypothesis(&mut teacher, &suffixes)?;
        let Some(counterexample) = teacher.differs(&hypothesis)? else {
            return Ok(graph(calls, &hypothesis));
        };
        // All suffixes of a counterexample keep the table consistent (Maler and Pnueli).
        let known = suffixes.len();
        for k in 0..counterexample.len() {
            let suffix = counterexample[k..].to_vec();
            if !suffixes.contains(&suffix) {
                suffixes.push(suffix);
            }
        }
        if suffixes.len() == known {
            let message = "the answers of the library contradict one another";
            return Err(Problem::new(calls.library.places.module, message));
        }
    }
}

/// Closes the table and reads the automaton from it.
fn hypothesis(teacher: &mut Teacher<'_>, suffixes: &[Word]) -> Result<Hypothesis, Problem> {
    let functions = teacher.calls.functions.len();
    let mut rows: Vec<Vec<bool>> = vec![teacher.row(&[], suffixes)?];
    let mut access: Vec<Word> = vec![Vec::new()];
    let mut next = Vec::new();
    while next.len() < access.len() {
        let mut successors = Vec::new();
        for f in 0..functions {
            teacher.calls.in_time()?;
            let mut word = access[next.len()].clone();
            word.push(f);
            if !teacher.is_legal(&word)? {
                successors.push(None);
                continue;
            }
            let row = teacher.row(&word, suffixes)?;
            let state = rows.iter().position(|r| *r == row).unwrap_or_else(|| {
                rows.push(row);
                access.push(word);
                rows.len() - 1
            });
            successors.push(Some(state));
        }
        next.push(successors);
    }
    Ok(Hypothesis { access, next })
}

impl Teacher<'_> {
    fn row(&mut self, word: &[usize], suffixes: &[Word]) -> Result<Vec<bool>, Problem> {
        suffixes.iter().map(|suffix| self.is_legal(&[word, suffix].concat())).collect()
    }

    fn is_legal(&mut self, word: &[usize]) -> Result<bool, Problem> {
        Ok(self.after(word)?.is_some())
    }

    /// The states after a word; `None` if a run of it may fail.
    fn after(&mut self, word: &[usize]) -> Result<Option<Bdd>, Problem> {
        let Some((last, prefix)) = word.split_last() else {
            return Ok(Some(self.calls.initial.clone()));
        };
        if let Some(known) = self.after.get(word) {
            return Ok(known.clone());
        }
        let states = match self.after(prefix)? {
            Some(before) if !meet(&before, &self.fails[*last]) => {
                Some(self.calls.after(*last, &before)?)
            }
            _ => None,
        };
        self.after.insert(word.to_vec(), states.clone());
        Ok(states)
    }

    /// Returns a word on which the hypothesis is wrong.
    fn differs(&mut self, hypothesis: &Hypothesis) -> Result<Option<Word>, Problem> {
        // The states of the library, each with the word that first reached it.
        let mut met: Vec<Bdd> = vec![self.calls.space.nothing(); hypothesis.access.len()];
        met[0] = self.calls.initial.clone();
        let mut steps: Vec<Step> = vec![(0, self.calls.initial.clone(), None)];
        let mut refused = Vec::new();
        let mut k = 0;
        while k < steps.len() {
            self.calls.in_time()?;
            let (state, set, _) = steps[k].clone();
            for (f, next) in hypothesis.next[state].iter().enumerate() {
                let Some(next) = next else {
                    // The hypothesis refuses the function, although it would not fail in some of these states.
                    if !set.and_not(&self.fails[f]).is_false() {
                        refused.push((k, f));
                    }
                    continue;
                };
                if meet(&set, &self.fails[f]) {
                    return Ok(Some(word(&steps, k, f)));
                }
                let new = self.calls.after(f, &set)?.and_not(&met[*next]);
                if !new.is_false() {
                    met[*next] = met[*next].or(&new);
                    steps.push((*next, new, Some((k, f))));
                }
            }
            k += 1;
        }
        for (k, f) in &refused {
            let word = word(&steps, *k, *f);
            if self.is_legal(&word)? {
                return Ok(Some(word));
            }
        }
        if refused.is_empty() { Ok(None) } else { self.refuses_too_much(hypothesis) }
    }

    /// Returns a legal word that the hypothesis refuses, found with the exact sets of states after each word.
    fn refuses_too_much(&mut self, hypothesis: &Hypothesis) -> Result<Option<Word>, Problem> {
        let start = (0, self.calls.initial.clone());
        let mut seen: HashSet<(usize, Bdd)> = HashSet::from([start.clone()]);
        let mut queue = VecDeque::from([(start, Word::new())]);
        while let Some(((state, set), word)) = queue.pop_front() {
            self.calls.in_time()?;
            for (f, next) in hypothesis.next[state].iter().enumerate() {
                let longer = || [&word[..], &[f]].concat();
                match next {
                    None if !meet(&set, &self.fails[f]) => return Ok(Some(longer())),
                    None => {}
                    Some(next) => {
                        let pair = (*next, self.calls.after(f, &set)?);
                        if seen.insert(pair.clone()) {
                            queue.push_back((pair, longer()));
                        }
                    }
                }
            }
            if seen.len() > MOST_SETS {
                let message = format!(
                    "equivalence takes more than {MOST_SETS} sets of states: use another mode"
                );
                return Err(Problem::new(self.calls.library.places.module, message));
            }
        }
        Ok(None)
    }
}

/// The word that led to a step, and one more function.
fn word(steps: &[Step], step: usize, function: usize) -> Word {
    let mut word = vec![function];
    let mut at = steps[step].2;
    while let Some((before, f)) = at {
        word.push(f);
        at = steps[before].2;
    }
    word.reverse();
    word
}

fn graph(calls: &Calls, hypothesis: &Hypothesis) -> Graph {
    let mut graph = empty(&calls.library);
    let error = hypothesis.access.len();
    let text = |word: &Word| {
        let names: Vec<&str> =
            word.iter().map(|f| calls.library.functions[*f].name.as_str()).collect();
        if names.is_empty() { "at first".to_owned() } else { format!("after {}", names.join(" ")) }
    };
    graph.nodes = hypothesis
        .access
        .iter()
        .map(|w| Node { description: text(w), states: None, is_error: false })
        .collect();
    graph.initial = vec![0];
    if hypothesis.next.iter().flatten().any(Option::is_none) {
        graph.nodes.push(Node { description: "error".to_owned(), states: None, is_error: true });
    }
    for (from, next) in hypothesis.next.iter().enumerate() {
        for (function, to) in next.iter().enumerate() {
            let arguments = any_arguments(&calls.library, function);
            graph.edges.push(Edge { from, function, arguments, to: to.unwrap_or(error) });
        }
    }
    graph
}
