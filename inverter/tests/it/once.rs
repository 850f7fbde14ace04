//! The proof that each output element is assigned exactly once succeeds for almost every program of
//! the suite, and never for one that a counterexample refutes.

use crate::support;

use std::path::{Path, PathBuf};

use inverter::check::coverage::search;
use inverter::check::{Coverage, assigned_once, once};
use inverter::program::{Cmp, Expr, Pred, Program, Stmt, StmtKind, parse};
use rayon::prelude::*;
use support::dice::Seeded;

/// Every spec in a folder and those below it, by name.
fn specs(folder: &Path, out: &mut Vec<(String, Program)>) {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            specs(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let program = parse(&name, &text).unwrap_or_else(|e| panic!("{name}: {e}"));
            out.push((name, program));
        }
    }
}

fn suite() -> Vec<(String, Program)> {
    let mut out = Vec::new();
    specs(&PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs"), &mut out);
    out
}

#[test]
fn almost_all_of_the_suite_is_proved() {
    let suite = suite();
    let open: Vec<String> = suite
        .iter()
        .filter_map(|(name, program)| match assigned_once(program) {
            Ok(Coverage::Proved) => None,
            Ok(searched) => Some(format!("{name}: {searched}\n")),
            Err(e) => panic!("{name}: {e}"),
        })
        .collect();
    let proved = suite.len() - open.len();
    let told = format!("{proved} of {} proved\n{}", suite.len(), open.concat());
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(told);
    });
    assert!(proved * 100 >= suite.len() * 80);
}

#[test]
fn a_bound_that_is_a_product_bounds_products() {
    let spec = |count: &str| {
        format!(
            "struct In {{ h: u32, w: u32, b: u8, a: [u8] }}
            struct Out {{ h: u32, w: u32, b: u8, v: [u8; h * w * b] }}
            fn normalize(x: &In, y: &mut Out) {{
                y.h = x.h;
                y.w = x.w;
                y.b = x.b;
                for k in 0..{count} {{ for c in 0..x.b {{ y.v[k * x.b + c] = x.a[k * x.b + c]; }} }}
            }}"
        )
    };
    let unproved = |count| once::unproved(&parse("t.rs", &spec(count)).unwrap());
    assert_eq!(unproved("x.h * x.w"), []);
    assert!(!unproved("x.h * x.w + 1").is_empty());
}

/// Those of TIFF: others call primitives, which are not known here.
#[test]
fn the_specs_that_ship_are_proved() {
    let mut shipped = Vec::new();
    specs(
        &PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../normalizers/specs/tiff"),
        &mut shipped,
    );
    assert!(!shipped.is_empty());
    for (name, program) in shipped {
        assert_eq!(once::unproved(&program), [], "{name}");
    }
}

/// The target of a change.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// An assumption is left out.
    Drop,
    /// A numeral is one more.
    More,
    /// A numeral is one less.
    Less,
    /// A comparison is a bit wider or narrower.
    Compare,
}

/// Makes the `n`-th change of its kind to a program.
struct Mutation {
    kind: Kind,
    n: usize,
}

impl Mutation {
    /// Returns true if it is this one's turn.
    fn turn(&mut self) -> bool {
        let now = self.n == 0;
        self.n = self.n.wrapping_sub(1);
        now
    }

    fn block(&mut self, body: &mut Vec<Stmt>) {
        let kind = self.kind;
        body.retain(|s| {
            !(kind == Kind::Drop && matches!(s.kind, StmtKind::Assume(_)) && self.turn())
        });
        for stmt in body {
            match &mut stmt.kind {
                StmtKind::Assign { target, .. } => {
                    target.index.iter_mut().for_each(|e| self.expr(e));
                }
                StmtKind::Assume(p) => self.pred(p),
                StmtKind::If { cond, then, els } => {
                    self.pred(cond);
                    self.block(then);
                    self.block(els);
                }
                StmtKind::For { count, body, .. } => {
                    // A bound without a numeral gets one.
                    if self.kind != Kind::Drop && self.kind != Kind::Compare && self.turn() {
                        let by = if self.kind == Kind::More { 1 } else { -1 };
                        *count =
                            Expr::bin(inverter::program::Op::Add, count.clone(), Expr::Int(by));
                    }
                    self.expr(count);
                    self.block(body);
                }
                _ => {}
            }
        }
    }

