//! Finds elements of outputs that are assigned twice, never, or outside their array, in inputs of a certain size.

use std::time::Instant;

use z3::ast::{Bool, Int};

use super::proposal::{Question, USUAL, refused};
use super::walk::Findings;
use crate::terms::Terms;
use inverter::check::once::{Collected, Mistake, Step, Write, collect, loops, never, unproved};
use inverter::check::outside::RefusedInput;
use inverter::program::{FieldId, Length, Program, Ref, Side, Span, VarId};
use inverter::solve::smt::int;

/// The maximum number of queries.
const QUERIES: usize = 100;
/// The offset of the loop variables of the second of two writes.
const SECOND: usize = 1 << 20;
/// Words of the refusals that count.
const WORDS: [&str; 3] = ["is outside the array", "is assigned twice", "is never assigned"];
/// The minimum array lengths that are tried.
const LENGTHS: [i128; 4] = [40, 257, 1000, 4000];

/// Returns a mistake in the assignment of each output that is not proved correct, as far as they are found before the
/// deadline.
pub fn far_writes(program: &Program, until: Instant) -> Vec<RefusedInput> {
    let open: Vec<String> = unproved(program).into_iter().map(|u| u.output).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let collected = collect(program);
    let found = Findings::new(QUERIES, until);
    let mut search = Search { program, collected: &collected, found };
    for (field, f) in program.output.indexed() {
        if open.contains(&f.name) {
            // A length that may have no value is outside of every proof.
            let given = |e: &Length| match e {
                Length::Is(e) => !e.mentions(|r| open.contains(&program.field(r).name)),
                Length::Free => true,
            };
            search.output(field, f.lengths.iter().all(given));
        }
    }
    search.found.all()
}

struct Search<'p> {
    program: &'p Program,
    collected: &'p Collected,
    found: Findings,
}

impl Search<'_> {
    fn output(&mut self, field: FieldId, settled: bool) {
        let writes: Vec<&Write> =
            self.collected.writes.iter().filter(|w| w.field == field).collect();
        let indexed: Vec<&Write> = writes.into_iter().filter(|w| !w.index.is_empty()).collect();
        let mut mistakes: Vec<Mistake<'_>> =
            indexed.iter().copied().map(Mistake::Outside).collect();
        for (k, a) in indexed.iter().enumerate() {
            mistakes.extend(indexed[k..].iter().map(|b| Mistake::Twice(a, b)));
        }
        // Z3 takes long for nonlinear products, and the proof answers most queries at once.
        if settled {
            let known = never(self.program, self.collected, field, &mistakes);
            let open = mistakes.into_iter().zip(known).filter(|(_, never)| !never);
            mistakes = open.map(|(mistake, _)| mistake).collect();
        }
        let asked = mistakes.into_iter().map(Asked::Of);
        // Elements that are never assigned show up wherever there are many elements.
        let asked: Vec<Asked<'_>> = asked.chain(LENGTHS.map(Asked::Long)).collect();
        self.ask(field, &asked);
    }

    /// Looks for a mistake in inputs of each kind in turn, until one is found.
    fn ask(&mut self, field: FieldId, asked: &[Asked<'_>]) {
        let (program, collected) = (self.program, self.collected);
        for asked in asked {
            if !self.found.take_query() {
                return;
            }
            let found = refused(program, &WORDS, USUAL, |terms| Question {
                claim: match asked {
                    Asked::Of(Mistake::Outside(write)) => outside(terms, write),
                    Asked::Of(Mistake::Twice(a, b)) => twice(terms, a, b),
                    Asked::Long(least) => long(terms, field, *least),
                },
                facts: facts(terms, collected),
            });
            if self.found.add(found) {
                return;
            }
        }
    }
}

/// Inputs in which a mistake is sought.
enum Asked<'w> {
    Of(Mistake<'w>),
    /// Those in which each length of the array is at least this large.
    Long(i128),
}

/// The assumptions outside loops, and the values of output scalars.
fn facts(terms: &mut Terms<'_>, collected: &Collected) -> Vec<Bool> {
    let mut out = Vec::new();
    for fact in collected.facts.iter().filter(|fact| loops(&fact.path).next().is_none()) {
        let (here, holds) = (path(terms, &fact.path), terms.pred(&fact.pred, 0));
        out.push(here.implies(&holds));
    }
    for write in collected.writes.iter().filter(|w| w.index.is_empty()) {
        let Some(value) = &write.value else { continue };
        let (here, value) = (path(terms, &write.path), terms.expr(value));
        let r = Ref {
            side: Side::Output,
            field: write.field,
            index: Vec::new(),
            span: Span::default(),
        };
        out.push(here.implies(terms.load(&r).eq(&value)));
    }
    out
}

