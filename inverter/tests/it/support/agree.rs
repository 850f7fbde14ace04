//! Code and the interpreter, compared: values, choices and messages.

use std::time::Instant;

use inverter::program::Span;
use inverter::run::eval::Env;
use inverter::run::{
    Executable, FieldValue, Limits, Record, Room, Steps, Store, from_json, invert_value, normalize,
    normalize_with, normalizes_to, to_json,
};
use inverter::solve::ChoiceSource;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The number of runs that code completed, and that it should have completed.
#[derive(Debug, Default)]
pub struct Tally {
    /// Normalizations that code completed.
    pub whole: u64,
    /// Normalizations of programs that have code.
    pub meant: u64,
    /// Output conditions that have a truth.
    pub conditions: u64,
    /// Output conditions that code decided.
    pub decided: u64,
}

impl Tally {
    /// Adds another.
    pub fn add(&mut self, other: &Tally) {
        self.whole += other.whole;
        self.meant += other.meant;
        self.conditions += other.conditions;
        self.decided += other.decided;
    }
}

/// The canonical value of `x`, both ways.
fn forward(name: &str, inverse: &Executable, x: &Record, tally: &mut Tally) {
    let interpreted = normalize(&inverse.program, x).map_err(|e| e.to_string());
    let by_code = normalize_with(inverse, x).map_err(|e| e.to_string());
    let shown = || to_json(&inverse.program.input, x);
    assert_eq!(by_code, interpreted, "{name}: {}", shown());
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
    if let Some(made) = inverse.normalize_by_code(x, None, Room::UNLIMITED) {
        tally.meant += 1;
        let compared =
            inverse.normalize_by_code(x, Some(&Store::full(&y)), Room::UNLIMITED).unwrap();
        tally.whole += u64::from(made.is_ok() && compared.is_ok());
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
    for (at, p) in preds.iter().enumerate() {
        let steps = Steps::default();
        steps.allow(y.elements());
        let vars = &mut vec![0; program.vars.len()];
        let mut env =
            Env { steps: &steps, program, input: &input, output: &output, conditions: None, vars };
        let text = env.show(p);
        let interpreted = env.holds(p, Span::default()).ok();
        tally.conditions += u64::from(interpreted.is_some());
        // Where it gives up, the interpreter decides.
        if let Some(truth) = inverse.condition_by_code(at, &output) {
            assert_eq!(Some(truth), interpreted, "{name}: {text}");
            tally.decided += 1;
        }
    }
}

/// Compares the code of `coded` with the interpreter, on the values that the spec notes and on random ones,
/// and on representations that were spoilt.
pub fn agree(name: &str, text: &str, coded: &Executable, tally: &mut Tally) {
    let interpreted = coded.clone().interpreted();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let noted = text.lines().filter_map(|l| l.strip_prefix("//@ y "));
    let noted = noted.map(|json| {
        from_json(&coded.program.output, &serde_json::from_str(json).unwrap()).unwrap()
    });
    let mut values: Vec<Record> = noted.collect();
    for _ in 0..6 {
        values.push(super::random_value(&coded.program, &mut rng));
    }
    let limits = Limits { slack: 64, ..Limits::default() };
    let began = Instant::now();
    for (v, y) in (0..).zip(&values) {
        conditions(name, coded, y, tally);
        for k in 0..3 {
            // Hard questions to Z3 take seconds each; they are the same in both.
            if began.elapsed().as_millis() >= 300 {
                break;
            }
            let [mut one, mut two] = [(); 2].map(|()| ChoiceSource::seeded(v, k));
            let a = invert_value(&interpreted, y, &mut one, &limits).map_err(|e| e.to_string());
            let b = invert_value(coded, y, &mut two, &limits).map_err(|e| e.to_string());
            let shown = || to_json(&coded.program.output, y);
            assert_eq!(b, a, "{name}: {}", shown());
            assert_eq!(two.recorded(), one.recorded(), "{name}: {}", shown());
            if let Ok(x) = a {
                forward(name, coded, &x, tally);
                for _ in 0..4 {
                    forward(name, coded, &spoilt(&x, &mut rng), tally);
                }
            }
        }
    }
    for _ in 0..200 {
        forward(name, coded, &super::random_input(&coded.program, &mut rng), tally);
    }
}
