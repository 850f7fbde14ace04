//! C programs as canonical programs: reading, interpretation, limits, and mutants.

mod differential;
mod json;
mod limits;
mod mutants;
