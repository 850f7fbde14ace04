//! Arguments of `repfuzz conform`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use conformance::check::Mode;

/// Check that a consumer is prepared for all that a producer can emit
///
/// From the C sources of both, automata are inferred: the sequences of types that the one may write,
/// and that the other may read. The exit code is 0 if the consumer conforms, 1 with a counterexample,
/// 2 if the check could not be done, and 3 if it is open whether the producer can emit the counterexample. Either side may be an automaton, written by hand.
///
/// With --client-source, the sources of a program that reads TIFF by libtiff are searched instead for
/// what it never asks for, which predicts dimensions that it gets wrong.
#[derive(Debug, Clone, Args)]
pub struct ConformArgs {
    /// The program that writes: files of C, or one automaton (.toml, .dot)
    #[arg(long, num_args = 1.., value_name = "FILE", requires = "consumer")]
    pub producer: Vec<PathBuf>,
    /// The program that reads: files of C, or one automaton (.toml, .dot)
    #[arg(long, num_args = 1.., value_name = "FILE", requires = "producer")]
    pub consumer: Vec<PathBuf>,
    /// The functions that write and read, and their types; needed for C
    #[arg(long, value_name = "FILE")]
    pub io: Option<PathBuf>,
    /// Meaning of calls and returns
    #[arg(long, value_enum, default_value_t = CallMode::Vpa)]
    pub mode: CallMode,
    /// List of the call sites that write and read: read if the file exists, otherwise written
    #[arg(long, value_name = "FILE")]
    pub sites: Option<PathBuf>,
    /// Folder for the automata: producer.dot and consumer.dot, and SVG if graphviz is installed
    #[arg(long, value_name = "DIR")]
    pub dot: Option<PathBuf>,
    /// Page of the outcome, as HTML
    #[arg(long, value_name = "FILE")]
    pub page: Option<PathBuf>,
    /// If the consumer conforms, make this many small changes of the producer, and count those that
    /// are noticed
    #[arg(long, value_name = "N")]
    pub score: Option<usize>,
    /// Sources of a client of libtiff
    #[arg(
        long,
        value_name = "DIR",
        conflicts_with_all = ["producer", "consumer", "io", "sites", "dot", "page", "score"],
        required_unless_present = "producer"
    )]
    pub client_source: Option<PathBuf>,
    /// The client's name, whose contract the predictions are compared with
    #[arg(long, value_name = "NAME", requires = "client_source")]
    pub client: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The values of `--mode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CallMode {
    /// The producer returns to where it was called; the consumer may call anywhere
    Vpa,
    /// Returns lead to any call, in both
    Fa,
    /// Calls are events that both must have
    NoEnrich,
}

impl From<CallMode> for Mode {
    fn from(mode: CallMode) -> Self {
        match mode {
            CallMode::Vpa => Self::Vpa,
            CallMode::Fa => Self::Fa,
            CallMode::NoEnrich => Self::NoEnrich,
        }
    }
}
