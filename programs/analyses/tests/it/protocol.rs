//! The protocol: orders of steps, what communication is good for, and clients that do not behave; in one process and
//! over NATS.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::over::{Make, Nats, Over, read, session};
use analyses::nats::{self, Session};
use analyses::protocol::server::Settings;
use analyses::protocol::{
    Client, Dereference, End, Formula, Progress, Report, Server, Spot, Verdict,
};
use analyses::run::{Analysis, Kind, Known, Options, analyse, client};

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
    Asks,
    Silent,
}

/// The number of runs that are over. [`Hostile::Asks`] would go on for as long as there are other tests, and take memory.
static RUNS: AtomicU64 = AtomicU64::new(0);

impl Client for Hostile {
    fn name(&self) -> &'static str {
        "hostile"
    }
    fn step(&mut self, server: &mut dyn Server) -> Progress {
        match self {
            Self::PanicsInStep => panic!("as planned"),
            Self::NeverDone => Progress::Worked,
            Self::Asks => {
                let run = RUNS.load(Ordering::Relaxed);
                while RUNS.load(Ordering::Relaxed) == run {
                    let spot = Spot::anywhere(canonical::FunctionId(0), canonical::NodeId(0));
                    server.get_values(&spot, &[]);
                }
                Progress::Waits
            }
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
            Self::Silent => loop {
                std::thread::park();
            },
            Self::PanicsInStep | Self::Asks => "true".to_owned(),
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

/// The assertion fails, and intervals know of the loop only what they compute themselves.
const FAILS: &str = "int main(void) { int i = 0, n = __VERIFIER_nondet_int(); while (i < n) { i = i + 1; }\n\
    if (n > 3) { i = i + 0; } __VERIFIER_assert(i < 5); return 0; }";

#[test]
fn clients_that_do_not_behave_make_no_other_unsound() {
    let kinds = [
        Hostile::Nonsense,
        Hostile::Partial,
        Hostile::NeverDone,
        Hostile::Panics,
        Hostile::PanicsInStep,
        Hostile::Late,
        Hostile::Unsteady(50),
        Hostile::Asks,
        Hostile::Silent,
    ];
    let program = read(FAILS);
    for over in Over::all() {
        for kind in kinds {
            for schedule in 0..3 {
                let (time, patience) = match kind {
                    Hostile::NeverDone => (3_000, 20_000),
                    // Their patience is a quarter of the time.
                    Hostile::Asks | Hostile::Silent => (16_000, 20_000),
                    Hostile::Late => (60_000, 300),
                    _ => (60_000, 20_000),
                };
                let (time, patience) =
                    (Duration::from_millis(time), Duration::from_millis(patience));
                let settings = Settings { schedule, time, patience, ..Settings::default() };
                let make: Make = Arc::new(move |_, _, _| Box::new(kind));
                let analysis = over.run(&program, &[Kind::Box], &[("hostile", make)], settings);
                RUNS.fetch_add(1, Ordering::Relaxed);
                let place = over.name();
                assert_eq!(analysis.assertions[0].known, Known::Unknown, "{kind:?} {place}");
                let outcome = &analysis.outcome;
                assert_eq!(outcome.reports[0].1.end, End::Success, "{kind:?} {place}");
                let crashed: Vec<_> =
                    outcome.reports.iter().filter(|(_, report)| report.end == End::Crash).collect();
                assert_eq!(outcome.crashes.len(), crashed.len(), "{kind:?} {:?}", outcome.crashes);
            }
        }
    }
}

/// The name of a client, its end, and its invariants.
type Reported = (&'static str, End, Vec<String>);

/// Everything that a run finds, but for places with several points, whose invariants are one over NATS.
fn summary(analysis: &Analysis) -> (String, Vec<Reported>, String, u64) {
    let outcome = &analysis.outcome;
    let reports = outcome.reports.iter().map(|(name, report)| {
        (*name, report.end, report.invariants.iter().map(Formula::to_string).collect())
    });
    let log: Vec<_> = outcome.log.iter().map(|e| (e.asker, &e.spot, &e.answers)).collect();
    (
        format!("{:?} {:?}", analysis.assertions, analysis.each),
        reports.collect(),
        format!("{log:?}"),
        outcome.steps,
    )
}

#[test]
fn runs_repeat_exactly_in_both_places_and_orders_of_steps_are_all_sound() {
    let programs = [
        "int f(int k) { int s = 0; for (int i = 0; i < k; i++) s += i; return s; }\n\
        int main(void) { int k = __VERIFIER_nondet_uint() % 4; int s = f(k); __VERIFIER_assert(s <= 3);\n\
        __VERIFIER_assert(s < 3); return 0; }",
        "char text[] = \"a\\xff\\0b\"; struct s { int a; char b[3]; } g = {5, {1, 2, 3}}; int *p = &g.a;\n\
        int main(void) { int x = __VERIFIER_nondet_int(), y = x; double d = 0.1; if (x > *p) { y++; } else { y--; }\n\
        __VERIFIER_assert(y != x); if (text[1] > 0) __VERIFIER_assert(d > 1); return 0; }",
    ];
    let places = Over::all();
    for program in programs.map(read) {
        for schedule in [0, 1, 2, 3] {
            let run = Settings { schedule, ..Settings::default() };
            let first = summary(&Over::Process.run(&program, Kind::ALL, &[], run));
            for over in &places {
                let again = summary(&over.run(&program, Kind::ALL, &[], run));
                assert_eq!(first, again, "{} {schedule}", over.name());
            }
            assert!(
                !first.0.contains("Proved { by: [\"box\"]") || !first.0.contains("Refuted"),
                "{}",
                first.0
            );
        }
    }
}

#[test]
fn recursion_has_the_same_verdicts_in_both_places() {
    let text = "int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); } int main(void) {\n\
        int n = __VERIFIER_nondet_uint() % 9; __VERIFIER_assert(f(n) == n); return 0; }";
    let program = read(text);
    let run = |over: &Over| {
        let analysis = over.run(&program, Kind::ALL, &[], Settings::default());
        let verdicts: Vec<_> =
            analysis.outcome.reports.iter().map(|(_, report)| report.verdicts.clone()).collect();
        (summary(&analysis).0, verdicts)
    };
    let first = run(&Over::Process);
    for over in Over::all() {
        assert_eq!(first, run(&over), "{}", over.name());
    }
}

#[test]
fn communication_lets_intervals_prove_what_they_cannot_alone() {
    // That y is at most 10 follows from a relation, which only polyhedra have; intervals ask for it where paths meet.
    let text = "int main(void) { int x = __VERIFIER_nondet_int(), y = x, k; if (x >= 0 && x <= 10) {\n\
        if (__VERIFIER_nondet_int()) k = 1; else k = 2; __VERIFIER_assert(y + k <= 12); } return 0; }";
    let program = read(text);
    for over in Over::all() {
        let of_box = |communicate| {
            let settings = Settings { communicate, ..Settings::default() };
            let analysis = over.run(&program, &[Kind::Box, Kind::Polyhedra], &[], settings);
            let (name, report) = &analysis.outcome.reports[0];
            assert_eq!(*name, "box");
            report.verdicts.clone()
        };
        assert_eq!(of_box(false), [Verdict::Unknown], "{}", over.name());
        assert_eq!(of_box(true), [Verdict::Proved], "{}", over.name());
    }
}

/// A client that says so when it is asked, and then waits for ever.
struct Hangs;

impl Client for Hangs {
    fn name(&self) -> &'static str {
        "hangs"
    }
    fn step(&mut self, _: &mut dyn Server) -> Progress {
        Progress::Waits
    }
    fn get_values(&mut self, _: &Spot, _: &[Dereference]) -> String {
        std::io::stdout().write_all(b"\nASKED\n").unwrap();
        std::io::stdout().flush().unwrap();
        loop {
            std::thread::park();
        }
    }
    fn on_location_outdated(&mut self, _: &Spot) {}
    fn is_memory_over_approximated(&mut self) -> bool {
        false
    }
    fn can_improve_memory_over_approximation(&mut self) -> bool {
        true
    }
    fn conclude(&mut self) {}
    fn report(&mut self) -> Report {
        Report { end: End::Success, verdicts: vec![Verdict::Proved], invariants: Vec::new() }
    }
}

/// No test of its own, but the process that the next one kills.
#[test]
#[ignore = "a process of another test"]
fn a_client_that_hangs() {
    let (Ok(url), Ok(session)) = (std::env::var("TEST_URL"), std::env::var("TEST_SESSION")) else {
        return;
    };
    let served = nats::serve(&url, &session, "hangs", Box::new(|_, _, _| Box::new(Hangs)));
    served.unwrap();
}

#[test]
fn a_process_that_is_killed_while_it_is_asked_is_left_out_at_once() {
    let Some(server) = Nats::start() else { return };
    let session = session();
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "protocol::a_client_that_hangs", "--nocapture"])
        .env("TEST_URL", &server.url)
        .env("TEST_SESSION", &session)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = BufReader::new(process.stdout.take().unwrap());
    let kills = std::thread::spawn(move || {
        let asked = output.lines().any(|line| line.unwrap().contains("ASKED"));
        process.kill().unwrap();
        process.wait().unwrap();
        asked
    });
    let (url, name) = (server.url.clone(), session.clone());
    std::thread::spawn(move || {
        nats::serve(&url, &name, "box", Box::new(|u, s, alone| client(Kind::Box, u, s, alone)))
    });
    let patience = Duration::from_secs(500);
    let nats = Session { url: server.url.clone(), name: Some(session), command: vec![], join: 1 };
    let options = Options {
        clients: vec![Kind::Box],
        run: Settings { patience, time: patience, ..Settings::default() },
        nats: Some(nats),
        ..Options::default()
    };
    let begun = Instant::now();
    let analysis = analyse(read(FAILS), &options).unwrap();
    assert!(kills.join().unwrap(), "it was asked");
    assert!(begun.elapsed() < patience, "the server waited for a dead client");
    assert_eq!(analysis.assertions[0].known, Known::Unknown);
    let ends: Vec<_> = analysis.ends().collect();
    assert_eq!(ends, [("box", End::Success), ("hangs", End::Crash)]);
}

#[test]
fn sessions_that_cannot_work_are_errors_of_one_line() {
    let serve = |url: &str, session: &str, name: &str| {
        let make = Box::new(|_: &_, _: &_, _| Box::new(Hangs) as Box<dyn Client>);
        nats::serve(url, session, name, make).unwrap_err().to_string()
    };
    assert!(serve("nats://127.0.0.1:1", "s", "box").contains("nats://127.0.0.1:1: "));
    assert!(serve("nats://127.0.0.1:1", "a.b", "box").contains("`a.b` is no name"));
    assert!(serve("nats://127.0.0.1:1", "s", "").contains("`` is no name"));
    let Some(server) = Nats::start() else { return };
    assert!(serve(&server.url, "nobody", "box").contains("session nobody: nobody serves it"));
    let nats = Session { url: server.url.clone(), name: Some(session()), ..Session::default() };
    let run = Settings { time: Duration::from_millis(200), ..Settings::default() };
    let options = Options { nats: Some(nats), run, clients: vec![Kind::Box], ..Options::default() };
    let why = analyse(read(FAILS), &options).unwrap_err();
    assert!(why.contains("0 of 1 clients joined in 0 s"), "{why}");
}
