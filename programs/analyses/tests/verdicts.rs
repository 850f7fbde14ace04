//! Verdicts on programs in C, and clients that do not behave.

use std::sync::Arc;
use std::time::Duration;

use analyses::protocol::server::Settings;
use analyses::protocol::{
    Client, Dereference, End, Formula, Progress, Report, Server, Spot, Verdict,
};
use analyses::run::{Analysis, Kind, Known, Options, analyse, analyse_with, client, prepare};
use canonical::Program;
use canonical::c::{Options as COptions, read_text};

const HEADER: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned int __VERIFIER_nondet_uint(void);\n\
    extern char __VERIFIER_nondet_char(void); extern void __VERIFIER_assume(int);\n\
    extern void abort(void); void reach_error(void) { abort(); }\n\
    void __VERIFIER_assert(int c) { if (!c) { reach_error(); } }\n";

fn read(text: &str) -> Arc<Program> {
    let program = read_text("t.c", &format!("{HEADER}{text}"), &COptions::default());
    assert_eq!(program.diagnostics, [], "{text}");
    Arc::new(program)
}

fn run(text: &str, clients: &[Kind], communicate: bool) -> Analysis {
    let run = Settings { communicate, ..Settings::default() };
    let options = Options { clients: clients.to_vec(), run, ..Options::default() };
    analyse(read(text), &options).expect("there is a main")
}

/// `p` if all assertions are proved, `r` if one is refuted, `?` else.
fn verdict(analysis: &Analysis) -> char {
    match (analysis.refuted(), analysis.proved()) {
        (true, _) => 'r',
        (_, true) => 'p',
        _ => '?',
    }
}

/// Programs, the verdict of intervals alone, and that of all clients with symbolic execution.
const PROGRAMS: &[(char, char, &str)] = &[
    (
        'p',
        'p',
        "int main(void) { int i; for (i = 0; i < 10; i++) {} __VERIFIER_assert(i == 10); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assert(x != 1234567); return 0; }",
    ),
    (
        'p',
        'p',
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x > 3 && x < 7) __VERIFIER_assert(x * 2 <= 12); return 0; }",
    ),
    (
        'p',
        'p',
        "unsigned char c; int main(void) { c = __VERIFIER_nondet_int(); __VERIFIER_assert(c <= 255); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { unsigned char c = __VERIFIER_nondet_int(); __VERIFIER_assert(c <= 254); return 0; }",
    ),
    // Unsigned arithmetic wraps.
    (
        '?',
        'r',
        "int main(void) { unsigned int u = __VERIFIER_nondet_uint(); __VERIFIER_assert(u + 1 > u); return 0; }",
    ),
    // Signed overflow ends a run.
    (
        'p',
        'p',
        "int main(void) { int u = __VERIFIER_nondet_int(); __VERIFIER_assert(u + 1 > u); return 0; }",
    ),
    (
        'p',
        'p',
        "void set(int *p) { *p = 7; } int main(void) { int a = 1; set(&a); __VERIFIER_assert(a == 7); return 0; }",
    ),
    (
        '?',
        'r',
        "void set(int *p) { *p = 7; } int main(void) { int a = 1; set(&a); __VERIFIER_assert(a == 1); return 0; }",
    ),
    (
        'p',
        'p',
        "struct s { int a; struct { int b; } in; }; int main(void) { struct s x = {1, {2}}, y = x; __VERIFIER_assert(y.in.b == 2); return 0; }",
    ),
    (
        '?',
        'p',
        "int a[4]; int main(void) { a[1] = 5; a[2] = 6; __VERIFIER_assert(a[1] == 5); return 0; }",
    ),
    (
        'p',
        'p',
        "int a[4]; int main(void) { int i = __VERIFIER_nondet_uint() % 4; a[i] = 5; __VERIFIER_assert(a[2] >= 0); return 0; }",
    ),
    (
        '?',
        'p',
        "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); } int main(void) { __VERIFIER_assert(f(5) == 5); return 0; }",
    ),
    (
        '?',
        'r',
        "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); } int main(void) { __VERIFIER_assert(f(5) == 4); return 0; }",
    ),
    (
        'p',
        'p',
        "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 0); __VERIFIER_assert(x >= 1); return 0; }",
    ),
    // Equalities of two values are beyond intervals.
    (
        '?',
        'p',
        "int main(void) { int x = __VERIFIER_nondet_int(), y = x; __VERIFIER_assert(x == y); return 0; }",
    ),
    (
        '?',
        'p',
        "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y++; } __VERIFIER_assert(x == y); return 0; }",
    ),
    ('p', 'p', "int main(void) { int *p = 0; if (p) __VERIFIER_assert(0); return 0; }"),
    (
        'p',
        'p',
        "int g; int get(void) { return g; } int main(void) { int (*f)(void) = get; g = 3; __VERIFIER_assert(f() == 3); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { char c = __VERIFIER_nondet_char(); if ((c & 15) == 9 && c < 0) reach_error(); return 0; }",
    ),
    (
        '?',
        '?',
        "void unknown(int *); int main(void) { int x = 1; unknown(&x); __VERIFIER_assert(x == 1); return 0; }",
    ),
    (
        'p',
        'p',
        "void unknown(int); int main(void) { int x = 1; unknown(x); __VERIFIER_assert(x == 1); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { int x = __VERIFIER_nondet_int(), n = 0; while (x > 0 && n < 5) { x = x - 3; n++; } __VERIFIER_assert(n != 4); return 0; }",
    ),
    (
        'p',
        'p',
        "int main(void) { int x = __VERIFIER_nondet_int(); switch (x) { case 1: case 2: __VERIFIER_assert(x < 3); break; default: x = 9; } return 0; }",
    ),
    (
        'p',
        'p',
        "union u { int a; char b[4]; }; int main(void) { union u x; x.a = 1; int y = x.b[0]; __VERIFIER_assert(y < 128); return 0; }",
    ),
    (
        '?',
        'r',
        "int main(void) { int a[3] = {1, 2, 3}; int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 3 && a[i] == 3) reach_error(); return 0; }",
    ),
];

