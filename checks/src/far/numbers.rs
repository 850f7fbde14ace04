//! Finds arithmetic that overflows, and loops that take too many steps, only if scalars are large.

use std::time::Instant;

use z3::ast::{Bool, Int};

use super::proposal::{Question, Sizes, cells_at_most, refused};
use super::walk::{Findings, Place};
use crate::terms::Terms;
use inverter::check::outside::RefusedInput;
use inverter::program::fold::statements;
use inverter::program::{Expr, Pred, Program, Span, Stmt, StmtKind, range};
use inverter::solve::smt::int;

/// The maximum number of queries.
const QUERIES: usize = 40;
/// Scalars of all types, and few elements, because each element allows for more steps.
const LARGE: Sizes = Sizes { most: &[u64::MAX as i128], free: &[256] };
/// Words of the refusal messages for an overflow and for too many steps.
const OVERFLOW: &str = "leaves 128 bits";
const STEPS: &str = "take more steps";
/// More steps than a run may take on an input with few elements.
const TOO_MANY: i128 = 1 << 23;
/// The maximum number of elements of an array of such an input, because each allows for more steps.
const FEW: i128 = 256;

/// Returns the first expression that leaves 128 bits, and the first loop that takes too many steps, for each statement
/// that has one if scalars are large, as far as they are found before the deadline.
pub fn far_numbers(program: &Program, until: Instant) -> Vec<RefusedInput> {
    let mut search = Search { program, found: Findings::new(QUERIES, until) };
    Place::default().walk(&program.body, &mut |place, stmt| {
        let mut parts = Vec::new();
        stmt.exprs(&mut |e| search.large(place, e, &mut parts));
        if !parts.is_empty() {
            search.overflow(place, &parts, stmt.span);
        }
        if let StmtKind::For { count, body, .. } = &stmt.kind {
            search.steps(place, count, stmt.span, body);
        }
    });
    search.found.all()
}

struct Search<'p> {
    program: &'p Program,
    found: Findings,
}

impl Search<'_> {
    fn range(&self, place: &Place, e: &Expr) -> (i128, i128) {
        range::in_loops(e, &place.loops, &|r| self.program.field(r).int.range())
    }

    /// Adds the parts of `e` that may leave 128 bits.
    fn large<'e>(&self, place: &Place, e: &'e Expr, out: &mut Vec<&'e Expr>) {
        match e {
            Expr::Int(_) | Expr::Var(_) => return,
            Expr::Ref(r) => r.index.iter().for_each(|part| self.large(place, part, out)),
            Expr::Bin(_, a, b) => {
                [a, b].into_iter().for_each(|part| self.large(place, part, out));
            }
        }
        let (least, most) = self.range(place, e);
        out.extend((least == i128::MIN || most == i128::MAX).then_some(e));
    }

    fn overflow(&mut self, place: &Place, parts: &[&Expr], statement: Span) {
        self.ask(statement, OVERFLOW, |search, terms| {
            let mut any = Vec::new();
            for part in parts {
                let value = terms.expr(part);
                any.extend([value.gt(int(i128::MAX)), value.lt(int(i128::MIN))]);
            }
            Question { facts: search.facts(place, terms), claim: Bool::or(&any) }
        });
    }

    /// Looks for an input for which the innermost loop, with those around it, takes too many steps. Empty rows do not
    /// count, because there may be millions of them without any bytes.
    fn steps(&mut self, place: &Place, count: &Expr, statement: Span, body: &[Stmt]) {
        let counts = || place.loops.iter().map(|level| &level.count).chain([count]);
        let most = counts().map(|count| self.range(place, count).1.max(0));
        if most.fold(1i128, i128::saturating_mul) < TOO_MANY {
            return;
        }
        self.ask(statement, STEPS, |search, terms| {
            let counts: Vec<Int> = counts().map(|count| terms.expr(count)).collect();
            let mut facts = search.facts(place, terms);
            facts.extend(counts.iter().map(|count| count.ge(int(0))));
            statements(body, &mut |inner| {
                if let StmtKind::For { count, .. } = &inner.kind {
                    facts.push(terms.expr(count).ge(int(1)));
                }
            });
            facts.extend(cells_at_most(terms, FEW));
            let all = counts.into_iter().reduce(|a, b| Int::mul(&[&a, &b]));
            let claim = all.map_or_else(|| Bool::from_bool(false), |all| all.ge(int(TOO_MANY)));
            Question { facts, claim }
        });
    }

    /// The conditions that hold here, except those that may overflow themselves.
    fn facts(&self, place: &Place, terms: &mut Terms<'_>) -> Vec<Bool> {
        let fits = |p: &&Pred| {
            let mut parts = Vec::new();
            p.exprs(&mut |e| self.large(place, e, &mut parts));
            parts.is_empty()
        };
        place.known.iter().filter(fits).map(|p| terms.pred(p, 0)).collect()
    }

    fn ask(
        &mut self,
        statement: Span,
        words: &str,
        question: impl Fn(&Self, &mut Terms<'_>) -> Question + Send + Sync,
    ) {
        if self.found.knows(statement) || !self.found.take_query() {
            return;
        }
        let found = refused(self.program, &[words], LARGE, |terms| question(self, terms));
        self.found.add(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inverter::program::parse;

    fn found(body: &str) -> Vec<String> {
        let text = format!(
            "struct File {{ file: [u8] }} struct Out {{ a: u64, b: u64 }}
            fn normalize(x: &File, y: &mut Out) {{
                assume(bytes(x.file, 0) == b\"NUMS\");
                let a = u64le(x.file, 4);
                let b = u64le(x.file, 12);
                let c = u64le(x.file, 20);
                {body}
                y.a = a;
                y.b = b;
            }}"
        );
        let until = Instant::now() + std::time::Duration::from_secs(600);
        far_numbers(&parse("t.rs", &text).unwrap(), until).into_iter().map(|f| f.what).collect()
    }

    #[test]
    fn products_of_large_scalars_that_overflow_are_found() {
        let wrong = found("assume(a * b * c < 100);");
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains(OVERFLOW), "{wrong:?}");
        assert_eq!(found("assume(a < 1000); assume(a * b * c < 100);").len(), 1);
        assert_eq!(found("assume(a < 1000); assume(b < 1000); assume(a * b * c < 100);"), [""; 0]);
        assert_eq!(found("assume(a + 1000 * b < c);"), [""; 0]);
    }

    #[test]
    fn loops_of_too_many_steps_are_found() {
        let walk = "for k in 0..a { for j in 0..b { assume(k + j + c < 0xffffffffffffffff); } }";
        let wrong = found(walk);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains(STEPS), "{wrong:?}");
        assert_eq!(found(&format!("assume(a < 1000); assume(b < 1000); {walk}")), [""; 0]);
    }
}
