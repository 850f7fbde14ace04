//! The paper's algorithms: Explore, AbsRef and BuildInterface (section 4).
//!
//! Explore splits the globals by the functions that fail in one call. States that differ only two calls later stay
//! together, so its graph is not always safe. For a stack with three elements, it treats `push pop pop` as legal.
//! [`Stable`](super::Stable) closes this gap.

use std::collections::VecDeque;

use biodivine_lib_bdd::Bdd;

use super::{Abstraction, Predecessors, any_arguments, empty};
use crate::graph::{Edge, Graph, Node};
use crate::library::Problem;
use crate::symbolic::{Calls, Field, meet};

/// Counts of the work of refinement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Refinements {
    /// The number of variables added to local abstractions.
    pub local: usize,
    /// The number of regions of the global abstraction that were split.
    pub global: usize,
    /// The number of computations of must predecessors.
    pub predecessors: usize,
}

/// A run of Explore, to which functions can be added.
#[derive(Debug, Clone)]
pub struct Explorer<'a> {
    calls: &'a Calls,
    /// The global abstraction `R`; the first region is the error.
    regions: Vec<Bdd>,
    functions: Vec<usize>,
    /// The kind of must predecessors.
    pub predecessors: Predecessors,
    /// Refinements so far.
    pub refinements: Refinements,
}

impl<'a> Explorer<'a> {
    /// The first abstraction: errors, initial states, and the rest.
    ///
    /// # Errors
    ///
    /// There are no errors, so there is nothing to refine.
    pub fn new(calls: &'a Calls) -> Result<Self, Problem> {
        if calls.error.is_false() {
            return Err(Problem::new(
                calls.library.places.error,
                "no state satisfies the error condition",
            ));
        }
        let rest = calls.domain.and_not(&calls.error).and_not(&calls.initial);
        let mut regions = vec![calls.error.clone(), calls.initial.clone(), rest];
        regions.retain(|r| !r.is_false());
        Ok(Self {
            calls,
            regions,
            functions: Vec::new(),
            predecessors: Predecessors::ByGroup,
            refinements: Refinements::default(),
        })
    }

    /// Refines for all functions and builds the graph (Algorithm 1).
    ///
    /// # Errors
    ///
    /// The deadline has passed.
    pub fn explore(mut self) -> Result<Graph, Problem> {
        for f in 0..self.calls.functions.len() {
            self.add(f)?;
        }
        self.build()
    }

    /// Adds a function: refines the global abstraction for it (Algorithm 2).
    ///
    /// # Errors
    ///
    /// The deadline has passed.
    pub fn add(&mut self, function: usize) -> Result<(), Problem> {
        let calls = self.calls;
        let compiled = &calls.functions[function];
        let regions = self.regions.clone();
        let mut local = Abstraction::new(calls, function, &regions);
        let error = calls.error.and(&compiled.domain);
        loop {
            let must = local.must(&error, self.predecessors)?;
            self.refinements.predecessors += 1;
            let new = calls.step_before(function, &must).and_not(&must);
            if new.is_false() {
                let fails = must.and(&compiled.entry).exists(&compiled.locals);
                self.split(&fails);
                self.functions.push(function);
                return Ok(());
            }
            let field = self.next_variable(function, &local, &new, &must);
            let variables: Vec<_> = field.now().collect();
            local.refine(&variables);
            self.refinements.local += 1;
        }
    }

    /// Returns a variable for refinement: one in the support of the new states on which the regions do not depend. If
    /// there is none, the paper's algorithm has no rule; then this returns the first other hidden variable (`top` of
    /// the stack's `push`).
    fn next_variable(
        &self,
        function: usize,
        local: &Abstraction<'_>,
        new: &Bdd,
        must: &Bdd,
    ) -> &'a Field {
        let mut support = new.support_set();
        if support.iter().all(|v| !local.hides(*v)) {
            // If rules are approximated one by one, variables through which one rule affects another count as well.
            for rule in &self.calls.functions[function].rules {
                support.extend(rule.before(must).support_set());
            }
        }
        let known =
            |f: &Field| f.now().any(|v| self.regions.iter().any(|r| r.support_set_contains(&v)));
        let space = &self.calls.space;
        let candidates: Vec<&Field> = space.locals[function]
            .iter()
            .chain(&space.globals)
            .filter(|f| f.now().any(|v| support.contains(&v) && local.hides(v)))
            .collect();
        candidates
            .iter()
            .find(|f| !known(f))
            .or(candidates.first())
            .expect("cells that tell all variables of a set apart are exact for it")
    }

    /// Splits each region that has states inside and outside of a set.
    fn split(&mut self, set: &Bdd) {
        let mut out = Vec::new();
        for region in &self.regions {
            let (inside, outside) = (region.and(set), region.and_not(set));
            if inside.is_false() || outside.is_false() || meet(region, &self.calls.error) {
                out.push(region.clone());
            } else {
                self.refinements.global += 1;
                out.extend([inside, outside]);
            }
        }
        self.regions = out;
    }

    /// Builds the graph (Algorithm 3). A node is a set of regions because a call may lead to several. As printed, an
    /// edge is an error only if all of its regions are errors.
    ///
    /// # Errors
    ///
    /// The deadline has passed.
    pub fn build(&self) -> Result<Graph, Problem> {
        let calls = self.calls;
        let meeting = |set: &Bdd| -> Vec<usize> {
            (0..self.regions.len()).filter(|r| meet(&self.regions[*r], set)).collect()
        };
        let states = |node: &[usize]| {
            node.iter().fold(calls.space.nothing(), |all, r| all.or(&self.regions[*r]))
        };
        let mut nodes: Vec<Vec<usize>> = vec![meeting(&calls.initial)];
        let mut edges = Vec::new();
        let mut queue = VecDeque::from([0]);
        while let Some(from) = queue.pop_front() {
            let current = nodes[from].clone();
            if current == [0] {
                continue;
            }
            for f in &self.functions {
                calls.in_time()?;
                let mut next = calls.after(*f, &states(&current).and_not(&calls.error))?;
                if current.contains(&0) {
                    next = next.or(&calls.error);
                }
                let next = meeting(&next);
                if next.is_empty() {
                    continue;
                }
                let to = nodes.iter().position(|n| *n == next).unwrap_or_else(|| {
                    nodes.push(next);
                    queue.push_back(nodes.len() - 1);
                    nodes.len() - 1
                });
                edges.push((from, *f, to));
            }
        }
        let order: Vec<usize> = {
            let (errors, others): (Vec<_>, Vec<_>) =
                (0..nodes.len()).partition(|n| nodes[*n] == [0]);
            others.into_iter().chain(errors).collect()
        };
        let place = |n: usize| order.iter().position(|o| *o == n).unwrap_or(n);
        let mut graph = empty(&calls.library);
        graph.nodes = order
            .iter()
            .map(|n| {
                let set = states(&nodes[*n]);
                Node {
                    description: calls.describe(&set),
                    states: calls.space.count(&set),
                    is_error: nodes[*n] == [0],
                }
            })
            .collect();
        graph.initial = vec![place(0)];
        graph.edges = edges
            .into_iter()
            .map(|(from, f, to)| Edge {
                from: place(from),
                function: f,
                arguments: any_arguments(&calls.library, f),
                to: place(to),
            })
            .collect();
        graph.edges.sort_by_key(|e| (e.from, e.function, e.to));
        Ok(graph)
    }
}
