//! The proof's claims, refuted one by one.

mod disjoint;
mod mistakes;
mod whole;

pub use mistakes::{Mistake, never};

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use z3::ast::Bool;
use z3::{Solver, with_own_context};

use super::collect::{Collected, Fact, Write, collect, loops};
use super::logic::{Env, Logic};
use super::{Claim, Unproved, facts, logic, nothing_proved};
use crate::program::{Atom, Cmp, FieldId, Length, Poly, Pred, Program};

/// The maximum number of pairs of statements for one output.
const MOST_PAIRS: usize = 2000;
/// The maximum number of combinations of statements that assign lengths.
const MOST_CASES: usize = 64;
/// Z3's resource limit for all queries about one program, which only a program made for that purpose reaches.
const STEPS: u64 = 12_000_000;
/// The time limit behind it, which only a machine under load reaches.
const TIME: Duration = Duration::from_secs(20);

/// The offset of the variables that represent the iteration of the second of two statements.
const SECOND: usize = 1 << 20;
/// The offset of the variables that represent an element's index.
const ELEMENT: usize = 1 << 21;

/// Returns the claims about the program's outputs that were not proved; without Z3, these are all claims. If the result
/// is empty, each element of each output is assigned exactly once.
pub fn unproved(program: &Program) -> Vec<Unproved> {
    with_own_context(|| unproved_in_context(program, false))
        .unwrap_or_else(|_| nothing_proved(program))
}

/// Returns the claims that were not proved, provided that another proof has shown for all sizes that every written
/// index is inside its array.
pub fn unproved_if_inside(program: &Program) -> Vec<Unproved> {
    with_own_context(|| unproved_in_context(program, true))
        .unwrap_or_else(|_| nothing_proved(program))
}

fn unproved_in_context(program: &Program, inside: bool) -> Vec<Unproved> {
    let began = Instant::now();
    let collected = collect(program);
    let solver = logic::solver();
    let proof = |solver: &Solver, field: FieldId, began: Instant, thorough: bool| {
        let proof =
            Proof { program, collected: &collected, solver, field, began, inside, thorough };
        proof.field()
    };
    let mut open = Vec::new();
    for (field, _) in program.output.indexed() {
        if let Err(what) = proof(&solver, field, began, false) {
            open.push((field, what));
        }
    }
    // The second attempt, with more laws, has a separate budget, so that no proof of the first attempt is lost.
    if open.iter().any(|(_, what)| what.is_of_indices()) {
        let (solver, began) = (logic::solver(), Instant::now());
        open.retain(|(field, what)| {
            !what.is_of_indices() || proof(&solver, *field, began, true).is_err()
        });
    }
    let name = |field: FieldId| program.output.fields[field].name.clone();
    open.into_iter().map(|(field, what)| Unproved { output: name(field), what }).collect()
}

/// One way in which the lengths receive their values.
struct Case<'c> {
    outputs: BTreeMap<FieldId, Poly>,
    /// The writes that assign the lengths' scalars, with their positions in the program.
    given: Vec<(usize, &'c Write)>,
}

struct Proof<'c> {
    program: &'c Program,
    collected: &'c Collected,
    solver: &'c Solver,
    field: FieldId,
    began: Instant,
    /// True if every index is known to be inside.
    inside: bool,
    /// True if the laws of products also cover factors that are products.
    thorough: bool,
}

impl<'c> Proof<'c> {
    fn field(&self) -> Result<(), Claim> {
        let all = self.collected.writes.iter().enumerate();
        let writes: Vec<(usize, &Write)> = all.filter(|(_, w)| w.field == self.field).collect();
        let scalar = self.program.output.fields[self.field].is_scalar();
        if let [(_, only)] = &writes[..]
            && scalar
            && only.path.is_empty()
        {
            return Ok(());
        }
        if writes.len() * writes.len() > 2 * MOST_PAIRS {
            return Err(Claim::Untried);
        }
        for case in self.cases()? {
            if case.given.len() > 1 && self.never(&case, &[], |_| {}) {
                continue;
            }
            let mut writes = writes.clone();
            if case.given.iter().any(|(_, given)| !given.path.is_empty()) {
                writes.retain(|(_, write)| !self.idle(&case, write));
            }
            for (place, write) in &writes {
                self.lengths(&case, *place, write)?;
                if !self.inside {
                    self.inside(&case, write)?;
                }
            }
            for (k, (_, a)) in writes.iter().enumerate() {
                for (_, b) in &writes[..=k] {
                    self.disjoint(&case, b, a)?;
                }
            }
            self.whole(&case, &writes)?;
        }
        Ok(())
    }