    fn pred(&mut self, p: &mut Pred) {
        match p {
            Pred::Cmp(cmp, a, b) => {
                if self.kind == Kind::Compare && self.turn() {
                    *cmp = match cmp {
                        Cmp::Lt => Cmp::Le,
                        Cmp::Le => Cmp::Lt,
                        Cmp::Gt => Cmp::Ge,
                        Cmp::Ge => Cmp::Gt,
                        Cmp::Eq => Cmp::Le,
                        Cmp::Ne => Cmp::Lt,
                    };
                }
                self.expr(a);
                self.expr(b);
            }
            Pred::And(ps) | Pred::Or(ps) => ps.iter_mut().for_each(|p| self.pred(p)),
            _ => {}
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        match e {
            Expr::Int(n) if matches!(self.kind, Kind::More | Kind::Less) && self.turn() => {
                *n += if self.kind == Kind::More { 1 } else { -1 };
            }
            Expr::Bin(op, a, b) => {
                self.expr(a);
                // A divisor stays one.
                use inverter::program::Op::{Div, DivCeil, Rem};
                if !matches!(op, Div | DivCeil | Rem) {
                    self.expr(b);
                }
            }
            _ => {}
        }
    }
}

/// Every program that is a small change away.
fn mutants(program: &Program) -> Vec<Program> {
    let mut out = Vec::new();
    for kind in [Kind::Drop, Kind::More, Kind::Less, Kind::Compare] {
        for n in 0..6 {
            let mut mutant = program.clone();
            Mutation { kind, n }.block(&mut mutant.body);
            if mutant.body != program.body {
                out.push(mutant);
            }
        }
    }
    out
}

/// Counts the `programs` that are refuted and those that are proved; none may be both.
fn consistent(programs: &[(String, Program)]) -> (usize, usize) {
    let judged: Vec<(bool, bool)> = programs
        .par_iter()
        .map(|(name, program)| {
            let refuted = search(program).err();
            let proved = once::unproved(program).is_empty();
            if let (Some(why), true) = (&refuted, proved) {
                panic!("{name}: {:?}\n{:?}", why.diagnostics, program.body);
            }
            (refuted.is_some(), proved)
        })
        .collect();
    (judged.iter().filter(|j| j.0).count(), judged.iter().filter(|j| j.1).count())
}

#[test]
fn nothing_that_a_counterexample_refutes_is_proved() {
    let mutants: Vec<(String, Program)> = suite()
        .iter()
        .flat_map(|(name, p)| mutants(p).into_iter().map(move |m| (name.clone(), m)))
        .collect();
    let (refuted, proved) = consistent(&mutants);
    println!("{} mutants, {refuted} refuted, {proved} proved", mutants.len());
    assert!(refuted * 3 >= mutants.len(), "the changes matter");
}

#[test]
fn random_programs_are_proved() {
    let programs: Vec<(String, Program)> = (0..200)
        .map(|seed| {
            let text = support::random::program(&mut Seeded::new(seed));
            (text.clone(), parse("random.rs", &text).unwrap())
        })
        .collect();
    for (text, program) in &programs {
        let open = once::unproved(program);
        if !open.is_empty() {
            println!("{text}{open:?}\n");
        }
    }
    let (_, proved) = consistent(&programs);
    println!("{proved} of {} proved", programs.len());
    assert!(proved * 100 >= programs.len() * 80, "{proved} of {}", programs.len());
}

fn spec(body: &str) -> Program {
    let text = format!(
        "struct X {{ n: u16, p: u16, t: [u16; n] }} struct Y {{ n: u16, d: [u16; n] }}
         fn normalize(x: &X, y: &mut Y) {{ y.n = x.n; {body} }}"
    );
    parse("once.rs", &text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn a_counterexample_is_in_the_specs_own_names() {
    let cases = [
        ("for i in 0..min(x.n, x.p) { y.d[i] = 0; }", "n = 1, p = 0: d[0] is never assigned"),
        ("for i in 0..x.n { y.d[min(i, x.p)] = 0; }", "n = 2, p = 0: d[0] is assigned twice"),
        ("for i in 0..min(x.n, 1000) { y.d[i] = 0; }", "n = 1001: d[1000] is never assigned"),
        (
            "for i in 0..x.n { y.d[i + x.p] = 0; }",
            "n = 1, p = 1: d[1] is outside the array, whose length there is 1",
        ),
    ];
    for (body, expected) in cases {
        let error = assigned_once(&spec(body)).expect_err(body);
        assert_eq!(error.diagnostics[0].message, expected);
    }
}

#[test]
fn what_only_large_inputs_refute_is_not_proved() {
    let cases = [
        ("for i in 0..min(x.n, x.p + 1000) { y.d[i] = 0; }", once::Claim::AtLeastOnce),
        ("for i in 0..max(x.n, x.n + x.p - 1000) { y.d[i] = 0; }", once::Claim::Inside),
        (
            "for i in 0..x.n { y.d[i] = 0; } for i in 0..x.n - 1000 { y.d[i] = 0; }",
            once::Claim::AtMostOnce,
        ),
    ];
    for (body, what) in cases {
        let program = spec(body);
        let unproved = vec![once::Unproved { output: "d".into(), what }];
        match assigned_once(&program) {
            Ok(Coverage::Searched { unproved: found, .. }) => assert_eq!(found, unproved, "{body}"),
            other => panic!("{body}: {other:?}"),
        }
    }
}
