//! The programs of the inverter's suite, compiled, to be compared with the interpreter.

use inverter::run::compiled::Compiled;

include!(concat!(env!("OUT_DIR"), "/suite.rs"));
