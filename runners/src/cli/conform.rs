//! `repfuzz conform`: is a consumer prepared for all that a producer can emit?

mod clients;
mod page;
mod sides;
mod told;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use conformance::automata::Alphabet;
use conformance::check::Mode;
use conformance::model::{Outcome, compare};
use conformance::score::{Change, Scored, score};
use serde::Serialize;

use super::{FOUND, SUCCESS, fail, note, say};

/// Check that a consumer is prepared for all that a producer can emit
///
/// From the C sources of both, automata are inferred: the sequences of types that the one may write,
/// and that the other may read. The exit code is 0 if the consumer conforms, 1 with a counterexample,
/// and 2 if the check could not be done. Either side may be an automaton, written by hand.
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

/// The outcome as JSON.
#[derive(Serialize)]
struct Json<'a> {
    conforms: bool,
    producer_states: usize,
    consumer_states: usize,
    counterexample: Vec<JsonEvent<'a>>,
    vacuous: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<&'a [Scored]>,
}

#[derive(Serialize)]
struct JsonEvent<'a> {
    r#type: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
}

/// Runs the command; returns the exit code.
pub fn run(args: &ConformArgs) -> u8 {
    let done = match &args.client_source {
        Some(folder) => clients::predict(folder, args.client.as_deref(), args.json),
        None => check(args),
    };
    done.unwrap_or_else(fail)
}

fn check(args: &ConformArgs) -> Result<u8, String> {
    let mut alphabet = Alphabet::default();
    let sides = sides::read(args, &mut alphabet)?;
    let say_error = |e: conformance::Error| e.to_string();
    let mode = args.mode.into();
    let outcome =
        compare(&sides.producer, &sides.consumer, mode, &mut alphabet).map_err(say_error)?;
    if let Some(folder) = &args.dot {
        sides::draw(folder, &sides, &alphabet)?;
    }
    if let Some(path) = &args.page {
        let text = page::page(&outcome, &sides, &alphabet);
        std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    let scored = match (args.score, &outcome.counterexample, &sides.program) {
        (Some(most), None, Some(program)) => {
            let consumer = &sides.consumer;
            Some(score(program, consumer, mode, &mut alphabet, most).map_err(say_error)?)
        }
        (Some(_), None, None) => {
            return Err("--score changes a producer in C, not an automaton".to_owned());
        }
        _ => None,
    };
    if args.json {
        say(json(&outcome, scored.as_deref()));
    } else {
        print(&outcome, scored.as_deref(), &sides);
    }
    Ok(if outcome.counterexample.is_some() { FOUND } else { SUCCESS })
}

fn json(outcome: &Outcome, scored: Option<&[Scored]>) -> String {
    let events = outcome.counterexample.iter().flat_map(|story| &story.events);
    let counterexample = events
        .map(|event| JsonEvent {
            r#type: &event.kind,
            file: event.site.as_ref().map(|site| site.place.file.as_str()),
            line: event.site.as_ref().map(|site| site.place.line),
        })
        .collect();
    let json = Json {
        conforms: outcome.counterexample.is_none(),
        producer_states: outcome.producer_states,
        consumer_states: outcome.consumer_states,
        counterexample,
        vacuous: outcome.vacuous,
        score: scored,
    };
    serde_json::to_string(&json).unwrap_or_default()
}

fn print(outcome: &Outcome, scored: Option<&[Scored]>, sides: &sides::Sides) {
    for problem in &sides.problems {
        note(problem);
    }
    let Outcome { producer_states, consumer_states, .. } = outcome;
    let sizes = format!("producer: {producer_states} states, consumer: {consumer_states} states");
    match &outcome.counterexample {
        None => say(format!("conforms ({sizes})")),
        Some(story) => {
            say(format!("does not conform ({sizes})\n"));
            say(told::terminal(story).trim_end());
        }
    }
    if outcome.vacuous {
        let why = "the consumer accepts every sequence of the types that it reads";
        say(format!("vacuous: {why}, so that this shows only that the producer writes no others"));
    }
    if let Some(scored) = scored {
        let noticed = scored.iter().filter(|change| change.noticed).count();
        say(format!("score: {noticed} of {} changes of the producer are noticed", scored.len()));
        for change in scored.iter().filter(|change| !change.noticed) {
            say(format!("  not noticed: {}", told_change(change)));
        }
    }
}

/// A change in words.
fn told_change(scored: &Scored) -> String {
    let place = scored.site.as_ref().map(|site| format!("{}: ", told::place(&site.place)));
    let kind = &scored.kind;
    let change = match &scored.change {
        Change::Omitted => format!("{kind} left out"),
        Change::Doubled => format!("{kind} twice"),
        Change::Type(other) => format!("{other} instead of {kind}"),
    };
    place.unwrap_or_default() + &change
}
