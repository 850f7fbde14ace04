//! The reported result of a run.

use std::collections::BTreeSet;

use interfaces::graph::Call;
use inverter::solve::Choices;
use serde::Serialize;

use super::driver::Kind;
use super::outcome::Outcome;

/// The result of replaying the sequences of a model on a seed and its variants.
#[derive(Debug, Clone, Serialize)]
pub struct CallsRun {
    /// The seed file.
    pub seed: String,
    /// The name of the model.
    pub model: String,
    /// The number of nodes of the interface graph other than errors.
    pub nodes: usize,
    /// The number of edges of the interface graph.
    pub edges: usize,
    /// The number of sequences that cover every pair of edges.
    pub sequences: usize,
    /// The number of files: the seed and its variants.
    pub files: usize,
    /// The results of the drivers.
    pub drivers: Vec<DriverResult>,
    /// The differences that were found, reduced and merged if they are the same fault.
    pub causes: Vec<Cause>,
}

impl CallsRun {
    /// Returns true if the result of a sequence differs from the plain order, reduced or not.
    pub fn found(&self) -> bool {
        self.drivers.iter().any(|driver| driver.found() > 0)
    }

    /// Returns a line for each omission: files and sequences that were not run, and differences that were not reduced,
    /// with the reason.
    pub fn gaps(&self) -> Vec<String> {
        let mut out = Vec::new();
        for driver in &self.drivers {
            let name = &driver.name;
            if driver.late > 0 {
                let files = driver.late;
                out.push(format!("{name}: files that were not tried: {files} (the time was over)"));
            }
            if driver.not_run > 0 {
                let count = driver.not_run;
                let why = "others crash, or exceed a limit";
                out.push(format!("{name}: sequences that were not run: {count} ({why})"));
            }
            for (count, why) in driver.unreduced.reasons() {
                out.push(format!("{name}: differences that were not reduced: {count} ({why})"));
            }
        }
        let over = "the time for reduction was over";
        let numbers = |some: &dyn Fn(&Cause) -> bool| -> Vec<String> {
            let places = self.causes.iter().enumerate().filter(|(_, c)| some(c));
            places.map(|(place, _)| (place + 1).to_string()).collect()
        };
        let unfinished = numbers(&|c| c.unfinished);
        if !unfinished.is_empty() {
            let list = unfinished.join(", ");
            out.push(format!("causes that may not be the shortest: {list} ({over})"));
        }
        let not_compared = numbers(&|c| c.not_compared.is_some());
        if !not_compared.is_empty() {
            let list = not_compared.join(", ");
            out.push(format!("causes that may be the same fault as one before: {list} ({over})"));
        }
        out
    }
}

/// The result of a driver.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DriverResult {
    /// Its name.
    pub name: String,
    /// The version of the library; empty if unknown.
    pub version: String,
    /// The number of files that the library cannot read in the plain order.
    pub unread: usize,
    /// The number of sequences that were run, over all files.
    pub run: usize,
    /// The number of sequences that were not run because too many others crash or exceed the limits of a client.
    pub not_run: usize,
    /// The number of sequences with a call for which the file has nothing.
    pub partly: usize,
    /// The number of sequences whose last call must fail according to the model but does not.
    pub accepted: usize,
    /// The number of sequences that crash.
    pub crash: usize,
    /// The number of sequences that hang.
    pub hang: usize,
    /// The number of sequences that read something other than in the plain order.
    pub differs: usize,
    /// The number of sequences that are refused although the plain order is not.
    pub refused: usize,
    /// The number of files that were not tried because the time was over.
    pub late: usize,
    /// The number of these differences that no cause explains because they were not reduced.
    pub unreduced: Unreduced,
}

/// Numbers of sequences, over all files, whose results differ and that were not reduced, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Unreduced {
    /// The time for reduction was over, or the user ended it.
    pub stopped: usize,
    /// Enough causes were known.
    pub too_many: usize,
    /// Alone in a fresh process, the sequence has the same result as in the plain order.
    pub not_alone: usize,
}

impl Unreduced {
    /// The reasons whose numbers are not 0, with the numbers.
    pub fn reasons(&self) -> Vec<(usize, &'static str)> {
        let all = [
            (self.stopped, "the time for it was over"),
            (self.too_many, "enough causes were known"),
            (self.not_alone, "alone in a fresh process, they read as in the plain order"),
        ];
        all.into_iter().filter(|(count, _)| *count > 0).collect()
    }
}

impl DriverResult {
    /// Returns the number of sequences whose results differ from the plain order, of any kind, reduced or not.
    pub fn found(&self) -> usize {
        self.crash + self.hang + self.differs + self.refused
    }

