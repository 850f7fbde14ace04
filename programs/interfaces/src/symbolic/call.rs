//! Calls as relations on sets of states: predecessors and successors of a whole call.

use biodivine_lib_bdd::Bdd;

use super::{Function, Space, rules};
use crate::library::{Library, Problem, check, check_products};
use crate::watch::Watch;

/// A library, compiled to diagrams.
#[derive(Debug, Clone)]
pub struct Calls {
    /// The library.
    pub library: Library,
    /// The variables of the library.
    pub space: Space,
    /// States of the globals in range.
    pub domain: Bdd,
    /// Initial states (`I`).
    pub initial: Bdd,
    /// Error states (`E`).
    pub error: Bdd,
    /// Functions, in the library's order.
    pub functions: Vec<Function>,
    /// The time limit of computations.
    pub watch: Watch,
}

impl Calls {
    /// Checks a library and compiles it.
    ///
    /// # Errors
    ///
    /// Returns the first problem of the library: no initial state, an initial state that is an error, or an update out
    /// of range from a state without an error.
    pub fn new(library: Library) -> Result<Self, Problem> {
        Self::within(library, &Watch::default())
    }

    /// As [`Self::new`], with a time limit.
    ///
    /// # Errors
    ///
    /// As for [`Self::new`]; an expression whose diagrams are too large; the limit has passed.
    pub fn within(library: Library, watch: &Watch) -> Result<Self, Problem> {
        check(&library)?;
        check_products(&library)?;
        let space = Space::new(&library)?;
        let domain = rules::global_domain(&space);
        let initial =
            rules::global_condition(&space, &library.initial, library.places.initial, &domain)?;
        let error = rules::global_condition(&space, &library.error, library.places.error, &domain)?;
        let problem = |message: &str| Err(Problem::new(library.places.initial, message));
        if initial.is_false() {
            return problem("no state satisfies the initial condition");
        }
        if super::meet(&initial, &error) {
            return problem("an initial state is an error");
        }
        let functions = (0..library.functions.len())
            .map(|f| {
                let name = &library.functions[f].name;
                watch.begin(format!("the rules of `{name}` became diagrams"));
                rules::compile(&library, &space, f, &domain, &error, watch)
            })
            .collect::<Result<_, _>>()?;
        let watch = watch.clone();
        let calls = Self { library, space, domain, initial, error, functions, watch };
        calls.check_ranges()?;
        Ok(calls)
    }

    /// Fails if an update leaves the range of its variable.
    fn check_ranges(&self) -> Result<(), Problem> {
        for (index, function) in self.functions.iter().enumerate() {
            if function.rules.iter().all(|r| r.outside.is_false()) {
                continue;
            }
            let start = function.entry.and_not(&self.error);
            let reached = self.reachable(index, &start)?.0;
            for (k, rule) in function.rules.iter().enumerate() {
                let bad = rule.outside.and(&reached);
                if !bad.is_false() {
                    let name = &self.library.functions[index].name;
                    let state = self.example(Some(index), &bad);
                    let message = format!(
                        "rule {} of `{name}` leaves the range of a variable if {state}",
                        k + 1
                    );
                    return Err(Problem::new(rule.place, message));
                }
            }
        }
        Ok(())
    }

    /// Fails after the deadline.
    ///
    /// # Errors
    ///
    /// The deadline has passed.
    pub fn in_time(&self) -> Result<(), Problem> {
        self.watch.in_time()
    }

    /// One-step predecessors inside a function (`Pre^{f,1}`).
    pub fn step_before(&self, function: usize, set: &Bdd) -> Bdd {
        let rules = &self.functions[function].rules;
        rules.iter().fold(self.space.nothing(), |all, rule| all.or(&rule.before(set)))
    }

