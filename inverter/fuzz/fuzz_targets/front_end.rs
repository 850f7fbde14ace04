//! Checks that any text is parsed, and checked and inverted if it is a spec, without a panic and in bounded time.

#![no_main]

use inverter::check::load;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match load("fuzz.rs", text) {
        Ok(inverse) => drop((inverse.to_string(), inverse.explain_ensures())),
        Err(refusal) => drop(refusal.each().map(|e| e.to_string()).collect::<Vec<_>>()),
    }
});
