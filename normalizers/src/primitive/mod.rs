//! The primitives that specs of this crate call: decoders with nondeterministic encoders.
//!
//! See [`inverter::primitive`] for what a primitive is and what must hold of it.

mod bits;
pub mod ccitt;
mod habit;
mod predictor;

pub use bits::PackedBits;
pub use ccitt::{ModifiedHuffman, T4, T6};
pub use predictor::Predictor;
