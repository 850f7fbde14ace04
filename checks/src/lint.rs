//! Lints: uses Z3 to find conditions that others imply, and branches that are never taken.

use std::time::Instant;

use super::terms::contradictory;
use inverter::invert::Inverse;
use inverter::program::print::Show;
use inverter::program::{Cmp, Expr, Pred, Program, Span, Stmt, StmtKind};

/// The time limit of one query to Z3, in milliseconds.
const TIME: u32 = 500;

/// Returns the conjuncts of ensures that the other conjuncts and the types imply, as text, with their places, as far as
/// they are found before the deadline.
pub fn implied(inverse: &Inverse, until: Instant) -> Vec<(String, Span)> {
    let mut out = Vec::new();
    for e in &inverse.ensures {
        let plain: Vec<_> =
            e.conjuncts.iter().filter(|c| !matches!(c.pred, Pred::All(..))).collect();
        let mut dropped: Vec<usize> = Vec::new();
        for k in (0..plain.len()).rev() {
            if Instant::now() >= until {
                return out;
            }
            // It has no negation without a quantifier, but the others may follow from it.
            if plain[k].pred.has_quantifier() {
                continue;
            }
            let others = (0..plain.len()).filter(|j| *j != k && !dropped.contains(j));
            let wrong = plain[k].pred.negated();
            let all = others.map(|j| &plain[j].pred).chain([&wrong]);
            if contradictory(&inverse.program, all, TIME) {
                dropped.push(k);
                let text = Show(&inverse.program, &plain[k].pred).to_string();
                out.push((text, plain[k].span));
            }
        }
    }
    out
}

/// Returns a message and a place for each branch and loop body that is unreachable under the assumptions before it, as
/// far as they are found before the deadline.
pub fn unreachable(program: &Program, until: Instant) -> Vec<(String, Span)> {
    // The variables of walks differ from one condition to the next.
    if program.has_walks() {
        return Vec::new();
    }
    let mut search = Unreachable { program, until, known: Vec::new(), out: Vec::new() };
    search.block(&program.body);
    search.out
}

struct Unreachable<'p> {
    program: &'p Program,
    until: Instant,
    /// The conditions that hold at the current position of the search.
    known: Vec<Pred>,
    out: Vec<(String, Span)>,
}

impl Unreachable<'_> {
    fn block(&mut self, body: &[Stmt]) {
        let outer = self.known.len();
        for stmt in body {
            match &stmt.kind {
                StmtKind::Assume(p) => self.known.push(p.clone()),
                StmtKind::If { cond, then, els } => {
                    for (name, guard, branch) in
                        [("then", cond.clone(), then), ("else", cond.negated(), els)]
                    {
                        self.known.push(guard);
                        if (name == "then" || !branch.is_empty()) && self.never() {
                            let message = format!("the `{name}` branch is never taken");
                            self.out.push((message, stmt.span));
                        } else {
                            self.block(branch);
                        }
                        self.known.pop();
                    }
                }
                StmtKind::For { var, count, body } => {
                    self.known.push(Pred::cmp(Cmp::Lt, Expr::Var(*var), count.clone()));
                    if self.never() {
                        self.out.push(("the loop never runs".to_owned(), stmt.span));
                    } else {
                        self.block(body);
                    }
                    self.known.pop();
                }
                _ => {}
            }
        }
        self.known.truncate(outer);
    }

    fn never(&self) -> bool {
        if Instant::now() >= self.until {
            return false;
        }
        contradictory(self.program, self.known.iter(), TIME)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::implied;
    use inverter::invert::invert;
    use inverter::program::parse;

    #[test]
    fn a_condition_on_all_elements_in_one_case_is_no_consequence() {
        let text = "
            struct In { kind: u8, n: u8, file: [u8] } struct Out { n: u8, v: [i16; n] }
            fn normalize(x: &In, y: &mut Out) {
                y.n = x.n;
                assume(x.kind <= 1);
                assume(x.kind < 9);
                if x.kind == 0 {
                    for k in 0..x.n { y.v[k] = x.file[k]; }
                } else {
                    for k in 0..x.n { y.v[k] = u16le(x.file, 2 * k); }
                }
            }";
        let inverse = invert(&parse("t.rs", text).unwrap()).unwrap();
        let quantified = |c: &inverter::invert::Conjunct| c.pred.has_quantifier();
        assert!(inverse.ensures.iter().flat_map(|e| &e.conjuncts).any(quantified));
        let until = Instant::now() + Duration::from_secs(600);
        let found: Vec<String> =
            implied(&inverse, until).into_iter().map(|(text, _)| text).collect();
        assert_eq!(found, ["x.kind < 9"]);
    }
}