    /// Returns the numbers of a row of a table: sequences, files that cannot be read, and differences of each
    /// [kind](Kind::ALL).
    pub fn counts(&self) -> [usize; 6] {
        [self.run, self.unread, self.crash, self.hang, self.differs, self.refused]
    }

    /// Counts a difference.
    pub fn count(&mut self, kind: Kind) {
        *match kind {
            Kind::Crash => &mut self.crash,
            Kind::Hang => &mut self.hang,
            Kind::Differs => &mut self.differs,
            Kind::Refused => &mut self.refused,
        } += 1;
    }
}

/// How sure it is that two reduced differences are one fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sure {
    /// Some of the runs agree, but not all.
    Likely,
    /// All runs agree: each cause shows the fault on the file of the other, and other sequences show it on both or on
    /// neither. Or a sanitizer, a stack or a panic names the same place.
    Sure,
}

impl Sure {
    /// Returns the word for this.
    pub fn word(self) -> &'static str {
        match self {
            Self::Likely => "likely",
            Self::Sure => "sure",
        }
    }
}

/// Another reduced difference that is the same fault.
#[derive(Debug, Clone, Serialize)]
pub struct Evidence {
    /// The seed file of that difference.
    pub seed: String,
    /// The driver of that difference.
    pub driver: String,
    /// The sequence of that difference.
    pub calls: Vec<String>,
    /// The choices of that difference; empty if the seed shows it.
    pub choices: Choices,
    /// The reason, in words of the library.
    pub why: String,
    /// How sure it is that it is the same fault.
    pub sure: Sure,
}

/// A fault: a reduced difference, and others that are the same fault.
#[derive(Debug, Clone, Serialize)]
pub struct Cause {
    /// The seed file.
    pub seed: String,
    /// The name of the driver.
    pub driver: String,
    /// The kind.
    pub kind: Kind,
    /// For a crash, the sanitizer's kind, the signal or the panic, and the function, if known.
    pub fault: String,
    /// The remaining functions of the library, without those that only open the file or go to a page.
    pub library: Vec<String>,
    /// The shortest sequence. Its last call is the one whose result differs.
    pub calls: Vec<String>,
    /// The calls, with `_` for arguments that may have any legal value.
    pub any: Vec<String>,
    /// The reason, in words of the library.
    pub why: String,
    /// The fewest choices; empty if the seed shows it.
    pub choices: Choices,
    /// The number of sequences that the cause explains, over all files.
    pub explains: usize,
    /// The number of files on which the cause was seen.
    pub files: usize,
    /// Other reduced differences that are the same fault.
    pub evidence: Vec<Evidence>,
    /// The number of the first cause that fails in the same function with the same message after other calls.
    pub like: Option<usize>,
    /// The number of the first cause that may be the same fault. The time was over before they were compared.
    pub not_compared: Option<usize>,
    /// True if the calls and choices may not be minimal because the time was over.
    pub unfinished: bool,
    /// The name of the file that shows it, in the folder of the report.
    pub shown_by: String,
    /// The file that shows it.
    #[serde(skip)]
    pub file: Vec<u8>,
    /// The calls.
    #[serde(skip)]
    pub(super) sequence: Vec<Call>,
    /// The outcome of the last call.
    #[serde(skip)]
    pub(super) outcome: Outcome,
    /// The files on which the cause was seen, by their seed and position.
    #[serde(skip)]
    pub(super) seen: BTreeSet<(String, usize)>,
}

impl Cause {
    /// Returns the kind, the known facts about a crash, and the functions of the library.
    pub fn heading(&self) -> String {
        let fault =
            if self.fault.is_empty() { String::new() } else { format!(" ({})", self.fault) };
        format!("{}{fault}: {}", self.kind.word(), self.library.join(", then "))
    }

    /// Adds sequences that the cause explains, and the files of a seed on which they were seen.
    pub(super) fn see(&mut self, seed: &str, explains: usize, files: &BTreeSet<usize>) {
        self.explains += explains;
        self.seen.extend(files.iter().map(|file| (seed.to_owned(), *file)));
        self.files = self.seen.len();
    }

    /// Merges another cause that is the same fault into this one.
    pub(super) fn take(&mut self, other: Self, sure: Sure) {
        self.explains += other.explains;
        self.seen.extend(other.seen);
        self.files = self.seen.len();
        self.evidence.push(Evidence {
            seed: other.seed,
            driver: other.driver,
            calls: other.calls,
            choices: other.choices,
            why: other.why,
            sure,
        });
        let others = other.evidence.into_iter();
        self.evidence.extend(others.map(|e| Evidence { sure: e.sure.min(sure), ..e }));
    }
}
