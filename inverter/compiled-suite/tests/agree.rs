//! Compiled and interpreted, a program makes the same of the same: bytes, choices, errors.

#[path = "../../tests/support/mod.rs"]
mod support;

use std::sync::atomic::Ordering;

use compiled_suite::{ALL, IRREGULAR, WHOLE};
use inverter::invert::invert;
use inverter::program::{Span, parse};
use inverter::run::eval::Env;
use inverter::run::{
    Executable, FieldValue, Limits, Record, Steps, Store, from_json, invert_value, normalize,
    normalize_with, normalizes_to, to_json,
};
use inverter::solve::ChoiceSource;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of runs that a compiled normalization program completed, and that it should have completed.
#[derive(Default)]
struct Tally {
    whole: u64,
    meant: u64,
    conditions: u64,
    conditions_compiled: u64,
}

/// The canonical value of `x`, both ways.
fn forward(name: &str, inverse: &Executable, x: &Record, tally: &mut Tally) {
    let interpreted = normalize(&inverse.program, x).map_err(|e| e.to_string());
    let compiled = normalize_with(inverse, x).map_err(|e| e.to_string());
    let shown = || to_json(&inverse.program.input, x);
    assert_eq!(compiled, interpreted, "{name}: {}", shown());
    let Ok(y) = interpreted else { return };
    // Compared in place, it is this value and no other.
    assert!(normalizes_to(inverse, x, &Store::full(&y)).unwrap(), "{name}: {}", shown());
    for (k, field_value) in y.fields.iter().enumerate() {
        let len = match field_value {
            FieldValue::Scalar(_) => 1,
            FieldValue::Array(a) => a.cells.len(),
        };
        for at in [0, len / 2, len.saturating_sub(1)].into_iter().filter(|at| *at < len) {
            let mut other = y.clone();
            let changed = match &mut other.fields[k] {
                FieldValue::Scalar(n) => {
                    *n += 1;
                    true
                }
                FieldValue::Array(a) => {
                    let n = a.cells.get(at).unwrap();
                    a.cells.set(at, n + 1) || a.cells.set(at, n - 1)
                }
            };
            let same = normalizes_to(inverse, x, &Store::full(&other));
            assert!(changed && !same.unwrap(), "{name}: {k}, {at}: {}", shown());
        }
    }
    if let Some(f) = inverse.compiled().unwrap().normalize {
        tally.meant += 1;
        tally.whole += u64::from(f(x, None).is_ok() && f(x, Some(&Store::full(&y))).is_ok());
    }
}

/// `x` with something changed.
fn spoilt(x: &Record, rng: &mut ChaCha8Rng) -> Record {
    let mut x = x.clone();
    let at = rng.random_range(0..x.fields.len());
    let change = |n: i128, rng: &mut ChaCha8Rng| match rng.random_range(0..4) {
        0 => n + 1,
        1 => n - 1,
        2 => rng.random_range(0..300),
        _ => 0,
    };
    match &mut x.fields[at] {
        FieldValue::Scalar(n) => *n = change(*n, rng),
        FieldValue::Array(a) if !a.cells.is_empty() => {
            let k = rng.random_range(0..a.cells.len());
            let n = change(a.cells.get(k).unwrap(), rng);
            a.cells.set(k, n);
        }
        FieldValue::Array(_) => {}
    }
    x
}

/// Predicates over the canonical value, both ways.
fn conditions(name: &str, inverse: &Executable, y: &Record, tally: &mut Tally) {
    let program = &inverse.program;
    let (input, output) = (Store::unset(&program.input), Store::full(y));
    let preds = &inverse.output_conditions().closed;
    let compiled = inverse.compiled().unwrap().conditions;
    assert_eq!(preds.len(), compiled.len(), "{name}");
    for (p, f) in preds.iter().zip(compiled) {
        let steps = Steps::default();
        steps.allow(y.elements());
        let vars = &mut vec![0; program.vars.len()];
        let mut env =
            Env { steps: &steps, program, input: &input, output: &output, conditions: None, vars };
        let text = env.show(p);
        let interpreted = env.holds(p, Span::default()).ok();
        tally.conditions += u64::from(interpreted.is_some());
        // Where it gives up, the interpreter is asked.
        if let Ok(truth) = f(&output) {
            assert_eq!(Some(truth), interpreted, "{name}: {text}");
            tally.conditions_compiled += 1;
        }
    }
}

