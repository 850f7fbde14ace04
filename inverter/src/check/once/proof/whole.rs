//! Proves that no element is left out, by naming an iteration that assigns it.

use z3::ast::Bool;

use super::{Case, ELEMENT, Proof};
use crate::check::once::Claim;
use crate::check::once::collect::{Step, Write};
use crate::check::once::logic::{Env, Logic};
use crate::check::once::witness;
use crate::program::{Atom, Cmp, Poly, VarId};

impl Proof<'_> {
    /// Proves that the writes leave out no element.
    pub(super) fn whole(&self, case: &Case<'_>, writes: &[(usize, &Write)]) -> Result<(), Claim> {
        if self.counted(case, writes) {
            return Ok(());
        }
        let rank = self.program.output.fields[self.field].lengths.len();
        let element: Vec<Poly> =
            (0..rank).map(|k| Poly::atom(Atom::Var(VarId(ELEMENT + k)))).collect();
        // Only the best guess for each write is tried first, because each guess makes the query larger.
        for most in [1, usize::MAX] {
            let guesses: Vec<(&Write, Vec<Env>)> = {
                let logic = Logic::new(self.program, &case.outputs);
                let of = |w: &Write| witness::witnesses(self.program, &logic, w, &element);
                let best = |w| of(w).into_iter().take(most).collect();
                writes.iter().map(|(_, w)| (*w, best(w))).collect()
            };
            let envs: Vec<Env> = guesses.iter().flat_map(|(_, envs)| envs.clone()).collect();
            let never = self.never(case, &envs, |logic| {
                for (k, e) in element.iter().enumerate() {
                    let low = logic.compare(Cmp::Ge, e);
                    let length = self.length(logic, k);
                    let high = logic.compare(Cmp::Lt, &e.sub(&length));
                    logic.say(low);
                    logic.say(high);
                }
                for (write, envs) in &guesses {
                    for env in envs {
                        let mut all = vec![logic.path(&write.path, env)];
                        for (index, e) in write.index.iter().zip(&element) {
                            let difference = logic.poly(index, env).sub(e);
                            all.push(logic.compare(Cmp::Eq, &difference));
                        }
                        logic.say(Bool::and(&all).not());
                    }
                }
            });
            if never {
                return Ok(());
            }
        }
        Err(Claim::AtLeastOnce)
    }

    /// Returns true if there are as many iterations as elements. Because no two iterations write the same element and
    /// all indices are inside, no element is then left out.
    fn counted(&self, case: &Case<'_>, writes: &[(usize, &Write)]) -> bool {
        let [(_, write)] = writes else { return false };
        let logic = Logic::new(self.program, &case.outputs);
        let mut counts = Vec::new();
        for step in &write.path {
            let Step::Loop(_, count) = step else { return false };
            let count = logic.poly(count, &Env::new());
            if count.any_atom(&mut |a| matches!(a, Atom::Var(_))) {
                return false;
            }
            counts.push(count);
        }
        let rank = self.program.output.fields[self.field].lengths.len();
        let mut lengths: Vec<Poly> = (0..rank).map(|k| self.length(&logic, k)).collect();
        counts.sort();
        lengths.sort();
        !write.index.is_empty() && counts == lengths
    }
}
