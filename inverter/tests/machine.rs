//! By the register machine and interpreted, a program makes the same of the same: bytes, choices, errors.

mod support;

use std::path::Path;

use inverter::invert::invert;
use inverter::program::parse;
use inverter::run::{Executable, code_counts};
use support::agree::{Tally, agree};

#[test]
fn the_machine_and_the_interpreter_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "rs"));
    paths.sort();
    let (mut tally, mut left) = (Tally::default(), Vec::new());
    for path in &paths {
        let name = path.file_name().unwrap().to_string_lossy();
        let text = std::fs::read_to_string(path).unwrap();
        let inverse = Executable::new(invert(&parse(&name, &text).unwrap()).unwrap());
        let mut own = Tally::default();
        agree(&name, &text, &inverse, &mut own);
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
    assert!(paths.len() > 100);
    // The code is used: this would fail if everything were left to the interpreter.
    assert!(tally.decided * 100 > tally.conditions * 95 && tally.conditions > 0);
    assert!(tally.whole * 100 > tally.meant * 95, "{} of {}", tally.whole, tally.meant);
    assert!(pieces.run > 10 * pieces.left, "{pieces:?}");
}
