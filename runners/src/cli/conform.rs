//! `repfuzz conform`: is a consumer prepared for all that a producer can emit?

mod args;
mod clients;
mod judged;
mod page;
mod sides;
mod told;

use conformance::automata::Alphabet;
use conformance::check::Mode;
use conformance::model::{Outcome, compare};
use conformance::remark::{Remark, Weight, by_weight};
use conformance::score::{Change, Scored, score};
use serde::Serialize;

pub use args::{CallMode, ConformArgs};

use judged::Judged;
use sides::Sides;

use super::{FOUND, INCOMPLETE, SUCCESS, fail, note, say};

/// The outcome as JSON.
#[derive(Serialize)]
struct Json<'a> {
    conforms: bool,
    /// False if the existence of a counterexample depends on values that are not followed, or on the subject of a
    /// remark.
    decided: bool,
    producer_states: usize,
    consumer_states: usize,
    counterexample: Vec<JsonEvent<'a>>,
    vacuous: bool,
    /// Reasons why the programs may behave differently from the automata.
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
    let mode: Mode = args.mode.into();
    let mut outcome =
        compare(&sides.producer, &sides.consumer, mode, &mut alphabet).map_err(say_error)?;
    let mut is_open = false;
    if mode == Mode::Vpa && outcome.counterexample.is_none() {
        look_longer(&mut outcome, &mut sides, &mut alphabet);
    }
    if outcome.counterexample.is_some() && mode == Mode::Vpa {
        is_open = look_again(&mut outcome, &mut sides, &mut alphabet);
    } else if outcome.counterexample.is_some() && sides.again.is_some() {
        let text = "whether the producer can emit the counterexample is not checked in this mode";
        sides.remarks.push(Remark::new(text.to_owned(), Weight::Undecided));
    }
    sides.remarks.extend(outcome.remarks.iter().cloned());
    by_weight(&mut sides.remarks);
    let judged = Judged::of(&outcome, is_open, &sides.remarks);
    if let Some(folder) = &args.dot {
        sides::draw(folder, &sides, &alphabet)?;
    }
    if let Some(path) = &args.page {
        let text = page::page(&outcome, judged, &sides, &alphabet);
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
        say(json(&outcome, judged, &sides.remarks, scored.as_deref()));
    } else {
        print(&outcome, judged, scored.as_deref(), &sides);
    }
    Ok(match judged {
        Judged::Conforms => SUCCESS,
        Judged::Refuted => FOUND,
        Judged::DependsOnValues | Judged::Undecided { .. } => INCOMPLETE,
    })
}

/// Takes a longer look at a consumer that conforms, apart from undecided remarks.
fn look_longer(outcome: &mut Outcome, sides: &mut Sides, alphabet: &mut Alphabet) {
    let Some(again) = &sides.again else { return };
    // An open verdict stays open if the second look needs too many states.
    let Ok(Some((remarks, longer))) = again.longer(&sides.producer, alphabet) else { return };
    sides.remarks = [again.remarks.clone(), remarks].concat();
    outcome.counterexample = longer.counterexample;
    outcome.remarks = longer.remarks;
}

/// Takes a second look at a counterexample; returns true if it remains undecided whether it is one.
fn look_again(outcome: &mut Outcome, sides: &mut Sides, alphabet: &mut Alphabet) -> bool {
    let Some(again) = sides.again.take() else { return false };
    let second = match again.look(&sides.consumer, alphabet) {
        Ok(second) => second,
        Err(error) => {
            let text =
                format!("whether the producer can emit the counterexample is not checked: {error}");
            sides.remarks.push(Remark::new(text, Weight::Undecided));
            return false;
        }
    };
    let is_open = !second.open.is_empty();
    match second.outcome.counterexample {
        // The automata of the first look are used if it decides.
        Some(story) => outcome.counterexample = Some(story),
        None => {
            *outcome = second.outcome;
            (sides.producer, sides.consumer) = (second.producer, second.consumer);
            sides.program = Some(second.program);
            sides.remarks = [again.remarks, second.remarks].concat();
        }
    }
    let deciding =
        second.open.into_iter().map(|remark| Remark { weight: Weight::Undecided, ..remark });
    sides.remarks.splice(0..0, deciding);
    is_open
}

fn json(
    outcome: &Outcome,
    judged: Judged,
    remarks: &[Remark],
    scored: Option<&[Scored]>,
) -> String {
    let events = outcome.counterexample.iter().flat_map(|story| &story.events);
    let counterexample = events
        .map(|event| JsonEvent {
            r#type: &event.kind,
            file: event.site.as_ref().map(|site| site.place.file.as_str()),
            line: event.site.as_ref().map(|site| site.place.line),
        })
        .collect();
    let json = Json {
        conforms: judged == Judged::Conforms,
        decided: judged.is_decided(),
        producer_states: outcome.producer_states,
        consumer_states: outcome.consumer_states,
        counterexample,
        vacuous: outcome.vacuous,
        remarks,
        score: scored,
    };
    serde_json::to_string(&json).unwrap_or_default()
}

fn print(outcome: &Outcome, judged: Judged, scored: Option<&[Scored]>, sides: &Sides) {
    for problem in &sides.problems {
        note(problem);
    }
    let Outcome { producer_states, consumer_states, .. } = outcome;
    let sizes = format!("producer: {producer_states} states, consumer: {consumer_states} states");
    let verdict = told::verdict(judged, !sides.remarks.is_empty());
    say(told::folded(&format!("{verdict} ({sizes})")));
    for line in told::open(&sides.remarks) {
        say(told::folded(&line));
    }
    if let Some(story) = &outcome.counterexample {
        say("");
        say(told::terminal(story, !judged.is_decided()).trim_end());
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

/// Describes a change in words.
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
