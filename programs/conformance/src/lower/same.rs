//! Finds nodes of a lowered function from which the same actions follow. A condition that only selects between such
//! nodes does not matter.
//!
//! The sequences of actions are compared by determinizing both sides on the fly, and merging states that must be equal
//! (Hopcroft and Karp, *A Linear Algorithm for Testing Equivalence of Finite Automata*, 1971).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::program::{Action, Edge, Function};

/// The maximum number of pairs of node sets that are compared for one condition. If there are more, the branches are
/// assumed to differ.
const PAIRS: usize = 500;

/// The maximum number of nodes in the sets that are compared for one condition.
const NODES: usize = 20_000;

/// The steps of a function, by their actions.
pub struct Same<'a> {
    silent: Vec<Vec<usize>>,
    acting: Vec<Vec<(&'a Action, usize)>>,
    exit: usize,
    /// For each node, the nodes that [`Same::closed`] finds from it, once known.
    found: RefCell<Vec<Option<Rc<[usize]>>>>,
    /// Pairs of sets of nodes that were found to be equivalent.
    proved: RefCell<BTreeSet<Pair>>,
}

/// Two sets of nodes, each in order.
type Pair = (Vec<usize>, Vec<usize>);

impl<'a> Same<'a> {
    /// Creates the comparison for a function, without its steps.
    pub fn of(function: &Function) -> Self {
        Self {
            silent: vec![Vec::new(); function.nodes],
            acting: vec![Vec::new(); function.nodes],
            exit: function.exit,
            found: RefCell::new(vec![None; function.nodes]),
            proved: RefCell::default(),
        }
    }

    /// Adds a step.
    pub fn add(&mut self, edge: &'a Edge, acts: bool, passes: bool) {
        match (acts, passes) {
            (true, _) => self.acting[edge.from].push((&edge.action, edge.to)),
            (false, true) => self.silent[edge.from].push(edge.to),
            (false, false) => {}
        }
    }

    /// Returns true if the same sequences of actions lead from both nodes to the exit.
    pub fn are(&self, one: usize, other: usize, steps: &mut usize) -> bool {
        if [one, other].iter().any(|node| *node >= self.silent.len()) {
            return false;
        }
        let mut seen: BTreeSet<Pair> = BTreeSet::new();
        let mut work = vec![(self.closed(&[one]), self.closed(&[other]))];
        let mut nodes = 0;
        while let Some((left, right)) = work.pop() {
            let pair = (left, right);
            let is_known = pair.0 == pair.1 || seen.contains(&pair);
            if is_known || self.proved.borrow().contains(&pair) {
                continue;
            }
            let (left, right) = &pair;
            nodes += left.len() + right.len();
            *steps += left.len() + right.len();
            let is_last = |nodes: &[usize]| nodes.contains(&self.exit);
            if seen.len() > PAIRS || nodes > NODES || is_last(left) != is_last(right) {
                return false;
            }
            let (a, b) = (self.next(left), self.next(right));
            if !a.keys().eq(b.keys()) {
                return false;
            }
            work.extend(a.into_values().zip(b.into_values()));
            seen.insert(pair);
        }
        // All pairs were consistent, so later comparisons may rely on them.
        self.proved.borrow_mut().append(&mut seen);
        true
    }

    /// Returns the nodes to which steps without effect lead, in order: those with other steps, and the exit.
    fn closed(&self, nodes: &[usize]) -> Vec<usize> {
        if let [node] = nodes {
            return self.closed_from(*node).to_vec();
        }
        let all: BTreeSet<usize> = nodes.iter().copied().collect();
        let mut found: Vec<usize> = Vec::new();
        for node in all {
            found.extend(&*self.closed_from(node));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn closed_from(&self, node: usize) -> Rc<[usize]> {
        if let Some(found) = &self.found.borrow()[node] {
            return Rc::clone(found);
        }
        let found: Rc<[usize]> = self.search(node).into();
        self.found.borrow_mut()[node] = Some(Rc::clone(&found));
        found
    }

    fn search(&self, from: usize) -> Vec<usize> {
        let mut seen = vec![false; self.silent.len()];
        let mut found = Vec::new();
        let mut work = vec![from];
        while let Some(node) = work.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            if node == self.exit || !self.acting[node].is_empty() {
                found.push(node);
            }
            work.extend(self.silent[node].iter().filter(|to| !seen[**to]));
        }
        found.sort_unstable();
        found
    }

    /// The nodes after each action.
    fn next(&self, nodes: &[usize]) -> BTreeMap<&'a Action, Vec<usize>> {
        let mut found: BTreeMap<&Action, Vec<usize>> = BTreeMap::new();
        for (action, to) in nodes.iter().flat_map(|node| &self.acting[*node]) {
            found.entry(action).or_default().push(*to);
        }
        found.into_iter().map(|(action, to)| (action, self.closed(&to))).collect()
    }
}