#[test]
fn verdicts_are_as_expected() {
    let mut wrong = Vec::new();
    for (alone, together, text) in PROGRAMS {
        let found = verdict(&run(text, &[Kind::Box], true));
        if found != *alone {
            wrong.push(format!("box: {found} instead of {alone}: {text}"));
        }
        if Kind::ALL.len() > 1 {
            let all = verdict(&run(text, Kind::ALL, true));
            if all != *together {
                wrong.push(format!("all: {all} instead of {together}: {text}"));
            }
            let apart = verdict(&run(text, Kind::ALL, false));
            if apart != *together {
                wrong.push(format!("apart: {apart} instead of {together}: {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A client that does not do as it should.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hostile {
    Nonsense,
    Partial,
    NeverDone,
    Panics,
    PanicsInStep,
    Late,
    Unsteady(u32),
}

impl Client for Hostile {
    fn name(&self) -> &'static str {
        "hostile"
    }
    fn step(&mut self, server: &mut dyn Server) -> Progress {
        match self {
            Self::PanicsInStep => panic!("as planned"),
            Self::NeverDone => Progress::Worked,
            Self::Unsteady(n) if *n > 0 => {
                *n -= 1;
                server.on_location_outdated(&Spot::anywhere(
                    canonical::FunctionId(9_999),
                    canonical::NodeId(0),
                ));
                Progress::Worked
            }
            _ => Progress::Waits,
        }
    }
    fn get_values(&mut self, _: &Spot, wanted: &[Dereference]) -> String {
        match self {
            Self::Nonsense => "(and (= (i32 1 0) ) ".to_owned(),
            // Over-approximates nothing, but does not say that it does.
            Self::Partial | Self::NeverDone => Formula::False.to_string(),
            Self::Panics => panic!("as planned"),
            Self::Late => {
                std::thread::sleep(Duration::from_secs(2));
                Formula::False.to_string()
            }
            Self::Unsteady(n) => {
                wanted.first().map_or("true".to_owned(), |of| format!("(<= {of} {n})"))
            }
            Self::PanicsInStep => "true".to_owned(),
        }
    }
    fn on_location_outdated(&mut self, _: &Spot) {}
    fn is_memory_over_approximated(&mut self) -> bool {
        *self == Self::Nonsense
    }
    fn can_improve_memory_over_approximation(&mut self) -> bool {
        *self == Self::NeverDone
    }
    fn conclude(&mut self) {}
    fn report(&mut self) -> Report {
        Report { end: End::Success, verdicts: vec![Verdict::Unknown], invariants: Vec::new() }
    }
}

#[test]
fn clients_that_do_not_behave_make_no_other_unsound() {
    // The assertion fails, and intervals know of the loop only what they compute themselves.
    let text = "int main(void) { int i = 0, n = __VERIFIER_nondet_int(); while (i < n) { i = i + 1; }\n\
        if (n > 3) { i = i + 0; } __VERIFIER_assert(i < 5); return 0; }";
    let kinds = [
        Hostile::Nonsense,
        Hostile::Partial,
        Hostile::NeverDone,
        Hostile::Panics,
        Hostile::PanicsInStep,
        Hostile::Late,
        Hostile::Unsteady(50),
    ];
    for kind in kinds {
        for schedule in 0..3 {
            let options = Options::default();
            let (unfolding, segments) = prepare(read(text), &options).expect("there is a main");
            let intervals = client(Kind::Box, &unfolding, &segments, false);
            let time = Duration::from_secs(if kind == Hostile::NeverDone { 4 } else { 60 });
            let patience = Duration::from_millis(if kind == Hostile::Late { 300 } else { 20_000 });
            let settings = Settings { schedule, time, patience, ..Settings::default() };
            let analysis =
                analyse_with(unfolding, segments, vec![intervals, Box::new(kind)], settings);
            assert_eq!(analysis.assertions[0].known, Known::Unknown, "{kind:?}");
            let (_, report) = &analysis.outcome.reports[0];
            assert_eq!(report.end, End::Success, "{kind:?}");
        }
    }
}

#[test]
fn runs_repeat_exactly_and_orders_of_steps_are_all_sound() {
    let text = "int f(int k) { int s = 0; for (int i = 0; i < k; i++) s += i; return s; }\n\
        int main(void) { int k = __VERIFIER_nondet_uint() % 4; int s = f(k); __VERIFIER_assert(s <= 3);\n\
        __VERIFIER_assert(s < 3); return 0; }";
    for schedule in [0, 1, 2, 3] {
        let run = || {
            let run = Settings { schedule, ..Settings::default() };
            let options = Options { run, ..Options::default() };
            let analysis = analyse(read(text), &options).expect("there is a main");
            let formulas = |report: &Report| {
                report.invariants.iter().map(Formula::to_string).collect::<Vec<_>>()
            };
            let all: Vec<_> = analysis
                .outcome
                .reports
                .iter()
                .map(|(name, report)| (*name, formulas(report)))
                .collect();
            (format!("{:?}", analysis.assertions), all, analysis.outcome.queries)
        };
        let first = run();
        assert_eq!(first, run());
        assert!(
            !first.0.contains("Proved { by: [\"box\"]") || !first.0.contains("Refuted"),
            "{}",
            first.0
        );
    }
}

#[test]
fn communication_lets_intervals_prove_what_they_cannot_alone() {
    // That y is at most 10 follows from a relation, which only polyhedra have; intervals ask for it where paths meet.
    let text = "int main(void) { int x = __VERIFIER_nondet_int(), y = x, k; if (x >= 0 && x <= 10) {\n\
        if (__VERIFIER_nondet_int()) k = 1; else k = 2; __VERIFIER_assert(y + k <= 12); } return 0; }";
    let of_box = |communicate| {
        let analysis = run(text, &[Kind::Box, Kind::Polyhedra], communicate);
        let (name, report) = &analysis.outcome.reports[0];
        assert_eq!(*name, "box");
        report.verdicts.clone()
    };
    assert_eq!(of_box(false), [Verdict::Unknown]);
    assert_eq!(of_box(true), [Verdict::Proved]);
}
