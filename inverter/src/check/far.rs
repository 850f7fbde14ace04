//! Finds reads outside arrays that only inputs of a certain size have: Z3 proposes sizes, and the program itself
//! confirms each. The search among small inputs ([`super::outside`]) sees none of them.

use std::time::Instant;

use z3::ast::{Bool, Int};

use super::outside::OutsideRead;
use super::terms::{Terms, values};
use crate::program::{Cmp, Expr, FieldId, Length, Pred, Program, Ref, Side, Span, Stmt, StmtKind};
use crate::run::{Array, FieldValue, Record, RunError, normalize};
use crate::solve::smt::int;

/// The effort of one query to Z3, in milliseconds.
const TIME: u32 = 300;
/// The greatest scalar of an input that is proposed.
const MOST: i128 = 1 << 12;
/// The most elements of an array of such an input.
const CELLS: usize = 1 << 18;
/// The most queries.
const QUERIES: usize = 100;

/// Returns the first read outside an array of a declared length for each place in the spec that has one at an
/// index of scalars, as far as they are found until then.
pub fn far_reads(program: &Program, until: Instant) -> Vec<OutsideRead> {
    let mut search =
        Search { program, until, known: Vec::new(), out: Vec::new(), queries: QUERIES };
    search.block(&program.body);
    search.out
}

struct Search<'p> {
    program: &'p Program,
    until: Instant,
    /// The guards and assumptions that hold where the search is.
    known: Vec<Pred>,
    out: Vec<OutsideRead>,
    queries: usize,
}

impl Search<'_> {
    fn block(&mut self, body: &[Stmt]) {
        let outer = self.known.len();
        // A later assumption may rule out an input as well.
        self.known.extend(body.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Assume(p) => Some(p.clone()),
            _ => None,
        }));
        for stmt in body {
            let mut refs: Vec<&Ref> = Vec::new();
            stmt.exprs(&mut |e| e.refs(&mut |r| refs.push(r)));
            for r in refs {
                self.read(r, stmt.span);
            }
            match &stmt.kind {
                StmtKind::If { cond, then, els } => {
                    self.guarded(cond.clone(), then);
                    self.guarded(cond.negated(), els);
                }
                StmtKind::For { var, count, body } => {
                    self.guarded(Pred::cmp(Cmp::Lt, Expr::Var(*var), count.clone()), body);
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

    fn read(&mut self, r: &Ref, statement: Span) {
        let field = self.program.field(r);
        let scalars = |e: &Expr| !e.mentions(|r| !r.index.is_empty() || r.side == Side::Output);
        let lengths = field.lengths.iter().all(|l| matches!(l, Length::Is(e) if scalars(e)));
        let plain = r.side == Side::Input && !r.index.is_empty() && r.index.iter().all(scalars);
        // A file that is too short is none of the format: no assumption has to state that.
        let file = self.program.length_of(r.field).is_some();
        if !plain
            || file
            || !lengths
            || self.knows(r.span)
            || self.knows(statement)
            || self.queries == 0
            || Instant::now() >= self.until
        {
            return;
        }
        self.queries -= 1;
        if let Some(found) = self.proposed(r).and_then(|x| confirmed(self.program, &x))
            && !self.knows(found.span)
        {
            self.out.push(found);
        }
    }

    /// Returns true if a read at this place is among those that are found.
    fn knows(&self, span: Span) -> bool {
        self.out.iter().any(|found| found.span.overlaps(span))
    }

    /// Returns an input of which this read may be outside the array.
    fn proposed(&self, r: &Ref) -> Option<Record> {
        let mut terms = Terms::new(self.program);
        let mut facts: Vec<Bool> = self.known.iter().map(|p| terms.pred(p, 0)).collect();
        let outside = terms.inside(r).not();
        let fields = &self.program.input.fields;
        let mut scalars: Vec<Int> = Vec::new();
        for k in (0..fields.len()).map(FieldId) {
            if fields[k].lengths.is_empty() {
                let r =
                    Ref { side: Side::Input, field: k, index: Vec::new(), span: Span::default() };
                let term = terms.load(&r);
                facts.push(term.le(int(MOST)));
                scalars.push(term);
            }
        }
        facts.extend(terms.facts);
        let mut values = values(&facts, &outside, TIME, &scalars)?.into_iter();
        // First the scalars, which lengths are made of.
        let mut x = Record { fields: Vec::new() };
        for field in fields.iter() {
            x.fields.push(match field.lengths.is_empty() {
                true => FieldValue::Scalar(values.next()?),
                false => FieldValue::Array(Array::zeros(field.int, vec![0; field.lengths.len()])?),
            });
        }
        for (k, field) in fields.iter().enumerate().filter(|(_, f)| !f.lengths.is_empty()) {
            let length = |length: &Length| match length {
                Length::Is(e) => usize::try_from(x.length(e).ok()?.max(0)).ok(),
                Length::Free => Some(MOST as usize),
            };
            let lengths: Vec<usize> = field.lengths.iter().map(length).collect::<Option<_>>()?;
            let cells = lengths.iter().try_fold(1usize, |n, l| n.checked_mul(*l));
            cells.filter(|n| *n <= CELLS)?;
            x.fields[k] = FieldValue::Array(Array::zeros(field.int, lengths)?);
        }
        Some(x)
    }
}

/// Returns the read outside an array that the program has on this input.
fn confirmed(program: &Program, x: &Record) -> Option<OutsideRead> {
    match normalize(program, x) {
        Err(RunError::Refused { message, span, .. })
            if message.contains("is outside the array") =>
        {
            let scalars =
                program.input.fields.iter().zip(&x.fields).filter_map(|(f, value)| match value {
                    FieldValue::Scalar(n) => Some(format!("{} = {n}", f.name)),
                    FieldValue::Array(_) => None,
                });
            let input: Vec<String> = scalars.take(8).collect();
            Some(OutsideRead { span, what: format!("{}: {message}", input.join(", ")) })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::parse;

    fn found(assumption: &str, index: &str) -> Vec<String> {
        let text = format!(
            "struct In {{ n: u16, a: [u8; n] }} struct Out {{ n: u16, v: [u8; n] }}
            fn normalize(x: &In, y: &mut Out) {{
                y.n = x.n;
                for k in 0..x.n {{ y.v[k] = x.a[{index}]; }}
                {assumption}
            }}"
        );
        let until = Instant::now() + std::time::Duration::from_secs(600);
        far_reads(&parse("t.rs", &text).unwrap(), until).into_iter().map(|f| f.what).collect()
    }

    #[test]
    fn a_read_outside_at_one_size_only_is_found() {
        let wrong = found("", "k + (k + 1) / 1000");
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains("is outside the array"), "{wrong:?}");
    }

    #[test]
    fn reads_inside_and_those_that_an_assumption_rules_out_are_not() {
        assert_eq!(found("", "x.n - 1 - k"), [""; 0]);
        assert_eq!(found("assume(x.n < 1000);", "k + (k + 1) / 1000"), [""; 0]);
    }
}
