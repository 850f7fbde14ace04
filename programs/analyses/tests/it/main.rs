//! Analyses of programs: verdicts, soundness against runs, and protocols.

#[cfg(feature = "nats")]
mod foreign;
#[cfg(feature = "isl")]
mod isl;
mod over;
mod programs;
#[cfg(feature = "nats")]
mod protocol;
#[cfg(feature = "nats")]
mod protocol_page;
mod soundness;
#[cfg(feature = "specs")]
mod specs;
#[cfg(feature = "nats")]
mod verdicts;
