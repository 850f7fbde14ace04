//! Computes the least solution of the constraints, by propagating new members.

use std::collections::{BTreeSet, HashSet};

use super::constraints::{Constraints, Node};
use crate::model::{FunctionId, Program};

/// The maximum number of members that are propagated before the analysis gives up.
const WORK: u64 = 50_000_000;

/// Sets of objects.
#[derive(Debug)]
pub struct Solution {
    constraints: Constraints,
    sets: Vec<BTreeSet<Node>>,
}

struct Solver<'p> {
    program: &'p Program,
    constraints: Constraints,
    sets: Vec<BTreeSet<Node>>,
    /// Members that have not been propagated yet.
    new: Vec<Vec<Node>>,
    /// Supersets of each node.
    copies: Vec<Vec<Node>>,
    known: HashSet<(Node, Node)>,
    /// For each pointer, the supersets of the content of its objects, and the sets stored there.
    loads: Vec<Vec<Node>>,
    stores: Vec<Vec<Node>>,
    /// For each pointer, the calls through it.
    sites: Vec<Vec<usize>>,
    waiting: Vec<Node>,
    work: u64,
}

/// Solves the constraints; returns `None` if that needs too much work.
pub fn solve(constraints: Constraints, program: &Program) -> Option<Solution> {
    let n = constraints.nodes as usize;
    let mut solver = Solver {
        program,
        sets: vec![BTreeSet::new(); n],
        new: vec![Vec::new(); n],
        copies: vec![Vec::new(); n],
        known: HashSet::new(),
        loads: vec![Vec::new(); n],
        stores: vec![Vec::new(); n],
        sites: vec![Vec::new(); n],
        waiting: Vec::new(),
        work: 0,
        constraints: Constraints::default(),
    };
    for (to, pointer) in &constraints.loads {
        solver.loads[*pointer as usize].push(*to);
    }
    for (pointer, from) in &constraints.stores {
        solver.stores[*pointer as usize].push(*from);
    }
    for (k, site) in constraints.sites.iter().enumerate() {
        solver.sites[site.pointer as usize].push(k);
    }
    for (to, from) in &constraints.copies {
        solver.copy(*to, *from);
    }
    for (set, object) in &constraints.members {
        solver.add(*set, *object);
    }
    solver.constraints = constraints;
    while let Some(node) = solver.waiting.pop() {
        solver.propagate(node);
        if solver.work > WORK {
            return None;
        }
    }
    Some(Solution { constraints: solver.constraints, sets: solver.sets })
}

impl Solver<'_> {
    fn add(&mut self, set: Node, object: Node) {
        self.work += 1;
        if self.sets[set as usize].insert(object) {
            let new = &mut self.new[set as usize];
            if new.is_empty() {
                self.waiting.push(set);
            }
            new.push(object);
        }
    }

    fn copy(&mut self, to: Node, from: Node) {
        if to == from || !self.known.insert((to, from)) {
            return;
        }
        self.copies[from as usize].push(to);
        for object in self.sets[from as usize].clone() {
            self.add(to, object);
        }
    }

    fn propagate(&mut self, node: Node) {
        let objects = std::mem::take(&mut self.new[node as usize]);
        for to in self.copies[node as usize].clone() {
            for object in &objects {
                self.add(to, *object);
            }
        }
        let (loads, stores) =
            (self.loads[node as usize].clone(), self.stores[node as usize].clone());
        let sites = self.sites[node as usize].clone();
        let outside = self.constraints.outside();
        for object in objects {
            for to in &loads {
                self.copy(*to, object);
            }
            for from in &stores {
                self.copy(object, *from);
            }
            for site in &sites {
                self.reach(*site, object);
            }
            if node == outside
                && let Some(function) = self.constraints.as_function(object)
            {
                self.called_from_outside(function);
            }
        }
    }

    /// Records that a call through a pointer may call an object.
    fn reach(&mut self, site: usize, object: Node) {
        let site = self.constraints.sites[site].clone();
        let outside = self.constraints.outside();
        let body = self.constraints.as_function(object).map(|id| (id, self.program.function(id)));
        match body {
            Some((id, function)) if function.body.is_some() => {
                for (argument, parameter) in site.arguments.iter().zip(&function.parameters) {
                    self.copy(parameter.0, *argument);
                }
                if let Some(result) = site.result {
                    self.copy(result, self.constraints.result(id));
                }
            }
            _ if object == outside || body.is_some() => {
                for argument in &site.arguments {
                    self.copy(outside, *argument);
                }
                if let Some(result) = site.result {
                    self.copy(result, outside);
                }
            }
            _ => {}
        }
    }

    fn called_from_outside(&mut self, id: FunctionId) {
        let outside = self.constraints.outside();
        for parameter in &self.program.function(id).parameters {
            self.copy(parameter.0, outside);
        }
        self.copy(outside, self.constraints.result(id));
    }
}

impl Solution {
    /// Returns the functions to which a node may point, in ascending order, and true if there are no others.
    pub fn functions(&self, node: Node) -> (Vec<FunctionId>, bool) {
        let set = &self.sets[node as usize];
        let functions = set.iter().filter_map(|object| self.constraints.as_function(*object));
        (functions.collect(), !set.contains(&self.constraints.outside()))
    }
}
