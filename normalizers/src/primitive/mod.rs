//! The primitives that specs of this crate call: decoders with nondeterministic encoders.
//!
//! See [`inverter::primitive`] for what a primitive is and what must hold of it.

mod bits;
mod habit;
mod predictor;

pub use bits::PackedBits;
pub use predictor::Predictor;
