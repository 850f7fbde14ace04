//! Bytes determine a random program and its canonical values; every representation that its inverse makes must
//! normalize to its value.

#![no_main]

use inverter::invert::invert;
use inverter::program::parse;
use inverter::run::Executable;
use libfuzzer_sys::fuzz_target;

#[path = "../../tests/it/support/mod.rs"]
mod support;

fuzz_target!(|bytes: &[u8]| {
    let mut dice = support::dice::Bytes::new(bytes);
    let text = support::random::program(&mut dice);
    let program = parse("fuzz.rs", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let Ok(inverse) = invert(&program).map(Executable::new) else { return };
    let (_, result) = support::try_draw(&inverse, &mut dice, 2, 2);
    if let Err((kind, why)) = result {
        panic!("{kind:?}: {why}\n{text}");
    }
});