    /// Returns all combinations of statements that can assign the scalars in the lengths.
    fn cases(&self) -> Result<Vec<Case<'c>>, Claim> {
        let mut scalars = BTreeSet::new();
        for length in &self.program.output.fields[self.field].lengths {
            if let Length::Is(e) = length {
                e.refs(&mut |r| {
                    scalars.insert(r.field);
                });
            }
        }
        let mut cases = vec![Case { outputs: BTreeMap::new(), given: Vec::new() }];
        let nothing = BTreeMap::new();
        let logic = Logic::new(self.program, &nothing);
        for scalar in scalars {
            let mut next = Vec::new();
            for case in &cases {
                for (place, w) in self.collected.writes.iter().enumerate() {
                    if w.field != scalar {
                        continue;
                    }
                    let Some(value) = &w.value else { continue };
                    if loops(&w.path).next().is_some() {
                        return Err(Claim::Lengths);
                    }
                    let mut outputs = case.outputs.clone();
                    outputs.insert(scalar, logic.poly(value, &Env::new()));
                    let mut given = case.given.clone();
                    given.push((place, w));
                    next.push(Case { outputs, given });
                }
            }
            if next.len() > MOST_CASES {
                return Err(Claim::Untried);
            }
            cases = next;
        }
        Ok(cases)
    }

    /// Returns true if the assertions of `ask` contradict the facts about the iterations `envs`.
    fn never(&self, case: &Case<'_>, envs: &[Env], ask: impl Fn(&mut Logic<'_>)) -> bool {
        // Large products have many laws, which most queries do not need.
        let light: Vec<Fact> =
            self.collected.facts.iter().filter(|f| degree(&f.pred) <= 2).cloned().collect();
        let all = &self.collected.facts;
        [(&light, light.len() < all.len()), (all, true)]
            .into_iter()
            .any(|(facts, of_use)| of_use && self.never_by(facts, case, envs, &ask))
    }

    fn never_by(
        &self,
        facts: &[Fact],
        case: &Case<'_>,
        envs: &[Env],
        ask: &impl Fn(&mut Logic<'_>),
    ) -> bool {
        if self.began.elapsed() > TIME || logic::steps(self.solver) > STEPS {
            return false;
        }
        let logic = Logic::new(self.program, &case.outputs);
        let mut logic = logic.with_compound_laws(self.thorough);
        for (_, write) in &case.given {
            let here = logic.path(&write.path, &Env::new());
            logic.say(here);
        }
        ask(&mut logic);
        facts::say(&mut logic, facts, envs);
        logic.contradictory(self.solver)
    }

    /// Checks that the lengths are assigned before the write.
    fn lengths(&self, case: &Case<'_>, place: usize, write: &Write) -> Result<(), Claim> {
        if case.given.iter().all(|(given, _)| *given < place) || self.idle(case, write) {
            return Ok(());
        }
        Err(Claim::Lengths)
    }

    /// Returns true if the write is never executed.
    fn idle(&self, case: &Case<'_>, write: &Write) -> bool {
        let env = own(write);
        self.never(case, std::slice::from_ref(&env), |logic| {
            let here = logic.path(&write.path, &env);
            logic.say(here);
        })
    }

    fn length(&self, logic: &Logic<'_>, dimension: usize) -> Poly {
        match &self.program.output.fields[self.field].lengths[dimension] {
            Length::Is(e) => logic.poly(e, &Env::new()),
            // Well-formed outputs have lengths.
            Length::Free => Poly::default(),
        }
    }

    /// Proves that the written index is inside the array.
    fn inside(&self, case: &Case<'_>, write: &Write) -> Result<(), Claim> {
        let env = own(write);
        let never = self.never(case, std::slice::from_ref(&env), |logic| {
            let here = logic.path(&write.path, &env);
            logic.say(here);
            let mut outside = Vec::new();
            for (k, index) in write.index.iter().enumerate() {
                let index = logic.poly(index, &env);
                outside.push(logic.compare(Cmp::Lt, &index));
                let over = index.sub(&self.length(logic, k));
                outside.push(logic.compare(Cmp::Ge, &over));
            }
            logic.say(Bool::or(&outside));
        });
        if never { Ok(()) } else { Err(Claim::Inside) }
    }
}

/// Returns the iteration in which each loop variable represents itself.
fn own(write: &Write) -> Env {
    loops(&write.path).map(|v| (v, Poly::atom(Atom::Var(v)))).collect()
}

/// Returns the largest number of factors of a product in `p`.
fn degree(p: &Pred) -> usize {
    let mut most = 0;
    p.exprs(&mut |e| {
        let factors = Poly::of(e).terms().map(|(m, _)| m.len()).max();
        most = most.max(factors.unwrap_or(0));
    });
    most
}