fn agree(name: &str, tally: &mut Tally) {
    let path = format!("{}/../tests/programs/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let interpreted = Executable::new(invert(&parse(name, &text).unwrap()).unwrap());
    let (_, parts) = ALL.iter().find(|(n, _)| *n == name).unwrap();
    let compiled = interpreted.clone().with_compiled(parts).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let noted = text.lines().filter_map(|l| l.strip_prefix("//@ y "));
    let noted = noted.map(|json| {
        from_json(&compiled.program.output, &serde_json::from_str(json).unwrap()).unwrap()
    });
    let mut values: Vec<Record> = noted.collect();
    for _ in 0..6 {
        values.push(support::random_value(&compiled.program, &mut rng));
    }
    let limits = Limits { slack: 64, ..Limits::default() };
    let began = std::time::Instant::now();
    for (v, y) in (0..).zip(&values) {
        conditions(name, &compiled, y, tally);
        for k in 0..3 {
            // Hard questions to Z3 take seconds each; nothing is compiled of them.
            if began.elapsed().as_millis() >= 300 {
                break;
            }
            let [mut one, mut two] = [(); 2].map(|()| ChoiceSource::seeded(v, k));
            let a = invert_value(&interpreted, y, &mut one, &limits).map_err(|e| e.to_string());
            let b = invert_value(&compiled, y, &mut two, &limits).map_err(|e| e.to_string());
            let shown = || to_json(&compiled.program.output, y);
            assert_eq!(b, a, "{name}: {}", shown());
            assert_eq!(two.recorded(), one.recorded(), "{name}: {}", shown());
            if let Ok(x) = a {
                forward(name, &compiled, &x, tally);
                for _ in 0..4 {
                    forward(name, &compiled, &spoilt(&x, &mut rng), tally);
                }
            }
        }
    }
    for _ in 0..200 {
        forward(name, &compiled, &support::random_input(&compiled.program, &mut rng), tally);
    }
}

#[test]
fn compiled_and_interpreted_agree() {
    let (mut tally, mut interpreted) = (Tally::default(), Vec::new());
    for (name, parts) in ALL {
        let mut own = Tally::default();
        agree(name, &mut own);
        if parts.normalize.is_none() {
            interpreted.push(format!("{name} (primitive)"));
        } else if own.whole < own.meant {
            interpreted.push(format!("{name} ({} of {})", own.meant - own.whole, own.meant));
        }
        tally.whole += own.whole;
        tally.meant += own.meant;
        tally.conditions += own.conditions;
        tally.conditions_compiled += own.conditions_compiled;
    }
    let (whole, irregular) = (WHOLE.load(Ordering::Relaxed), IRREGULAR.load(Ordering::Relaxed));
    println!("normalization: {} of {} runs compiled", tally.whole, tally.meant);
    println!("left to the interpreter: {}", interpreted.join(", "));
    println!("pieces of inverses: {whole} ran, {irregular} were left to the interpreter");
    println!("predicates: {} of {} evaluated", tally.conditions_compiled, tally.conditions);
    assert!(tally.conditions_compiled * 100 > tally.conditions * 95 && tally.conditions > 0);
    // What is compiled is used: this would fail if everything were left to the interpreter.
    assert!(tally.whole * 100 > tally.meant * 95, "{} of {}", tally.whole, tally.meant);
    assert!(whole > 10 * irregular, "{whole} and {irregular}");
}