/// The condition under which a statement is reached.
fn path(terms: &mut Terms<'_>, path: &[Step]) -> Bool {
    let steps: Vec<Bool> = path
        .iter()
        .map(|step| match step {
            Step::Loop(var, count) => {
                let var = terms.expr(&inverter::program::Expr::Var(*var));
                var.lt(terms.expr(count))
            }
            Step::Guard(p) => terms.pred(p, 0),
        })
        .collect();
    Bool::and(&steps)
}

fn index(terms: &mut Terms<'_>, write: &Write) -> Vec<Int> {
    write.index.iter().map(|e| terms.expr(e)).collect()
}

/// The write is outside its array.
fn outside(terms: &mut Terms<'_>, write: &Write) -> Bool {
    let here = path(terms, &write.path);
    let r = Ref {
        side: Side::Output,
        field: write.field,
        index: write.index.clone(),
        span: Span::default(),
    };
    let inside = terms.inside(&r);
    Bool::and(&[here, inside.not()])
}

/// Two different iterations write the same element.
fn twice(terms: &mut Terms<'_>, a: &Write, b: &Write) -> Bool {
    let mut all = vec![path(terms, &a.path)];
    let first = index(terms, a);
    let vars: Vec<(VarId, Option<Int>)> =
        loops(&b.path).map(|v| (v, terms.vars.remove(&v))).collect();
    for (var, _) in &vars {
        let second = terms.expr(&inverter::program::Expr::Var(VarId(var.0 + SECOND)));
        terms.vars.insert(*var, second);
    }
    all.push(path(terms, &b.path));
    let second = index(terms, b);
    all.extend(first.iter().zip(&second).map(|(x, y)| x.eq(y)));
    if std::ptr::eq(a, b) {
        let differ: Vec<Bool> = vars
            .iter()
            .filter_map(|(var, first)| Some(first.as_ref()?.eq(terms.vars.get(var)?).not()))
            .collect();
        all.push(Bool::or(&differ));
    }
    for (var, first) in vars {
        terms.vars.remove(&var);
        terms.vars.extend(first.map(|first| (var, first)));
    }
    Bool::and(&all)
}

/// Each length of the array is at least so large.
fn long(terms: &mut Terms<'_>, field: FieldId, least: i128) -> Bool {
    let program = terms.program;
    let lengths = program.output.fields[field].lengths.iter();
    let all: Vec<Bool> = lengths
        .filter_map(|length| match length {
            Length::Is(e) => Some(terms.expr(e).ge(int(least))),
            Length::Free => None,
        })
        .collect();
    Bool::and(&all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use inverter::program::parse;

    fn found(assumption: &str, statements: &str) -> Vec<String> {
        let text = format!(
            "struct In {{ h: u16, w: u16, a: [u8; h * w] }}
            struct Out {{ h: u16, w: u16, v: [[u8; w]; h] }}
            fn normalize(x: &In, y: &mut Out) {{
                y.h = x.h;
                y.w = x.w;
                {statements}
                {assumption}
            }}"
        );
        let until = Instant::now() + std::time::Duration::from_secs(600);
        far_writes(&parse("t.rs", &text).unwrap(), until).into_iter().map(|f| f.what).collect()
    }

    const ALL: &str = "for r in 0..x.h { for c in 0..x.w { y.v[r][c] = x.a[r * x.w + c]; } }";

    #[test]
    fn an_element_that_is_assigned_twice_in_large_arrays_only_is_found() {
        let twice = format!("{ALL} if x.h > 300 && x.w > 200 {{ y.v[7][3] = 1; }}");
        let wrong = found("", &twice);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains("is assigned twice"), "{wrong:?}");
        assert_eq!(found("assume(x.h + x.w < 400);", &twice), [""; 0]);
    }

    #[test]
    fn an_element_that_is_never_assigned_in_large_arrays_only_is_found() {
        let some = ALL.replace("0..x.w", "0..min(x.w, 2000 - x.h)");
        let wrong = found("assume(x.h < 1800);", &some);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains("is never assigned"), "{wrong:?}");
    }

    #[test]
    fn an_element_outside_large_arrays_only_is_found() {
        let over = ALL.replace("y.v[r][c]", "y.v[r][c + x.w / 3000]");
        let wrong = found("", &over);
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains("is outside the array"), "{wrong:?}");
    }

    /// The search's own inputs end somewhere; elements beyond that end show the search's limit, not a mistake in the
    /// spec.
    #[test]
    fn the_end_of_an_input_that_could_be_longer_is_no_mistake() {
        let text = "struct File { file: [u8] }
            struct Out { n: u16, v: [u8; n] }
            fn f(x: &File, y: &mut Out) {
                let n = u16le(x.file, 0);
                let m = u16le(x.file, 2);
                y.n = n;
                for k in 0..n {
                    if m * m == 7 * n + 1000 {
                        y.v[k / 2] = x.file[4 + k];
                    } else {
                        y.v[k] = x.file[4 + k];
                    }
                }
            }";
        let until = Instant::now() + std::time::Duration::from_secs(600);
        assert_eq!(far_writes(&parse("t.rs", text).unwrap(), until), []);
    }
}
