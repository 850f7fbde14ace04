//! By the register machine and interpreted, a program makes the same of the same: bytes, choices, errors.

use crate::support;

use inverter::invert::invert;
use inverter::primitive::Primitives;
use inverter::program::parse;
use inverter::run::{
    Array, Cells, Executable, FieldValue, Limits, Record, Room, Store, code_counts, from_json,
    invert_value, normalize_with, normalizes_to,
};
use inverter::solve::ChoiceSource;
use support::agree::{Tally, agree};

#[test]
fn the_machine_and_the_interpreter_agree() {
    let programs = support::programs("programs");
    let (mut tally, mut left) = (Tally::default(), Vec::new());
    for (name, text) in &programs {
        let inverse = Executable::new(invert(&parse(name, text).unwrap()).unwrap());
        let mut own = Tally::default();
        agree(name, text, &inverse, &mut own);
        if own.meant == 0 {
            left.push(format!("{name} (no code)"));
        } else if own.whole < own.meant {
            left.push(format!("{name} ({} of {})", own.meant - own.whole, own.meant));
        }
        tally.add(&own);
    }
    let pieces = code_counts();
    println!("{tally:?}");
    println!("left to the interpreter: {}", left.join(", "));
    println!("{pieces:?}");
    assert!(programs.len() > 100);
    // The code is used: this would fail if everything were left to the interpreter.
    assert!(tally.decided * 100 > tally.conditions * 95 && tally.conditions > 0);
    assert!(tally.whole * 100 > tally.meant * 95, "{} of {}", tally.whole, tally.meant);
    assert!(pieces.run > 10 * pieces.left, "{pieces:?}");
}

/// Kernels in 32, 64 and 128 bits, with negative numbers, divisions, and a stride.
const COMPUTED: &str = "
    struct Stored { n: u16, high: u8, words: [u8], signed: [i32], long: [u64] }
    struct Value { n: u16, high: u8, words: [u16; n], halves: [i32; n], sums: [u64; n] }

    fn normalize(x: &Stored, y: &mut Value) {
        y.n = x.n;
        y.high = x.high;
        assume(x.high <= 1);
        for i in 0..x.n {
            if x.high == 1 {
                y.words[i] = x.words[2 * i] * 256 + x.words[2 * i + 1];
            } else {
                y.words[i] = x.words[i] * 257;
            }
        }
        for i in 0..x.n {
            y.halves[i] = (x.signed[i] - 7) / 2;
        }
        for i in 0..x.n {
            y.sums[i] = x.long[x.n - 1 - i] / 3 + x.long[x.n - 1 - i] % 3;
        }
    }
";

#[test]
fn vectors_of_any_length_are_those_of_the_interpreter() {
    let program = parse("computed.rs", COMPUTED).unwrap();
    // Its inverse is not of interest, nor that it has one.
    let inverse = invert(&program).unwrap();
    let machine = Executable::new(inverse);
    let interpreted = machine.clone().interpreted();
    let mut state = 1u64;
    let mut noise = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 24
    };
    for n in [0, 1, 2, 255, 256, 257, 300, 511, 512, 513, 1000] {
        for high in [0, 1] {
            let array =
                |cells: Cells| FieldValue::Array(Array { lengths: vec![cells.len()], cells });
            let x = Record {
                fields: vec![
                    FieldValue::Scalar(n),
                    FieldValue::Scalar(high),
                    array(Cells::U8((0..2 * n).map(|_| noise() as u8).collect::<Vec<_>>().into())),
                    array(Cells::I32((0..n).map(|_| noise() as i32).collect())),
                    array(Cells::U64((0..n).map(|_| noise() << 24 | 1).collect())),
                ],
            };
            let y = normalize_with(&interpreted, &x).map_err(|e| e.to_string());
            let made = machine.normalize_by_code(&x, None, Room::UNLIMITED).expect("there is code");
            match &y {
                Ok(y) => {
                    assert_eq!(made.as_ref().ok(), Some(y), "{n}, {high}");
                    let compared = machine
                        .normalize_by_code(&x, Some(&Store::full(y)), Room::UNLIMITED)
                        .unwrap();
                    assert!(compared.is_ok(), "{n}, {high}");
                }
                Err(why) => assert!(made.is_err(), "{n}, {high}: {why}"),
            }
        }
    }
}

/// The inverse of a kernel with digits.
const DIGITS: &str = "
    struct Stored { n: u16, order: u8, bytes: [u8] }
    struct Value { n: u16, words: [u16; n] }

    fn normalize(x: &Stored, y: &mut Value) {
        y.n = x.n;
        assume(x.order <= 1);
        for i in 0..x.n {
            if x.order == 1 {
                y.words[i] = x.bytes[2 * i] * 256 + x.bytes[2 * i + 1];
            } else {
                y.words[i] = x.bytes[2 * i] + x.bytes[2 * i + 1] * 256;
            }
        }
    }
";

#[test]
fn inverses_of_any_length_are_those_of_the_interpreter() {
    let inverse = invert(&parse("digits.rs", DIGITS).unwrap()).unwrap();
    let machine = Executable::new(inverse);
    let interpreted = machine.clone().interpreted();
    for n in [0u16, 1, 255, 256, 257, 700] {
        let words = (0..n).map(|k| k.wrapping_mul(40_503)).collect();
        let y = Record {
            fields: vec![
                FieldValue::Scalar(n.into()),
                FieldValue::Array(Array { lengths: vec![n.into()], cells: Cells::U16(words) }),
            ],
        };
        for index in 0..6 {
            let make = |inverse| {
                let mut source = ChoiceSource::seeded(1, index);
                invert_value(inverse, &y, &mut source, &Limits::default()).unwrap()
            };
            let before = code_counts();
            let made = make(&machine);
            assert_eq!(made, make(&interpreted), "{n}, {index}");
            assert_eq!(normalize_with(&machine, &made).unwrap(), y, "{n}, {index}");
            assert!(code_counts().run > before.run);
        }
    }
}

#[test]
fn normalization_needs_no_inverse() {
    let text = include_str!("../refused/known_too_late.rs");
    let program = parse("late.rs", text).unwrap();
    assert!(invert(&program).is_err());
    let record = |record, json: serde_json::Value| from_json(record, &json).unwrap();
    let x = record(&program.input, serde_json::json!({"n": 2, "a": [1, 3], "b": [1, 0]}));
    let y = record(&program.output, serde_json::json!({"n": 2, "c": [1, 3]}));
    let lazy = Executable::lazy(program.into(), &Primitives::shipped(), || unreachable!());
    assert_eq!(normalize_with(&lazy, &x).unwrap(), y);
    assert!(normalizes_to(&lazy, &x, &Store::full(&y)).unwrap());
}
