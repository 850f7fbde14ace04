//! Three-valued abstractions of the state space of a function (sections 2.2 and 4.2).
//!
//! A cell of the abstraction is a region together with values of the added variables. Cells are never listed. Over- and
//! under-approximations quantify over the hidden variables inside each region, so a variable of 20 bits costs no more
//! than one of 2 bits.

use biodivine_lib_bdd::{Bdd, BddVariable};

use crate::library::Problem;
use crate::symbolic::{Calls, CompiledRule};

/// The kind of predecessors that an abstraction computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Predecessors {
    /// Compute concrete multi-step predecessors, then approximate them (equation 3).
    Exact,
    /// Each rule is approximated separately, step by step.
    ByRule,
    /// Like `ByRule`, but rules whose guards intersect the same cells count as one.
    ByGroup,
}

/// The abstraction `R_f` of a function.
#[derive(Debug, Clone)]
pub struct Abstraction<'a> {
    calls: &'a Calls,
    function: usize,
    regions: &'a [Bdd],
    /// Diagram variables of the variables that are not added.
    hidden: Vec<BddVariable>,
}

impl<'a> Abstraction<'a> {
    /// Creates the abstraction whose cells are the regions.
    pub fn new(calls: &'a Calls, function: usize, regions: &'a [Bdd]) -> Self {
        let fields = calls.space.globals.iter().chain(&calls.space.locals[function]);
        let hidden = fields.flat_map(|f| f.now().collect::<Vec<_>>()).collect();
        Self { calls, function, regions, hidden }
    }

    /// Refines the cells by all values of a variable, which has these diagram variables.
    pub fn refine(&mut self, variables: &[BddVariable]) {
        self.hidden.retain(|v| !variables.contains(v));
    }

    /// Returns true if the variable with this diagram variable has not been added yet.
    pub fn hides(&self, variable: BddVariable) -> bool {
        self.hidden.contains(&variable)
    }

    fn domain(&self) -> &Bdd {
        &self.calls.functions[self.function].domain
    }

    /// The cells that meet a set (`↑m`).
    pub fn over(&self, set: &Bdd) -> Bdd {
        let mut out = self.calls.space.nothing();
        for region in self.regions {
            let inside = set.and(region);
            if !inside.is_false() {
                let region = region.and(self.domain());
                out = out.or(&inside.exists(&self.hidden).and(&region));
            }
        }
        out
    }

    /// The cells inside a set (`↑M`).
    pub fn under(&self, set: &Bdd) -> Bdd {
        self.domain().and_not(&self.over(&self.domain().and_not(set)))
    }

    /// Returns the cells whose states all reach `set`, which is a union of cells (`Pre_M` of equation 3, or an
    /// under-approximation of it).
    ///
    /// The printed definition of rule-wise must transitions relates a cell inside the guard to each cell that *some* of
    /// its states reaches, which is not an under-approximation. Here, all of its states must reach `set`.
    ///
    /// # Errors
    ///
    /// The deadline has passed.
    pub fn must(&self, set: &Bdd, kind: Predecessors) -> Result<Bdd, Problem> {
        if kind == Predecessors::Exact {
            return Ok(self.under(&self.calls.before(self.function, set)?));
        }
        let groups = self.groups(kind);
        let mut all = self.under(set);
        loop {
            self.calls.in_time()?;
            let mut next = all.clone();
            for group in &groups {
                let into = group.iter().fold(all.clone(), |s, rule| s.or(&rule.before(&all)));
                next = next.or(&self.under(&into));
            }
            if next == all {
                return Ok(all);
            }
            all = next;
        }
    }

    /// Returns the cells with some state that reaches `set`, or an over-approximation (`Pre_m`, `Pre_m+`).
    ///
    /// # Errors
    ///
    /// The deadline has passed.
    pub fn may(&self, set: &Bdd, kind: Predecessors) -> Result<Bdd, Problem> {
        if kind == Predecessors::Exact {
            return Ok(self.over(&self.calls.before(self.function, set)?));
        }
        let rules = &self.calls.functions[self.function].rules;
        let mut all = self.over(set);
        loop {
            self.calls.in_time()?;
            let mut next = all.clone();
            for rule in rules {
                let into = self.over(&rule.before_unguarded(&all));
                next = next.or(&into.and(&self.over(&rule.guard)));
            }
            if next == all {
                return Ok(all);
            }
            all = next;
        }
    }

    /// Returns the partition of the rules: each rule separately, or rules together whose guards intersect the same
    /// cells.
    fn groups(&self, kind: Predecessors) -> Vec<Vec<&'a CompiledRule>> {
        let mut groups: Vec<(Bdd, Vec<&CompiledRule>)> = Vec::new();
        for rule in &self.calls.functions[self.function].rules {
            let cells = self.over(&rule.guard);
            match groups.iter_mut().find(|(c, _)| kind == Predecessors::ByGroup && *c == cells) {
                Some((_, group)) => group.push(rule),
                None => groups.push((cells, vec![rule])),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// The number of groups into which the rules are divided.
    pub fn group_count(&self, kind: Predecessors) -> usize {
        self.groups(kind).len()
    }
}
