//! Finds branches and loop bodies that accept nothing, because their assumptions contradict one another or those around
//! them. Their other statements are never used, so a proof says nothing about them.

use std::time::Instant;

use super::terms::contradictory;
use inverter::program::fold::statements;
use inverter::program::{Cmp, Expr, Pred, Program, Span, Stmt, StmtKind};

/// The time limit of one query to Z3, in milliseconds.
const TIME: u32 = 500;

/// A block that accepts nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Barren {
    /// The place of the branch or loop.
    pub span: Span,
    /// The block and the lines of its assumptions, in one line.
    pub what: String,
}

/// Returns the outermost branches and loop bodies that some input reaches but none passes, as far as they are found
/// before the deadline. A block that assigns nothing is left out, because accepting nothing may be its purpose.
pub fn barren(program: &Program, until: Instant) -> Vec<Barren> {
    // The variables of walks differ from one condition to the next.
    if program.has_walks() {
        return Vec::new();
    }
    let mut search = Search { program, until, known: Vec::new(), out: Vec::new() };
    search.within(&program.body);
    search.out
}

struct Search<'p> {
    program: &'p Program,
    until: Instant,
    /// The guards and assumptions of the blocks around.
    known: Vec<Pred>,
    out: Vec<Barren>,
}

impl Search<'_> {
    /// Searches the blocks of `body`, whose own assumptions hold in all of them.
    fn within(&mut self, body: &[Stmt]) {
        let outer = self.known.len();
        self.known.extend(assumptions(body).map(|(p, _)| p.clone()));
        for stmt in body {
            match &stmt.kind {
                StmtKind::If { cond, then, els } => {
                    self.block("the `then` branch", stmt.span, cond.clone(), then);
                    self.block("the `else` branch", stmt.span, cond.negated(), els);
                }
                StmtKind::For { var, count, body } => {
                    let runs = Pred::cmp(Cmp::Lt, Expr::Var(*var), count.clone());
                    self.block("the body of the loop", stmt.span, runs, body);
                }
                _ => {}
            }
        }
        self.known.truncate(outer);
    }

    fn block(&mut self, name: &str, span: Span, guard: Pred, body: &[Stmt]) {
        if Instant::now() >= self.until {
            return;
        }
        self.known.push(guard);
        let own: Vec<(&Pred, Span)> = assumptions(body).collect();
        if own.is_empty() || !assigns(body) || !self.contradicts(&own) {
            self.within(body);
        } else if !self.contradicts(&[]) {
            let source = &self.program.source;
            let lines: Vec<String> = own.iter().map(|(_, span)| source.place(*span)).collect();
            let what = format!(
                "{name} accepts nothing: what it assumes ({}) contradicts itself or what holds there",
                lines.join(", ")
            );
            self.out.push(Barren { span, what });
        }
        self.known.pop();
    }

    /// Returns true if these assumptions contradict the known facts.
    fn contradicts(&self, own: &[(&Pred, Span)]) -> bool {
        let all = self.known.iter().chain(own.iter().map(|(p, _)| *p));
        contradictory(self.program, all, TIME)
    }
}

fn assumptions(body: &[Stmt]) -> impl Iterator<Item = (&Pred, Span)> {
    body.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Assume(p) => Some((p, stmt.span)),
        _ => None,
    })
}

fn assigns(body: &[Stmt]) -> bool {
    let mut found = false;
    statements(body, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Assign { .. } | StmtKind::Decode { .. });
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use inverter::program::parse;

    fn found(body: &str) -> Vec<String> {
        let text = format!(
            "struct In {{ a: u16, b: u16, t: [u8; a] }} struct Out {{ z: u16 }}
            fn normalize(x: &In, y: &mut Out) {{ {body} }}"
        );
        let until = Instant::now() + std::time::Duration::from_secs(600);
        barren(&parse("t.rs", &text).unwrap(), until).into_iter().map(|b| b.what).collect()
    }

    #[test]
    fn branches_that_accept_nothing_are_found() {
        let rare = found(
            "if x.a > 1000 {\nassume(x.a * x.a < x.a);\ny.z = 1; } else { assume(x.a != 3); y.z = 2; }",
        );
        assert_eq!(rare.len(), 1, "{rare:?}");
        assert!(rare[0].starts_with("the `then` branch accepts nothing: what it assumes (line 3)"));
        let around =
            found("assume(x.b < 5); if x.a == 7 { assume(x.b > 9); y.z = 1; } else { y.z = 2; }");
        assert_eq!(around.len(), 1, "{around:?}");
    }

    #[test]
    fn branches_that_refuse_on_purpose_and_those_that_accept_something_are_not() {
        assert_eq!(found("if x.a > 3 { assume(x.a < 2); } y.z = x.a;"), [""; 0]);
        assert_eq!(found("if x.a > 3 { assume(x.a < 9); y.z = 1; } else { y.z = 2; }"), [""; 0]);
        assert_eq!(found("y.z = x.b; for k in 0..x.a { assume(x.t[k] < 9); }"), [""; 0]);
    }
}
