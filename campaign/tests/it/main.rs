//! Campaigns on readers with planted faults.

mod mutant_reader;
mod mutant_suite;
mod mutants;
mod paper;
mod planted_specs;
