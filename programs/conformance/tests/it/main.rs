//! Producers and consumers in C: the paper's tables, pairs, planted faults, and programs of Debian.

mod authors;
mod clients;
mod debian;
mod pairs;
mod paper;
mod planted;
mod random;
mod runs;
mod sketch;
mod sources;
mod values;
