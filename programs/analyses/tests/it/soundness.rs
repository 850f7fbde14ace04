//! Invariants hold on every run, and no assertion that fails is proved.

#[cfg(feature = "nats")]
use crate::over;
use std::sync::Arc;

use crate::programs::{Rng, random_program};
use analyses::compare::{Comparison, Stronger};
use analyses::confirm::{self, World};
use analyses::numbers::boxes::Boxes;
use analyses::numbers::polyhedra::Polyhedra;
use analyses::protocol::server::Settings;
use analyses::protocol::{Dereference, End, Formula, Interpretation, Relation, Term};
use analyses::run::{Analysis, Kind, Known, Options, analyse};
use analyses::unfold::{ContextId, PointId};
use canonical::c::{Options as COptions, read_text};
use canonical::interpret::{Bounds, Machine, Value};
use canonical::{FunctionId, NodeId};
use rand::{RngExt, SeedableRng};

/// The value of a formula in a machine's memory.
fn holds(formula: &Formula, value: &dyn Fn(&Dereference) -> Option<i128>) -> bool {
    match formula {
        Formula::True => true,
        Formula::False => false,
        Formula::And(parts) => parts.iter().all(|part| holds(part, value)),
        Formula::Or(parts) => parts.iter().any(|part| holds(part, value)),
        Formula::Not(part) => !holds(part, value),
        Formula::Compare(relation, a, b) => {
            let (Some(a), Some(b)) = (term(a, value), term(b, value)) else { return true };
            match relation {
                Relation::Equal => a == b,
                Relation::LessEqual => a <= b,
                Relation::Less => a < b,
                Relation::GreaterEqual => a >= b,
                Relation::Greater => a > b,
            }
        }
    }
}

fn term(of: &Term, value: &dyn Fn(&Dereference) -> Option<i128>) -> Option<i128> {
    match of {
        Term::Number(n) => Some(*n),
        Term::Dereference(dereference) => value(dereference),
        Term::Add(terms) => terms.iter().map(|t| term(t, value)).sum(),
        Term::Multiply(terms) => terms.iter().map(|t| term(t, value)).product(),
        Term::Subtract(terms) => {
            let values: Option<Vec<i128>> = terms.iter().map(|t| term(t, value)).collect();
            let values = values?;
            Some(if values.len() == 1 {
                -values[0]
            } else {
                values[0] - values[1..].iter().sum::<i128>()
            })
        }
    }
}

/// The context that a machine is in.
fn context(analysis: &Analysis, machine: &Machine<'_>) -> Option<ContextId> {
    let unfolding = &analysis.unfolding;
    let active: Vec<_> = machine.active().collect();
    let mut at = ContextId(0);
    for (k, (function, _)) in active.iter().enumerate().skip(1) {
        let edge = active[k - 1].1?;
        at = match unfolding.child(at, edge, *function) {
            Some(child) => child,
            None => unfolding.summary(*function)?,
        };
    }
    Some(at)
}

/// The value of a dereference in a machine's memory; none if the variable was not used yet.
fn in_memory(analysis: &Analysis, machine: &Machine<'_>, of: &Dereference) -> Option<i128> {
    let (segment, offset) = of.as_basic()?;
    let bytes = machine.bytes(analysis.segments.variable(segment)?)?;
    let Interpretation::Int(bits, signed) = of.ty else { return None };
    let (at, size) = (usize::try_from(offset).ok()?, usize::from(bits) / 8);
    let value = bytes.get(at..at + size)?.iter().rev().fold(0_i128, |v, b| v << 8 | i128::from(*b));
    Some(if signed && value >> (bits - 1) != 0 { value - (1 << bits) } else { value })
}

/// Runs the program on random inputs; each invariant must hold at each node, and no failure may be proved away.
fn check(text: &str, analysis: &Analysis, runs: usize, seed: u64) {
    let program = &analysis.unfolding.program;
    let main = analysis.unfolding.contexts[0].function;
    let mut random = Rng::seed_from_u64(seed);
    for _ in 0..runs {
        let narrow = random.random_bool(0.7);
        let watch = |machine: &Machine<'_>, function: FunctionId, node: NodeId| {
            let Some(context) = context(analysis, machine) else {
                panic!("a run is in no context of `{}`:\n{text}", program.function(function).name)
            };
            let point = analysis.unfolding.point(context, node);
            for (client, report) in &analysis.outcome.reports {
                let Some(invariant) = report.invariants.get(point.0 as usize) else { continue };
                let value = |of: &Dereference| in_memory(analysis, machine, of);
                assert!(holds(invariant, &value), "{client} at {node:?}: {invariant}\n{text}");
            }
        };
        let beyond = || {
            if narrow {
                random.random_range(-5..20)
            } else {
                random.random_range(-(1_i128 << 40)..1 << 40)
            }
        };
        let mut world = World::new(&[]).beyond(beyond).watch(watch);
        let mut machine = Machine::new(program, Bounds { steps: 3_000, ..Bounds::default() });
        machine.run(&mut world, main, &[Value::Int(0), Value::Int(0)]);
        if let Some((function, node)) = world.failure {
            let graph = program.function(function).body.as_ref().expect("it ran");
            let _ = graph.node(node);
            assert!(!analysis.proved(), "a failing program is called safe:\n{text}");
        }
    }
    for checked in &analysis.assertions {
        if let Known::Refuted { inputs, .. } = &checked.known {
            assert!(
                confirm::run(program, main, inputs).0.is_some(),
                "{inputs:?} do not fail:\n{text}"
            );
        }
    }
}

