//! Parts that the results of C programs and of specs share.

use std::path::Path;

use analyses::protocol::{End, Formula};
use analyses::readable::Readable;
use analyses::run::Analysis;
use canonical::Place;
use serde::Serialize;

use crate::cli::note;

/// The result that is wanted of a spec.
pub struct Wanted<'a> {
    /// The only stage to analyse.
    pub entry: Option<&'a str>,
    /// True if invariants are printed.
    pub invariants: bool,
    /// The file of a drawing.
    pub svg: Option<&'a Path>,
    /// True if the result is printed as JSON.
    pub json: bool,
}

/// The end of a client.
#[derive(Serialize)]
pub struct JsonClient {
    pub name: &'static str,
    pub end: End,
    /// The reason of a crash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// An invariant of a loop.
#[derive(Serialize)]
pub struct JsonInvariant {
    pub place: Option<String>,
    pub client: &'static str,
    pub formula: String,
    pub text: String,
}

/// The invariants of loops, as text and as formulas.
pub fn invariants(analysis: &Analysis) -> Vec<JsonInvariant> {
    let program = &analysis.unfolding.program;
    let readable = Readable { program, segments: &analysis.segments };
    let of = |(place, client, formula): (Option<Place>, _, &Formula)| {
        let (text, place) = (readable.formula(formula), place.map(|place| program.at(place)));
        JsonInvariant { place, client, formula: formula.to_string(), text }
    };
    analysis.loops().into_iter().map(of).collect()
}

/// The way in which each client ended.
pub fn clients(analysis: &Analysis) -> Vec<JsonClient> {
    let crashes = &analysis.outcome.crashes;
    let why = |name| crashes.iter().find(|(of, _)| *of == name).map(|(_, why)| why.clone());
    analysis.ends().map(|(name, end)| JsonClient { name, end, why: why(name) }).collect()
}

/// Prints why clients were left out.
pub fn note_crashes(analysis: &Analysis) {
    for (name, why) in &analysis.outcome.crashes {
        note(format!("{name} was left out: {why}"));
    }
}

/// The way in which each client ended, in one line.
pub fn ends(analysis: &Analysis) -> String {
    let ends = |(name, end)| format!("{name}: {}", end_name(end));
    analysis.ends().map(ends).collect::<Vec<_>>().join(", ")
}

fn end_name(end: End) -> &'static str {
    match end {
        End::Success => "success",
        End::Failure => "incomplete",
        End::TimeOut => "time-out",
        End::Crash => "crash",
    }
}
