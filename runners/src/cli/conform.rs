//! `repfuzz conform`: is a consumer prepared for all that a producer can emit?

mod args;
mod clients;
mod page;
mod sides;
mod told;

use conformance::automata::Alphabet;
use conformance::model::{Outcome, compare};
use conformance::remark::Remark;
use conformance::score::{Change, Scored, score};
use serde::Serialize;

pub use args::{CallMode, ConformArgs};

use super::{FOUND, SUCCESS, fail, note, say};

/// The outcome as JSON.
#[derive(Serialize)]
struct Json<'a> {
    conforms: bool,
    producer_states: usize,
    consumer_states: usize,
    counterexample: Vec<JsonEvent<'a>>,
    vacuous: bool,
    /// Reasons why the programs may do other than the automata.
    remarks: &'a [Remark],
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
    let mut sides = sides::read(args, &mut alphabet)?;
    let say_error = |e: conformance::Error| e.to_string();
    let mode = args.mode.into();
    let outcome =
        compare(&sides.producer, &sides.consumer, mode, &mut alphabet).map_err(say_error)?;
    sides.remarks.extend(outcome.remarks.iter().cloned());
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
        say(json(&outcome, &sides.remarks, scored.as_deref()));
    } else {
        print(&outcome, scored.as_deref(), &sides);
    }
    Ok(if outcome.counterexample.is_some() { FOUND } else { SUCCESS })
}

fn json(outcome: &Outcome, remarks: &[Remark], scored: Option<&[Scored]>) -> String {
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
        remarks,
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
    let verdict = told::verdict(outcome.counterexample.is_none(), !sides.remarks.is_empty());
    say(told::folded(&format!("{verdict} ({sizes})")));
    for line in told::open(&sides.remarks) {
        say(told::folded(&line));
    }
    if let Some(story) = &outcome.counterexample {
        say("");
        say(told::terminal(story).trim_end());
    }
    if outcome.vacuous {
        let why = "the consumer accepts every sequence of the types that it reads";
        let line =
            format!("vacuous: {why}, so that this shows only that the producer writes no others");
        say(told::folded(&line));
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
