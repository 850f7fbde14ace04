//! Checks of two texts in C.

use conformance::automata::Alphabet;
use conformance::check::Mode;
use conformance::lower::lower;
use conformance::model::{Model, compare};
use conformance::second::{Sources, longer_look, second_look};
use conformance::settings::{Role, Settings};

/// The outcome of a check.
#[derive(Debug)]
pub struct Checked {
    /// True if the consumer conforms.
    pub conforms: bool,
    /// The remarks about both sides.
    #[allow(dead_code)]
    pub remarks: Vec<String>,
    /// The events of the counterexample.
    #[allow(dead_code)]
    pub word: Vec<String>,
}

/// Checks a consumer, and that the automata of which stories are told agree with the inferred ones.
pub fn check_with(io: &Settings, producer: &str, consumer: &str) -> Checked {
    checked(io, producer, consumer).unwrap()
}

/// As [`check_with`]; an error if the check cannot be done.
pub fn checked(io: &Settings, producer: &str, consumer: &str) -> Result<Checked, String> {
    let folder = tempfile::tempdir().unwrap();
    let mut remarks = Vec::new();
    let mut alphabet = Alphabet::default();
    let mut io = io.clone();
    let mut model = |name: &str, text: &str, role: Role| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let options =
            canonical::c::Options { calls: io.kept_macros(), ..canonical::c::Options::default() };
        let program = canonical::c::read(&[path], &options);
        let is_read = |d: &canonical::Diagnostic| {
            !matches!(d.effect, canonical::Effect::NoBody | canonical::Effect::LeftOut)
        };
        assert!(program.diagnostics.iter().all(is_read), "{text}: {:?}", program.diagnostics);
        let lowered = lower(&program, role, &io, None).map_err(|e| e.to_string())?;
        if role == Role::Producer {
            io.written = lowered.program.written();
            io.partly = lowered.program.partly_written();
        }
        remarks.extend(lowered.remarks.iter().map(ToString::to_string));
        Model::program(lowered.program, &mut alphabet).map_err(|e| e.to_string())
    };
    let producer = model("p.c", producer, Role::Producer)?;
    let consumer = model("c.c", consumer, Role::Consumer)?;
    let outcome =
        compare(&producer, &consumer, Mode::Vpa, &mut alphabet).map_err(|e| e.to_string())?;
    remarks.extend(outcome.remarks.iter().map(ToString::to_string));
    let story = outcome.counterexample;
    let word = story.iter().flat_map(|story| &story.events).map(|event| event.kind.clone());
    Ok(Checked { conforms: story.is_none(), remarks, word: word.collect() })
}

/// The outcome of a check with a second look at its counterexample.
#[derive(Debug)]
#[allow(dead_code)]
pub struct Look {
    /// True if the consumer conforms at first look.
    pub first: bool,
    /// `yes`, `no` or `open`.
    pub verdict: &'static str,
    /// The reasons why it is open, or why there is no second look.
    pub reasons: Vec<String>,
    /// The remarks about both sides.
    pub remarks: Vec<String>,
    /// The events of the counterexample.
    pub word: Vec<String>,
}

/// Checks a consumer, twice if there is a counterexample.
#[allow(dead_code)]
pub fn look(io: &Settings, producer: &str, consumer: &str) -> Look {
    let first = check_with(io, producer, consumer);
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let options =
            canonical::c::Options { calls: io.kept_macros(), ..canonical::c::Options::default() };
        canonical::c::read(&[path], &options)
    };
    let (producer, consumer) = (read("p.c", producer), read("c.c", consumer));
    let sources =
        Sources { producer: &producer, consumer: Some(&consumer), settings: io, list: None };
    let none = Model::automaton(conformance::automata::Nwa::default());
    if first.conforms {
        let (reasons, word) = (Vec::new(), Vec::new());
        let mut remarks = first.remarks.clone();
        let mut io = io.clone();
        let mut alphabet = Alphabet::default();
        let lowered = lower(&producer, Role::Producer, &io, None).unwrap();
        (io.written, io.partly) = (lowered.program.written(), lowered.program.partly_written());
        let model = Model::program(lowered.program, &mut alphabet).unwrap();
        let sources = Sources { settings: &io, ..sources };
        let longer = longer_look(sources, &model, remarks.len(), &mut alphabet).unwrap();
        let is_sure = match longer {
            Some((_, outcome)) if outcome.counterexample.is_some() => false,
            Some((fewer, _)) => {
                remarks = fewer.iter().map(ToString::to_string).collect();
                true
            }
            None => true,
        };
        if is_sure {
            return Look { first: true, verdict: "yes", reasons, remarks, word };
        }
    }
    match second_look(sources, &none, &mut Alphabet::default()) {
        Err(error) => {
            let (reasons, remarks) = (vec![error.to_string()], first.remarks);
            Look { first: false, verdict: "no", reasons, remarks, word: first.word }
        }
        Ok(second) => {
            let story = second.outcome.counterexample;
            let verdict = match (&story, second.open.is_empty()) {
                (None, _) => "yes",
                (Some(_), true) => "no",
                (Some(_), false) => "open",
            };
            let word = story.iter().flat_map(|story| &story.events).map(|e| e.kind.clone());
            let reasons = second.open.iter().map(ToString::to_string).collect();
            let remarks = second.remarks.iter().chain(&second.outcome.remarks);
            let remarks = remarks.map(ToString::to_string).collect();
            Look { first: false, verdict, reasons, remarks, word: word.collect() }
        }
    }
}