/// Analyses random programs and runs each.
fn random_programs(programs: u64, runs: usize) {
    for seed in 0..programs {
        let text = random_program(seed);
        let program = Arc::new(read_text("random.c", &text, &COptions::default()));
        assert_eq!(program.diagnostics, [], "{text}");
        let [apart, together] = [false, true].map(|communicate| {
            let run = Settings { communicate, schedule: seed % 4, ..Settings::default() };
            let options = Options { run, clients: Kind::ALL.to_vec(), ..Options::default() };
            let analysis = analyse(program.clone(), &options).expect("there is a main");
            check(&text, &analysis, runs, seed);
            analysis
        });
        assert_not_weaker(&text, &together, &apart);
    }
}

/// Invariants of fixed points that end with success must be as strong as those of another run of the program.
fn assert_not_weaker(text: &str, analysis: &Analysis, than: &Analysis) {
    let comparison = Comparison::new(&analysis.unfolding, &analysis.segments);
    for ((client, report), (_, other)) in analysis.outcome.reports.iter().zip(&than.outcome.reports)
    {
        if report.end != End::Success || other.end != End::Success {
            continue;
        }
        for ((a, b), k) in report.invariants.iter().zip(&other.invariants).zip(0..) {
            let stronger = match *client {
                "box" => comparison.stronger::<Boxes>(PointId(k), a, b),
                "polyhedra" => comparison.stronger::<Polyhedra>(PointId(k), a, b),
                _ => continue,
            };
            let as_strong = matches!(stronger, Stronger::First | Stronger::Equal);
            assert!(as_strong, "{client} at {k}: {a}\nis not as strong as {b}\n{text}");
        }
    }
}

/// A loop in which answers of `box` make the widening of `polyhedra` lose more.
const WIDENED_LATER: &str = "
    extern int __VERIFIER_nondet_int(void);
    int first(int i) { if (i == 0) return 1; return 0; }
    int main(void) {
        int count = 0, i = 0, n = __VERIFIER_nondet_int();
        if (n < 4) return 0;
        for (; i < n; i++) {
            int m = 0;
            if (i >= 0 && i < n) m = first(0);
            else m = first(1);
            if (m != 1) count++;
        }
        __VERIFIER_assert(count == 0);
    }";

#[test]
fn answers_weaken_no_invariant() {
    let program = Arc::new(read_text("later.c", WIDENED_LATER, &COptions::default()));
    let [apart, together] = [false, true].map(|communicate| {
        let run = Settings { communicate, ..Settings::default() };
        let clients = vec![Kind::Box, Kind::Polyhedra];
        let options = Options { run, clients, ..Options::default() };
        analyse(program.clone(), &options).expect("there is a main")
    });
    assert!(together.outcome.queries > 0);
    assert_not_weaker(WIDENED_LATER, &together, &apart);
}

#[test]
fn invariants_of_random_programs_hold_on_runs() {
    // isl takes longer.
    random_programs(if cfg!(feature = "isl") { 5 } else { 40 }, 15);
}

#[test]
#[ignore = "slow: 1,000 runs of each of many programs"]
fn invariants_of_many_random_programs_hold_on_runs() {
    random_programs(500, 1_000);
}

#[cfg(feature = "nats")]
#[test]
fn invariants_of_a_client_in_python_hold_on_runs() {
    let Some(server) = over::Nats::start() else { return };
    for seed in 0..12 {
        let text = random_program(seed);
        let program = Arc::new(read_text("random.c", &text, &COptions::default()));
        let session = over::session();
        let Some(mut python) = over::constants(&server, &session) else { return };
        let (url, name) = (server.url.clone(), session.clone());
        std::thread::spawn(move || {
            let make =
                Box::new(|u: &_, s: &_, alone| analyses::run::client(Kind::Polyhedra, u, s, alone));
            analyses::nats::serve(&url, &name, "polyhedra", make)
        });
        let (url, name) = (server.url.clone(), Some(session));
        let nats = analyses::nats::Session { url, name, command: Vec::new(), join: 1 };
        let options =
            Options { clients: vec![Kind::Polyhedra], nats: Some(nats), ..Options::default() };
        let analysis = analyse(program, &options).expect("there is a main");
        assert!(python.wait().expect("it was started").success(), "{text}");
        let (name, report) = &analysis.outcome.reports[1];
        assert_eq!((*name, report.invariants.is_empty()), ("constants", false));
        check(&text, &analysis, 15, seed);
    }
}
