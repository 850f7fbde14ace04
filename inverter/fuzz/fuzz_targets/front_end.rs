//! Any text is parsed, and inverted if it is a spec, without a panic and in bounded time.

#![no_main]

use inverter::invert::invert;
use inverter::program::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match parse("fuzz.rs", text).and_then(|program| invert(&program)) {
        Ok(inverse) => drop((inverse.to_string(), inverse.explain_ensures())),
        Err(refusal) => drop(refusal.each().map(|e| e.to_string()).collect::<Vec<_>>()),
    }
});
