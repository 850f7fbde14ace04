//! Finds arithmetic that overflows, and loops that take too many steps, only if scalars are large.

use std::collections::HashMap;
use std::time::Instant;

use z3::ast::{Bool, Int};

use super::proposal::{Question, Sizes, refused};
use crate::check::outside::RefusedInput;
use crate::check::terms::Terms;
use crate::program::fold::statements;
use crate::program::{Cmp, Expr, Length, Pred, Program, Span, Stmt, StmtKind, VarId, range};
use crate::solve::smt::int;

/// The most queries.
const QUERIES: usize = 40;
/// Scalars of all types, and few elements, each of which allows for more steps.
const LARGE: Sizes = Sizes { most: &[u64::MAX as i128], free: &[256] };
/// Words of the refusal of an overflow, and of that of too many steps.
const OVERFLOW: &str = "leaves 128 bits";
const STEPS: &str = "take more steps";
/// More steps than a run may take of an input with few elements.
const TOO_MANY: i128 = 1 << 23;
/// The most elements of an array of such an input: each allows for more steps.
const FEW: i128 = 256;

/// Returns the first expression that leaves 128 bits, and the first loop that takes too many steps, for each
/// statement that has one if scalars are large, as far as they are found until then.
pub fn far_numbers(program: &Program, until: Instant) -> Vec<RefusedInput> {
    let mut search = Search {
        program,
        until,
        known: Vec::new(),
        loops: Vec::new(),
        vars: HashMap::new(),
        out: Vec::new(),
        queries: QUERIES,
    };
    search.block(&program.body);
    search.out
}

struct Search<'p> {
    program: &'p Program,
    until: Instant,
    /// The guards and assumptions that hold where the search is.
    known: Vec<Pred>,
    /// The numbers of iterations of the loops around, outermost first.
    loops: Vec<Expr>,
    /// The bounds of their variables.
    vars: HashMap<VarId, (i128, i128)>,
    out: Vec<RefusedInput>,
    queries: usize,
}

impl Search<'_> {
    fn block(&mut self, body: &[Stmt]) {
        let outer = self.known.len();
        self.known.extend(body.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Assume(p) => Some(p.clone()),
            _ => None,
        }));
        for stmt in body {
            let mut exprs: Vec<&Expr> = Vec::new();
            stmt.exprs(&mut |e| exprs.push(e));
            let mut parts = Vec::new();
            exprs.into_iter().for_each(|e| self.large(e, &mut parts));
            if !parts.is_empty() {
                self.overflow(&parts, stmt.span);
            }
            match &stmt.kind {
                StmtKind::If { cond, then, els } => {
                    self.guarded(cond.clone(), then);
                    self.guarded(cond.negated(), els);
                }
                StmtKind::For { var, count, body } => {
                    let (_, most) = self.range(count);
                    self.vars.insert(*var, (0, most.saturating_sub(1).max(0)));
                    self.loops.push(count.clone());
                    self.steps(stmt.span, body);
                    self.guarded(Pred::cmp(Cmp::Lt, Expr::Var(*var), count.clone()), body);
                    self.loops.pop();
                }
                _ => {}
            }
        }
        self.known.truncate(outer);
    }

    fn guarded(&mut self, guard: Pred, body: &[Stmt]) {
        self.known.push(guard);
        self.block(body);
        self.known.pop();
    }

    fn range(&self, e: &Expr) -> (i128, i128) {
        range::of_with(self.program, e, &|v| self.vars.get(&v).copied().unwrap_or((0, i128::MAX)))
    }

    /// Adds the parts of `e` that may leave 128 bits.
    fn large<'e>(&self, e: &'e Expr, out: &mut Vec<&'e Expr>) {
        match e {
            Expr::Int(_) | Expr::Var(_) => return,
            Expr::Ref(r) => r.index.iter().for_each(|part| self.large(part, out)),
            Expr::Bin(_, a, b) => [a, b].into_iter().for_each(|part| self.large(part, out)),
        }
        let (least, most) = self.range(e);
        out.extend((least == i128::MIN || most == i128::MAX).then_some(e));
    }

    fn overflow(&mut self, parts: &[&Expr], statement: Span) {
        self.ask(statement, OVERFLOW, |search, terms| {
            let mut any = Vec::new();
            for part in parts {
                let value = terms.expr(part);
                any.extend([value.gt(int(i128::MAX)), value.lt(int(i128::MIN))]);
            }
            Question { facts: search.facts(terms), claim: Bool::or(&any) }
        });
    }

    /// Looks for an input for which the innermost loop, with those around it, takes too many steps. Rows without
    /// elements do not count, of which there may be millions in no bytes.
    fn steps(&mut self, statement: Span, body: &[Stmt]) {
        let most = self.loops.iter().map(|count| self.range(count).1.max(0));
        if most.fold(1i128, i128::saturating_mul) < TOO_MANY {
            return;
        }
        self.ask(statement, STEPS, |search, terms| {
            let counts: Vec<Int> = search.loops.iter().map(|count| terms.expr(count)).collect();
            let mut facts = search.facts(terms);
            facts.extend(counts.iter().map(|count| count.ge(int(0))));
            statements(body, &mut |inner| {
                if let StmtKind::For { count, .. } = &inner.kind {
                    facts.push(terms.expr(count).ge(int(1)));
                }
            });
            for field in search.program.input.fields.iter() {
                let lengths = field.lengths.iter().filter_map(|length| match length {
                    Length::Is(e) => Some(terms.expr(e)),
                    Length::Free => None,
                });
                let cells = lengths.reduce(|a, b| Int::mul(&[&a, &b]));
                facts.extend(cells.map(|cells| cells.le(int(FEW))));
            }
            let all = counts.into_iter().reduce(|a, b| Int::mul(&[&a, &b]));
            let claim = all.map_or_else(|| Bool::from_bool(false), |all| all.ge(int(TOO_MANY)));
            Question { facts, claim }
        });
    }

    /// The conditions that hold here, apart from those that may overflow themselves.
    fn facts(&self, terms: &mut Terms<'_>) -> Vec<Bool> {
        let fits = |p: &&Pred| {
            let mut parts = Vec::new();
            p.exprs(&mut |e| self.large(e, &mut parts));
            parts.is_empty()
        };
        self.known.iter().filter(fits).map(|p| terms.pred(p, 0)).collect()
    }

    fn ask(
        &mut self,
        statement: Span,
        words: &str,
        question: impl Fn(&Self, &mut Terms<'_>) -> Question + Send + Sync,
    ) {
        let known = self.out.iter().any(|found| found.span.overlaps(statement));
        if known || self.queries == 0 || Instant::now() >= self.until {
            return;
        }
        self.queries -= 1;
        let found = refused(self.program, &[words], LARGE, |terms| question(self, terms));
        let new = found.filter(|found| self.out.iter().all(|o| !o.span.overlaps(found.span)));
        self.out.extend(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::parse;

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
