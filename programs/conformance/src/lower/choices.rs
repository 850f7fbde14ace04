//! Conditions that are not followed and that affect what a program writes or reads.

use std::collections::{BTreeMap, BTreeSet};

use super::same::Same;
use crate::flow::At;
use crate::flow::region::Regions;
use crate::program::{Action, Function, FunctionId, Program};
use crate::search::Search;

/// The maximum number of steps of the search in one function. Conditions that are left over then count.
const STEPS: usize = 5_000_000;

/// A condition at a node of a lowered function that is not decided there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The lowered function.
    pub function: FunctionId,
    /// The edge with the condition.
    pub at: At,
    /// The node of the lowered function.
    pub node: usize,
}

/// Returns the conditions that affect what happens in a run or whether it ends. The flag is true if one of the branches
/// only leads to failure at every node at which the condition matters.
pub fn that_matter(program: &Program, choices: &[Choice]) -> BTreeMap<At, bool> {
    let mut found = BTreeMap::new();
    let (runs, able) = (program.runs(), program.able());
    let (returning, ending) = (program.returning(), program.ending());
    let mut by_function: BTreeMap<FunctionId, Vec<&Choice>> = BTreeMap::new();
    for choice in choices.iter().filter(|choice| runs[choice.function]) {
        by_function.entry(choice.function).or_default().push(choice);
    }
    for (k, choices) in by_function {
        let graph = Steps::of(&program.functions[k], &able, &returning, &ending);
        graph.that_matter(&choices, &mut found);
    }
    found
}

/// Returns true if a condition leads back to itself without a step that could change its value.
pub fn idles(graph: &canonical::Graph, edge: usize) -> bool {
    let from = graph.edges[edge].from;
    let mut seen = BTreeSet::new();
    let mut work = vec![graph.edges[edge].to];
    while let Some(node) = work.pop() {
        if node == from {
            return true;
        }
        if seen.insert(node) {
            let idle = graph.successors(node).filter(|edge| {
                matches!(edge.action, canonical::Action::Guard { .. } | canonical::Action::Nothing)
            });
            work.extend(idle.map(|edge| edge.to));
        }
    }
    false
}

/// The steps of a lowered function.
struct Steps<'a> {
    /// For each node, the nodes that follow it, each with true if the step there does something.
    after: Vec<Vec<(usize, bool)>>,
    regions: Regions,
    /// The nodes from which the function returns, or the run ends.
    ends: Vec<bool>,
    same: Same<'a>,
}

impl<'a> Steps<'a> {
    fn of(function: &'a Function, able: &[bool], returning: &[bool], ending: &[bool]) -> Self {
        let mut after: Vec<Vec<(usize, bool)>> = vec![Vec::new(); function.nodes];
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); function.nodes];
        let mut ends = vec![false; function.nodes];
        let mut work = vec![function.exit];
        let mut same = Same::of(function);
        for edge in &function.edges {
            let (acts, passes, last) = match &edge.action {
                Action::Nothing => (false, true, false),
                Action::Io(_) => (true, true, false),
                Action::End => (true, false, true),
                Action::Call(callees) => {
                    let acts = |callee: &FunctionId| able[*callee] || !returning[*callee];
                    let passes = callees.is_empty() || callees.iter().any(|c| returning[*c]);
                    (callees.iter().any(acts), passes, callees.iter().any(|c| ending[*c]))
                }
            };
            if last {
                work.push(edge.from);
            }
            same.add(edge, acts, passes);
            match passes {
                true => {
                    after[edge.from].push((edge.to, acts));
                    before[edge.to].push(edge.from);
                }
                // The edge leads to no node of the function.
                false => after[edge.from].push((function.nodes, true)),
            }
        }
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut ends[node], true) {
                work.extend(&before[node]);
            }
        }
        after.push(Vec::new());
        ends.push(true);
        let nodes = after.iter().map(|to| to.iter().map(|(to, _)| *to).collect()).collect();
        Self { after, regions: Regions::of(nodes), ends, same }
    }

    fn that_matter(&self, choices: &[&Choice], found: &mut BTreeMap<At, bool>) {
        let (mut steps, mut search) = (0, Search::default());
        let mut fatal: BTreeMap<At, BTreeSet<bool>> = BTreeMap::new();
        for choice in choices {
            let fails = self.after[choice.node].iter().any(|(to, _)| !self.ends[*to]);
            let known = fatal.entry(choice.at).or_default();
            // It suffices to find one node at which both paths continue.
            if known.contains(&fails) {
                continue;
            }
            if steps > STEPS || self.matters(choice.node, &mut search, &mut steps) {
                known.insert(fails);
            }
        }
        for (at, fails) in fatal.into_iter().filter(|(_, fails)| !fails.is_empty()) {
            let always = !fails.contains(&false);
            found.entry(at).and_modify(|known| *known &= always).or_insert(always);
        }
    }

    /// Returns true if the paths from a node to the first node that they share do different things.
    fn matters(&self, node: usize, search: &mut Search, steps: &mut usize) -> bool {
        if self.after[node].len() < 2 {
            return false;
        }
        let Some((region, _)) = self.regions.decided(node, search) else { return true };
        *steps += region.len() + 1;
        // A path that does not end differs from any other path.
        if region.iter().any(|node| !self.ends[*node]) {
            return true;
        }
        let acts = |node: &usize| self.after[*node].iter().any(|(_, acts)| *acts);
        let ways: Vec<usize> = self.after[node].iter().map(|(to, _)| *to).collect();
        region.iter().any(acts) && !ways.windows(2).all(|two| self.same.are(two[0], two[1], steps))
    }
}
