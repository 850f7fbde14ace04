//! Interfaces of libraries: the paper's tables, clients, and suites.

mod c;
mod clients;
mod exhaustive;
mod guarded;
mod paper;
mod suites;
