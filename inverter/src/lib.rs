//! Normalization programs and their nondeterministic inverses.

pub mod solve;
