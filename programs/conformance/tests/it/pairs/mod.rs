//! Checks of two texts in C.

use conformance::automata::Alphabet;
use conformance::check::Mode;
use conformance::lower::lower;
use conformance::model::{Model, compare};
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
