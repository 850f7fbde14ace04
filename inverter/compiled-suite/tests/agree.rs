//! Compiled and interpreted, a program makes the same of the same: bytes, choices, errors.

#[path = "../../tests/it/support/mod.rs"]
mod support;

use compiled_suite::ALL;
use inverter::invert::invert;
use inverter::program::parse;
use inverter::run::{Executable, code_counts};
use support::agree::{Tally, agree};

#[test]
fn compiled_and_interpreted_agree() {
    let (mut tally, mut interpreted) = (Tally::default(), Vec::new());
    for (name, parts) in ALL {
        let path = format!("{}/../tests/programs/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let inverse = Executable::new(invert(&parse(name, &text).unwrap()).unwrap());
        let mut own = Tally::default();
        agree(name, &text, &inverse.with_compiled(parts).unwrap(), &mut own);
        if parts.normalize.is_none() {
            interpreted.push(format!("{name} (primitive)"));
        } else if own.whole < own.meant {
            interpreted.push(format!("{name} ({} of {})", own.meant - own.whole, own.meant));
        }
        tally.add(&own);
    }
    let pieces = code_counts();
    println!("normalization: {} of {} runs compiled", tally.whole, tally.meant);
    println!("left to the interpreter: {}", interpreted.join(", "));
    println!("{pieces:?}");
    println!("predicates: {} of {} evaluated", tally.decided, tally.conditions);
    assert!(tally.decided * 100 > tally.conditions * 95 && tally.conditions > 0);
    // What is compiled is used: this would fail if everything were left to the interpreter.
    assert!(tally.whole * 100 > tally.meant * 95, "{} of {}", tally.whole, tally.meant);
    assert!(pieces.run > 10 * pieces.left, "{pieces:?}");
}
