//! Finds reads outside arrays that only inputs of a certain size have.

use std::time::Instant;

use z3::ast::Bool;

use super::proposal::{Question, USUAL, read_below, refused};
use super::walk::{Findings, Place};
use crate::terms::Terms;
use inverter::check::outside::RefusedInput;
use inverter::program::{Expr, Length, Program, Ref, Side, Span, range};
use inverter::solve::smt::int;

/// The maximum number of queries.
const QUERIES: usize = 100;

/// For each place in the spec, returns the first read outside an array at an index over scalars, as far as they are
/// found before the deadline. In an array of any length, only indices below 0 are outside.
pub fn far_reads(program: &Program, until: Instant) -> Vec<RefusedInput> {
    let mut search = Search { program, found: Findings::new(QUERIES, until) };
    Place::default().walk(&program.body, &mut |place, stmt| {
        let mut refs: Vec<&Ref> = Vec::new();
        stmt.exprs(&mut |e| e.refs(&mut |r| refs.push(r)));
        refs.into_iter().for_each(|r| search.read(place, r, stmt.span));
    });
    search.found.all()
}

struct Search<'p> {
    program: &'p Program,
    found: Findings,
}

impl Search<'_> {
    fn read(&mut self, place: &Place, r: &Ref, statement: Span) {
        let field = self.program.field(r);
        let scalars = |e: &Expr| !e.mentions(|r| !r.index.is_empty() || r.side == Side::Output);
        let plain = r.side == Side::Input && !r.index.is_empty() && r.index.iter().all(scalars);
        if !plain || self.found.knows(r.span) || self.found.knows(statement) {
            return;
        }
        // A file that is too short does not belong to the format; no assumption has to state that.
        let file = self.program.length_of(r.field).is_some();
        let declared = field.lengths.iter().all(|l| matches!(l, Length::Is(e) if scalars(e)));
        let found = match declared && !file {
            true => self.outside(place, r),
            false => self.below(place, r),
        };
        self.found.add(found);
    }

    /// Looks for an input that reads outside an array of a declared length.
    fn outside(&mut self, place: &Place, r: &Ref) -> Option<RefusedInput> {
        if !self.found.take_query() {
            return None;
        }
        refused(self.program, &["is outside the array"], USUAL, |terms| Question {
            facts: facts(place, r, terms),
            claim: terms.inside(r).not(),
        })
    }

    /// Looks for an input that reads an array of any length at an index below 0.
    fn below(&mut self, place: &Place, r: &Ref) -> Option<RefusedInput> {
        if self.program.counts_from_end(r) {
            return None;
        }
        let may_be = |e: &&Expr| range::of(self.program, e).0 < 0;
        let index = r.index.iter().find(may_be)?;
        if !self.found.take_query() {
            return None;
        }
        read_below(self.program, |terms| Question {
            facts: facts(place, r, terms),
            claim: terms.expr(index).lt(int(0)),
        })
    }
}

/// The conditions that hold where `r` is read, except those that read it, because they would imply that it is inside.
fn facts(place: &Place, r: &Ref, terms: &mut Terms<'_>) -> Vec<Bool> {
    let others = place.known.iter().filter(|p| !p.mentions(|other| other == r));
    others.map(|p| terms.pred(p, 0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use inverter::program::parse;

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
    fn a_read_outside_by_the_assumption_itself_is_found() {
        let text = "struct In { kind: u16, a: u8, t: [u8; 200] } struct Out { z: u8 }
            fn normalize(x: &In, y: &mut Out) {
                if x.kind == 40000 {
                    assume(x.t[x.a] == 3);
                    y.z = x.a;
                } else {
                    assume(x.kind == 1);
                    y.z = x.a;
                }
            }";
        let until = Instant::now() + std::time::Duration::from_secs(600);
        let found = far_reads(&parse("t.rs", text).unwrap(), until);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].what.starts_with("kind = 40000, a = 2"), "{found:?}");
    }

    #[test]
    fn a_read_before_the_beginning_of_a_file_is_found_and_of_a_short_one_is_not() {
        let of_file = |index: &str| {
            let text = format!(
                "struct File {{ file: [u8] }} struct Out {{ n: u8, v: [u8; n] }}
                fn f(x: &File, y: &mut Out) {{
                    assume(bytes(x.file, 0) == b\"FAR1\");
                    let n = u8(x.file, 4);
                    assume(len(x.file) >= 5);
                    y.n = n;
                    for k in 0..n {{ y.v[k] = x.file[{index}]; }}
                }}"
            );
            let until = Instant::now() + std::time::Duration::from_secs(600);
            let found = far_reads(&parse("t.rs", &text).unwrap(), until);
            found.into_iter().map(|f| f.what).collect::<Vec<String>>()
        };
        let wrong = of_file("200 - k");
        assert_eq!(wrong.len(), 1, "{wrong:?}");
        assert!(wrong[0].contains("x.file[-1] is outside the array"), "{wrong:?}");
        assert_eq!(of_file("len(x.file) - 200 + k"), [""; 0]);
        assert_eq!(of_file("255 - k"), [""; 0]);
    }

    #[test]
    fn reads_inside_and_those_that_an_assumption_rules_out_are_not() {
        assert_eq!(found("", "x.n - 1 - k"), [""; 0]);
        assert_eq!(found("assume(x.n < 1000);", "k + (k + 1) / 1000"), [""; 0]);
    }
}
