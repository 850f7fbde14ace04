//! Automata from files: TOML and DOT, as written by hand, and the text of OpenNWA.

pub mod dot;
pub mod opennwa;
pub mod toml;
