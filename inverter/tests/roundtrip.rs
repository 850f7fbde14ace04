//! `f(g(y)) = y` for the programs under `tests/programs`, over random canonical values and
//! random choices.

use std::path::PathBuf;

use inverter::invert::{Inverse, invert};
use inverter::program::{Expr, Length, Op, Program, parse};
use inverter::run::{Array, Datum, Limits, RunError, Value, invert_value, normalize, own_choices};
use inverter::solve::{ChoiceSource, Choices};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn programs() -> Vec<(String, Program)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let mut out = Vec::new();
    for path in paths.into_iter().filter(|p| p.extension().is_some_and(|e| e == "rs")) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let program = parse(&name, &text).unwrap_or_else(|e| panic!("{name}: {e}"));
        out.push((name, program));
    }
    out
}

/// A canonical value with small scalars; arrays as long as they say.
fn random_value(program: &Program, rng: &mut ChaCha8Rng) -> Value {
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
        let narrow = rng.random_bool(0.3);
        for k in 0..array.cells.len() {
            let n = if narrow { rng.random_range(0..=2) } else { rng.random_range(lo..=hi) };
            array.cells.set(k, n);
        }
        fields.push(Datum::Array(array));
    }
    Value { fields }
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

fn check(name: &str, inverse: &Inverse, draws: u64) -> (u64, u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut made, mut none) = (0, 0);
    for k in 0..draws {
        let y = random_value(&inverse.program, &mut rng);
        let mut source = ChoiceSource::seeded(1, k);
        match invert_value(inverse, &y, &mut source, &Limits { slack: 64 }) {
            Ok(x) => {
                made += 1;
                let back = normalize(&inverse.program, &x)
                    .unwrap_or_else(|e| panic!("{name} {k}: {e}\n{:?}", source.recorded()));
                assert_eq!(back, y, "{name} {k}: {:?}", source.recorded());
                replayed(name, inverse, &y, &x, source.into_recorded());
            }
            Err(RunError::NoRepresentation(_)) => none += 1,
            Err(e) => panic!("{name} {k}: {e}"),
        }
    }
    (made, none)
}

/// The recorded choices give the same representation again, and it tells its own choices.
fn replayed(name: &str, inverse: &Inverse, y: &Value, x: &Value, choices: Choices) {
    let limits = Limits { slack: 1 << 16 };
    let mut again = ChoiceSource::replaying(choices.clone());
    let twin = invert_value(inverse, y, &mut again, &limits)
        .unwrap_or_else(|e| panic!("{name}: replay of {choices:?}: {e}"));
    assert_eq!(&twin, x, "{name}: {choices:?}");
    assert_eq!(again.unused(), [""; 0], "{name}: {choices:?}");
    let own = own_choices(inverse, x, y, &limits).unwrap();
    for (dimension, value) in own.iter() {
        // An order whose segments are empty, or a scalar that a branch settles, may be
        // told otherwise; what is told must still be a representation.
        if choices.get(dimension) != Some(value) {
            let mut told = ChoiceSource::replaying(own.clone());
            let third = invert_value(inverse, y, &mut told, &limits)
                .unwrap_or_else(|e| panic!("{name}: own choices {own:?}: {e}"));
            assert_eq!(&normalize(&inverse.program, &third).unwrap(), y, "{name}: {own:?}");
            return;
        }
    }
}

#[test]
fn inverses_of_the_suite_are_sound() {
    let mut report = String::new();
    for (name, program) in programs() {
        let inverse = invert(&program).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (made, none) = check(&name, &inverse, 200);
        report.push_str(&format!("{name}: {made} made, {none} without representation\n"));
        assert!(made >= 20, "{report}");
    }
    println!("{report}");
}
