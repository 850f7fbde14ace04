//! What the tests of soundness share.

#![allow(dead_code)]

pub mod random;

use inverter::invert::Inverse;
use inverter::program::{Expr, Length, Op, Program};
use inverter::run::{
    Array, Datum, Limits, RunError, Value, invert_value, normalize, own_choices, to_json,
};
use inverter::solve::{ChoiceSource, Choices};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A canonical value with small scalars; arrays as long as they say.
pub fn random_value(program: &Program, rng: &mut ChaCha8Rng) -> Value {
    let mut fields: Vec<Datum> = Vec::new();
    for f in &program.output.fields {
        let (lo, hi) = f.int.range();
        if f.is_scalar() {
            let n = rng.random_range(0..=7i128);
            fields.push(Datum::Scalar(n.clamp(lo, hi)));
            continue;
        }
        let lengths: Vec<usize> = f
            .lengths
            .iter()
            .map(|l| match l {
                Length::Is(e) => length(e, &fields).clamp(0, 64) as usize,
                Length::Free => unreachable!("outputs have lengths"),
            })
            .collect();
        let mut array = Array::zeros(f.int, lengths).unwrap();
        let habit = rng.random_range(0..4);
        for k in 0..array.cells.len() {
            let n = match habit {
                0 => lo.max(0),
                1 => rng.random_range(0..=2),
                2 => rng.random_range(0..=255i128).clamp(lo, hi),
                _ => rng.random_range(lo..=hi),
            };
            array.cells.set(k, n);
        }
        fields.push(Datum::Array(array));
    }
    Value { fields }
}

/// A small input; a representation only by luck. Arrays are as long as they say.
pub fn random_input(program: &Program, rng: &mut ChaCha8Rng) -> Value {
    let mut fields: Vec<Datum> = Vec::new();
    let (top, greatest) = (rng.random_range(1..=3i128), rng.random_range(0..=8i128));
    for f in &program.input.fields {
        let (lo, hi) = f.int.range();
        if f.is_scalar() {
            fields.push(Datum::Scalar(rng.random_range(0..=top).clamp(lo, hi)));
            continue;
        }
        let lengths = f.lengths.iter().map(|l| match l {
            Length::Is(e) => length(e, &fields).clamp(0, 64) as usize,
            Length::Free => rng.random_range(0..=16),
        });
        let lengths = lengths.collect();
        let mut array = Array::zeros(f.int, lengths).unwrap();
        for k in 0..array.cells.len() {
            array.cells.set(k, rng.random_range(0..=greatest).clamp(lo, hi));
        }
        fields.push(Datum::Array(array));
    }
    Value { fields }
}

/// Whether the inverse can make `x` from the value `y` that it has, as far as its elements
/// matter: what fills the others has no choice that tells it element by element.
pub fn reaches(inverse: &Inverse, x: &Value, y: &Value) -> Result<(), String> {
    let program = &inverse.program;
    let limits = Limits::default();
    let own = own_choices(inverse, x, y, &limits).map_err(|e| e.to_string())?;
    let mut source = ChoiceSource::replaying(own.clone());
    let made = invert_value(inverse, y, &mut source, &limits).map_err(|e| e.to_string())?;
    let matters = |field: usize, k: usize| {
        let mut other = x.clone();
        if let Datum::Array(a) = &mut other.fields[field] {
            a.cells.set(k, 101);
        }
        !normalize(program, &other).is_ok_and(|back| back == *y)
    };
    let same = x.fields.iter().zip(&made.fields).enumerate().all(|(field, both)| match both {
        (Datum::Array(a), Datum::Array(b)) => {
            a.lengths == b.lengths
                && (0..a.cells.len())
                    .all(|k| a.cells.get(k) == b.cells.get(k) || !matters(field, k))
        }
        (a, b) => a == b,
    });
    match same {
        true => Ok(()),
        false => Err(format!("{} came of {own:?}", to_json(&program.input, &made))),
    }
}

fn length(e: &Expr, fields: &[Datum]) -> i128 {
    match e {
        Expr::Int(n) => *n,
        Expr::Var(_) => 0,
        Expr::Ref(r) => match &fields[r.field] {
            Datum::Scalar(n) => *n,
            Datum::Array(_) => 0,
        },
        Expr::Bin(op, a, b) => {
            let (a, b) = (length(a, fields), length(b, fields));
            match op {
                Op::Div | Op::Rem | Op::DivCeil if b < 1 => 0,
                _ => inverter::run::eval::apply(*op, a, b).unwrap(),
            }
        }
    }
}

/// What came of drawing representations.
#[derive(Debug, Default, Clone, Copy)]
pub struct Tally {
    /// Representations made, each sound.
    pub made: u64,
    /// Canonical values found to have none.
    pub none: u64,
}

/// Draws representations of random canonical values: each normalizes to its value, and
/// replays. `what` names the program in a failure.
pub fn draw(what: &str, inverse: &Inverse, rng: &mut ChaCha8Rng, values: u64, draws: u64) -> Tally {
    let mut tally = Tally::default();
    for v in 0..values {
        let y = random_value(&inverse.program, rng);
        draw_one(what, inverse, &y, v, draws, &mut tally);
    }
    tally
}

/// Draws representations of one canonical value, as [`draw`] does.
pub fn draw_one(
    what: &str,
    inverse: &Inverse,
    y: &Value,
    seed: u64,
    draws: u64,
    tally: &mut Tally,
) {
    for k in 0..draws {
        let mut source = ChoiceSource::seeded(seed, k);
        match invert_value(inverse, y, &mut source, &Limits { slack: 64 }) {
            Ok(x) => {
                tally.made += 1;
                let choices = source.into_recorded();
                let back = normalize(&inverse.program, &x)
                    .unwrap_or_else(|e| panic!("{what}\n{e}\n{choices:?}\n{inverse}"));
                assert_eq!(&back, y, "{what}\n{choices:?}\n{inverse}");
                if k == 0 {
                    replay(what, inverse, y, &x, &choices);
                }
            }
            Err(RunError::NoRepresentation(_)) => tally.none += 1,
            Err(e) => panic!("{what}\n{y:?}\n{e}\n{:?}\n{inverse}", source.recorded()),
        }
    }
}

/// The recorded choices give the same representation again, and it tells its own choices.
fn replay(what: &str, inverse: &Inverse, y: &Value, x: &Value, choices: &Choices) {
    let limits = Limits { slack: 1 << 16 };
    let mut again = ChoiceSource::replaying(choices.clone());
    let twin = invert_value(inverse, y, &mut again, &limits)
        .unwrap_or_else(|e| panic!("{what}\nreplay of {choices:?}: {e}\n{inverse}"));
    assert_eq!(&twin, x, "{what}\n{choices:?}\n{inverse}");
    assert_eq!(again.unused(), [""; 0], "{what}\n{choices:?}\n{inverse}");
    let own = own_choices(inverse, x, y, &limits).unwrap();
    // An order of segments that are empty, or a scalar that a branch settles, may be told
    // otherwise; what is told must still be a representation.
    let mut told = ChoiceSource::replaying(own.clone());
    if let Ok(third) = invert_value(inverse, y, &mut told, &limits) {
        assert_eq!(&normalize(&inverse.program, &third).unwrap(), y, "{what}\n{own:?}");
    }
}
