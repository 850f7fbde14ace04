//! Normalization programs and their nondeterministic inverses.

pub mod invert;
pub mod program;
pub mod run;
pub mod solve;