    /// Returns the multi-step predecessors inside a function (`Pre^{f,*}`), including `set`.
    ///
    /// # Errors
    ///
    /// The deadline has passed.
    pub fn before(&self, function: usize, set: &Bdd) -> Result<Bdd, Problem> {
        let mut all = set.clone();
        let mut new = set.clone();
        while !new.is_false() {
            self.in_time()?;
            new = self.step_before(function, &new).and_not(&all);
            all = all.or(&new);
        }
        Ok(all)
    }

    /// Returns the states inside a function that are reached from `start`, and the end states among them.
    fn reachable(&self, function: usize, start: &Bdd) -> Result<(Bdd, Bdd), Problem> {
        let f = &self.functions[function];
        let mut all = start.clone();
        let mut new = start.clone();
        while !new.is_false() {
            self.in_time()?;
            let next = f.rules.iter().fold(self.space.nothing(), |s, r| s.or(&r.after(&new)));
            new = next.and_not(&all);
            all = all.or(&new);
        }
        let ends = all.and(&f.ends);
        Ok((all, ends))
    }

    /// Returns the globals at the ends of calls from a set of globals (`Post^{f,k}`), including errors. The paper uses
    /// only the ends of the longest path; here, all ends count.
    ///
    /// # Errors
    ///
    /// The deadline has passed.
    pub fn after(&self, function: usize, set: &Bdd) -> Result<Bdd, Problem> {
        let f = &self.functions[function];
        let ends = self.reachable(function, &set.and(&f.entry))?.1;
        Ok(ends.exists(&f.locals))
    }

    /// The globals and parameters from which a call may end in a set of globals.
    ///
    /// # Errors
    ///
    /// The deadline has passed.
    pub fn into(&self, function: usize, set: &Bdd) -> Result<Bdd, Problem> {
        let f = &self.functions[function];
        let entries = self.before(function, &set.and(&f.ends))?.and(&f.entry);
        Ok(entries.exists(&f.inner))
    }

    /// Returns the states inside a function that are reached by calls from a set of globals.
    ///
    /// # Errors
    ///
    /// The deadline has passed.
    pub fn inside(&self, function: usize, set: &Bdd) -> Result<Bdd, Problem> {
        Ok(self.reachable(function, &set.and(&self.functions[function].entry))?.0)
    }

    /// Like [`Self::into`], or without a set like [`Self::into_error`], restricted to the states `inside` a function,
    /// because loops of unreachable states may have a billion steps.
    ///
    /// # Errors
    ///
    /// The deadline has passed.
    pub fn into_among(
        &self,
        function: usize,
        set: Option<&Bdd>,
        inside: &Bdd,
    ) -> Result<Bdd, Problem> {
        let f = &self.functions[function];
        let before = |set: &Bdd| -> Result<Bdd, Problem> {
            let mut all = set.and(&f.ends).and(inside);
            let mut new = all.clone();
            while !new.is_false() {
                self.in_time()?;
                new = self.step_before(function, &new).and(inside).and_not(&all);
                all = all.or(&new);
            }
            Ok(all.and(&f.entry).exists(&f.inner))
        };
        match set {
            Some(set) => before(set),
            None => {
                let entries = inside.and(&f.entry).exists(&f.inner);
                Ok(before(&self.error)?.or(&entries.and_not(&before(&self.domain)?)))
            }
        }
    }

    /// Returns the globals and parameters from which a call may end in an error or never return.
    ///
    /// # Errors
    ///
    /// The deadline has passed.
    pub fn into_error(&self, function: usize) -> Result<Bdd, Problem> {
        let f = &self.functions[function];
        let returns = self.into(function, &self.domain)?;
        let hangs = f.entry.exists(&f.inner).and_not(&returns);
        Ok(self.into(function, &self.error)?.or(&hangs))
    }

    /// The globals from which a call may end in an error for some parameters.
    ///
    /// # Errors
    ///
    /// The deadline has passed.
    pub fn may_fail(&self, function: usize) -> Result<Bdd, Problem> {
        Ok(self.into_error(function)?.exists(&self.functions[function].parameters))
    }
}
