//! The programs of the inverter's suite, compiled, to be compared with the interpreter.

use std::sync::atomic::{AtomicU64, Ordering};

use inverter::run::compiled::{Compiled, Halt};

include!(concat!(env!("OUT_DIR"), "/suite.rs"));

/// The number of calls of pieces that succeeded.
pub static WHOLE: AtomicU64 = AtomicU64::new(0);
/// The number of calls that the interpreter took over.
pub static IRREGULAR: AtomicU64 = AtomicU64::new(0);

fn count(result: Result<(), Halt>) -> Result<(), Halt> {
    match result {
        Ok(()) => WHOLE.fetch_add(1, Ordering::Relaxed),
        Err(Halt::Irregular) => IRREGULAR.fetch_add(1, Ordering::Relaxed),
        Err(Halt::Allocate(_)) => 0,
    };
    result
}
