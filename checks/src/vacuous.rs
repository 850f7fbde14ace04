//! Finds specs that accept nothing, because their assumptions contradict one another, so that any claim about accepted
//! inputs would hold.

use super::terms::contradictory;
use inverter::program::{Diagnostic, Pred, Program, Span, SpecError, Stmt, StmtKind};

/// The time limit of one query to Z3, in milliseconds.
const TIME: u32 = 1000;

/// Returns the refusal of a spec that accepts no input, with a smallest set of assumptions that contradict one another.
/// `None` if some input may be accepted.
pub fn vacuous(program: &Program) -> Option<SpecError> {
    // The variables of walks differ from one assumption to the next.
    if program.has_walks() {
        return None;
    }
    let mut all: Vec<(&Pred, Span)> = Vec::new();
    for Stmt { kind, span } in &program.body {
        if let StmtKind::Assume(p) = kind {
            all.push((p, *span));
        }
    }
    if all.is_empty() || !contradict(program, &all) {
        return None;
    }
    let mut k = all.len();
    while k > 0 {
        k -= 1;
        let fewer: Vec<_> =
            all.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, a)| *a).collect();
        if contradict(program, &fewer) {
            all = fewer;
        }
    }
    let found = |(k, (_, span)): (usize, &(&Pred, Span))| {
        let others = all.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, (_, s))| *s);
        let with: Vec<String> = others.map(|s| program.source.place(s)).collect();
        let message = match with.is_empty() {
            true => "this assumption never holds, so the spec accepts nothing".to_owned(),
            false => format!(
                "this assumption contradicts {}, so the spec accepts nothing",
                with.join(" and ")
            ),
        };
        Diagnostic::new(message, *span, "never holds")
            .help("a spec that accepts nothing has no canonical value; correct the condition")
    };
    let first = all.iter().enumerate().next_back().map(found);
    Some(SpecError::new(program.source.clone(), first.into_iter().collect()))
}

fn contradict(program: &Program, assumptions: &[(&Pred, Span)]) -> bool {
    contradictory(program, assumptions.iter().map(|(p, _)| *p), TIME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use inverter::program::parse;

    fn refusal(assumptions: &str) -> Option<String> {
        let text = format!(
            "struct In {{ a: u8, b: u8, t: [u8] }} struct Out {{ z: u8 }}
            fn normalize(x: &In, y: &mut Out) {{ {assumptions} y.z = x.a; }}"
        );
        vacuous(&parse("t.rs", &text).unwrap()).map(|e| e.to_string())
    }

    #[test]
    fn contradictions_are_found_with_their_lines() {
        let alone = refusal("assume(x.a > 5 && x.a < 5);").unwrap();
        assert!(alone.starts_with("this assumption never holds"), "{alone}");
        let two = refusal("assume(x.a > 5);\nassume(x.b == 1);\nassume(x.a + x.b < 3);").unwrap();
        assert_eq!(two, "this assumption contradicts line 2, so the spec accepts nothing");
        let three = refusal("assume(x.a > 5);\nassume(x.b > x.a);\nassume(x.b < 7);").unwrap();
        assert_eq!(
            three,
            "this assumption contradicts line 2 and line 3, so the spec accepts nothing"
        );
        let bytes = refusal("assume(x.t[0] == 3);\nassume(x.t[0] == 4);").unwrap();
        assert!(bytes.starts_with("this assumption contradicts line 2"), "{bytes}");
    }

    #[test]
    fn specs_that_accept_something_are_not_refused() {
        assert_eq!(refusal("assume(x.a > 5); assume(x.b < 5);"), None);
        assert_eq!(refusal(""), None);
    }
}
