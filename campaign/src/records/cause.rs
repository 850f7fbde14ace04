//! A cause: the minimal choices with which a client's result differs.

use std::cmp::Reverse;

use inverter::solve::{Choice, Choices};
use serde::{Deserialize, Serialize};
use tiff_harness::Picture;
use tiff_harness::meaning::common::per_mille;

use super::boundary::Boundary;
use super::client_id::ClientId;
use super::judgment::Trial;
use super::run_count::RunCount;
use super::small::SmallExample;
use super::words;
use super::worker_count::WorkerCount;
use crate::oracle::{DifferenceKind, Outcome, Refusal, Signature};
use clients::Unsupported;
use clients::contract::convention::Listed;

use equivalents::subject::{Class, Subject};

/// The extent to which a cause was reduced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Depth {
    /// Completely: the set of choices is 1-minimal.
    Minimal,
    /// In part: the reduction was cut short, so fewer dimensions may suffice.
    Partly,
    /// Not at all.
    Not,
    /// Not at all, because the client's results differ from run to run.
    Flaky,
}

/// The file that is to blame for a cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The client reads the seed correctly but misreads this file.
    FileWrong,
    /// The client misreads the seed: the cause is among the seed's own choices.
    SeedWrong,
    /// The client misreads every file of the picture, including the plainest.
    BothWrong,
    /// The picture is right except for its low bits: TIFF 6.0 does not require any precision of a reader's output.
    PrecisionLost,
    /// The client's conventions are unknown, and each documented one was tried. None gives its picture of the file, but
    /// one gives its picture of the seed.
    FileUnexplained,
    /// The same, with the two pictures exchanged: one convention gives its picture of the file, but none its picture of
    /// the seed.
    SeedUnexplained,
    /// Nothing determines the right output, because the client was compared with itself.
    ContractUnknown,
}

/// A documented behavior of readers that explains a difference and is not a bug.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Convention {
    /// The property and its convention, or several: `orientation: flips only`.
    pub name: String,
    /// The reason why it is not a bug.
    pub reason: String,
    /// The document that describes it.
    pub source: String,
}

impl Convention {
    /// Returns the convention of a client with these conventions, each with its property.
    pub(crate) fn of(conventions: &[(&str, Listed)]) -> Self {
        let joined = |part: &dyn Fn(&(&str, Listed)) -> String, between: &str| {
            conventions.iter().map(part).collect::<Vec<_>>().join(between)
        };
        Self {
            name: joined(&|(property, listed)| format!("{property}: {}", listed.name), ", "),
            reason: joined(&|(_, listed)| listed.reason.to_owned(), " "),
            source: joined(&|(_, listed)| listed.source.to_owned(), "; "),
        }
    }

    /// Returns the convention of clients whose output has fewer bits for some files.
    pub(crate) fn precision() -> Self {
        Self {
            name: "precision: low bits".to_owned(),
            reason: "The picture is right but for its low bits: no precision of a reader's output \
                     is demanded."
                .to_owned(),
            source: "TIFF 6.0, section 8, BitsPerSample".to_owned(),
        }
    }
}

impl Verdict {
    /// Returns a sentence about the verdict.
    pub fn sentence(self) -> &'static str {
        match self {
            Verdict::FileWrong => {
                "The client reads the seed as it should, and this file not: the file's encoding is \
                 the cause."
            }
            Verdict::SeedWrong => {
                "The seed itself is stored in this way: the client does not read the seed as it \
                 should."
            }
            Verdict::BothWrong => {
                "The client reads no file of this picture as it should, not even the plainest."
            }
            Verdict::PrecisionLost => {
                "The client shows the right picture with fewer bits than other files of it. TIFF 6.0 \
                 demands no precision of a reader's output."
            }
            Verdict::FileUnexplained => {
                "The client's conventions for such files are not known. Each documented one was tried: \
                 none gives this picture of the file, and one gives its picture of the seed. So it reads \
                 this file wrongly, unless it follows a convention that no document describes."
            }
            Verdict::SeedUnexplained => {
                "The client's conventions for such files are not known. Each documented one was tried: \
                 none gives its picture of the seed, and one gives that of this file. So it reads the \
                 seed wrongly, unless it follows a convention that no document describes."
            }
            Verdict::ContractUnknown => {
                "The client's conventions for such files are not known, so it was compared with \
                 itself: which of the two pictures is right was not decided."
            }
        }
    }
}

/// The file that shows a cause without dimensions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WholeFile {
    /// The seed, encoded again with its own choices.
    #[default]
    Reencoded,
    /// The plainest file of the picture.
    Plainest,
    /// The seed file, but not the file with the same choices: no dimension describes the cause.
    SeedItself,
}

/// The rank of a cause in reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// A fault of the client.
    Fault,
    /// A refusal of features without a reason, which may be a limit or a fault.
    Unexplained,
    /// A documented convention of readers: no fault.
    Convention,
    /// A limit: the client, or its description, says that it does not support a feature.
    Limit,
}

/// A file that shows a cause, in the form in which a night compares it with earlier nights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CauseForm {
    /// The value classes of the dimensions of the cause: `compression = LZW`.
    pub classes: String,
    /// All choices of the file that differ from those of the file from which variants derive.
    pub choices: Choices,
}

/// One representation dependence of one client. Stores contain it: a new field needs
/// `#[serde(default)]`, because older stores lack it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Cause {
    /// The client.
    pub client: ClientId,
    /// The outcome.
    pub outcome: Outcome,
    /// The kind of difference of a wrong picture: the common kind of all examples, or their family. `None` if it is
    /// unknown, as in older stores.
    #[serde(default)]
    pub difference: Option<DifferenceKind>,
    /// The kinds of difference of other causes with the same dimensions and the same fault, because all files between
    /// them and this one are wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub appearances: Vec<DifferenceKind>,
    /// The extent to which it was reduced.
    pub depth: Depth,
    /// The dimensions, all of which are needed. If there are none, either the re-encoded seed suffices or nothing is
    /// known; see `depth`.
    pub dimensions: Vec<String>,
    /// The file that shows the cause, if the cause needs no choices and has no dimensions.
    #[serde(default)]
    pub whole: WholeFile,
    /// The file that is to blame; `None` in older stores.
    #[serde(default)]
    pub verdict: Option<Verdict>,
    /// The right output for the kept example, if the client's contract determines it.
    #[serde(default, with = "super::pack::maybe_picture")]
    pub expected: Option<Picture>,
    /// True if it is a limit rather than a fault: the client, or its description, says that it does not support a
    /// feature selected by the dimensions.
    #[serde(default)]
    pub limit: bool,
    /// True if the client refuses such a feature without a reason.
    #[serde(default)]
    pub unexplained: bool,
    /// The convention of readers that explains the cause, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convention: Option<Convention>,
    /// The number of files, in a thousand real ones, with the rarest of its values; `None` if no file has its
    /// dimensions or the format is not TIFF.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common: Option<usize>,
    /// True if the runs of its reduction reported that something is not supported. A worker may report less than the
    /// fresh process from which `message` comes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unsupported: bool,
    /// The choices of each example that is known to fail, simplest first.
    pub examples: Vec<Choices>,
    /// The files of examples, a few for each of their value classes.
    #[serde(default)]
    pub forms: Vec<CauseForm>,
    /// The examples in words.
    pub values: Vec<String>,
    /// A description of the values that never failed, if there is only one dimension.
    pub fine: Vec<String>,
    /// If there is one dimension: its values that passed when only this dimension varied.
    pub passed: Vec<Choice>,
    /// The boundary between passing and failing numbers, for dimensions where it was found.
    #[serde(rename = "edges")]
    pub boundaries: Vec<(String, Boundary)>,
    /// The number of findings that it explains; at least 1 when triage is complete.
    pub count: usize,
    /// The class of the kept example.
    pub class: Class,
    /// The choices of the kept example that are needed.
    pub choices: Choices,
    /// Further choices of the kept example that differ from the seed's because of `choices`.
    pub follows: Choices,
    /// The file of the kept example.
    #[serde(with = "super::pack::bytes")]
    pub file: Vec<u8>,
    /// The client's picture of that file, if it shows one.
    #[serde(with = "super::pack::maybe_picture")]
    pub got: Option<Picture>,
    /// The client's message for that file.
    pub message: String,
    /// An example on a smaller picture, if one was found.
    #[serde(default)]
    pub small: Option<SmallExample>,
    /// The results of several runs on the file, if they differ.
    #[serde(default)]
    pub runs: Vec<RunCount>,
    /// True if two runs on one file had this signature, but different pictures.
    #[serde(default)]
    pub varies: bool,
    /// The files of each worker, if its client ran on a fleet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<WorkerCount>,
    /// Up to two other clients of the run, with their versions, that read the file correctly with other libraries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readers: Vec<String>,
}

/// Sorts `causes` for the report: faults first and limits last, then the worst and most certain first, with lost low
/// bits after other pixels. Among these, features that every reader must support come first, then those most common
/// among real files. `name` returns the name of a client.
pub(crate) fn rank<'n>(causes: &mut [Cause], name: impl Fn(ClientId) -> &'n str) {
    causes.sort_by_cached_key(|c| {
        let certain = (c.depth > Depth::Partly, c.difference == Some(DifferenceKind::LowBits));
        let rank = (c.standing(), c.outcome, certain, c.class, Reverse(c.common));
        let size = (c.dimensions.len(), Reverse(c.count));
        (rank, size, name(c.client).to_owned(), c.dimensions.clone(), c.client, c.difference)
    });
}

impl Cause {
    /// Returns the outcome with the kind of difference, or with whether the client stated a limit when the cause was
    /// reduced.
    pub fn signature(&self) -> Signature {
        let Self { outcome, difference, unsupported, .. } = *self;
        Signature { outcome, difference, unsupported }
    }

    /// Returns true if `varied` has the value classes of all choices of this cause.
    pub(crate) fn is_in(&self, subject: &dyn Subject, varied: &[(String, String)]) -> bool {
        self.depth <= Depth::Partly
            && self.whole != WholeFile::SeedItself
            && self.examples.iter().any(|example| {
                example.iter().all(|(dimension, value)| {
                    let class = subject.value_class(dimension, value);
                    varied.iter().any(|(d, c)| d == dimension && *c == class)
                })
            })
    }

    /// Returns the key that compares kept examples: class, size, simplicity of the values.
    pub(crate) fn cost(&self) -> impl Ord + use<> {
        let simple: usize = self.choices.iter().map(|(_, v)| words::complexity(v)).sum();
        let size = (self.follows.len(), self.file.len());
        (self.class, size, simple, words::order(&self.choices))
    }

    /// A cause that consists of `choices`. Its kept example is `trial`, for which a confirming run showed the picture
    /// `got` or printed `message`.
    pub(crate) fn of(
        subject: &dyn Subject,
        client: ClientId,
        trial: Trial,
        choices: Choices,
        depth: Depth,
        (got, message): (Option<Picture>, String),
    ) -> Self {
        let mut cause = Self {
            dimensions: in_order(subject, &choices),
            ..Self::empty(client, trial.judgment.signature(), depth, trial.variant.class)
        };
        cause.keep(subject, trial, choices, (got, message));
        cause
    }

    /// A cause without choices, examples and file.
    pub(crate) fn empty(
        client: ClientId,
        Signature { outcome, difference, unsupported }: Signature,
        depth: Depth,
        class: Class,
    ) -> Self {
        Self {
            client,
            outcome,
            difference,
            appearances: Vec::new(),
            depth,
            dimensions: Vec::new(),
            whole: WholeFile::default(),
            verdict: None,
            expected: None,
            limit: false,
            unexplained: false,
            convention: None,
            common: None,
            unsupported,
            examples: Vec::new(),
            forms: Vec::new(),
            values: Vec::new(),
            fine: Vec::new(),
            passed: Vec::new(),
            boundaries: Vec::new(),
            count: 0,
            class,
            choices: Choices::new(),
            follows: Choices::new(),
            file: Vec::new(),
            got: None,
            message: String::new(),
            small: None,
            runs: Vec::new(),
            varies: false,
            workers: Vec::new(),
            readers: Vec::new(),
        }
    }

    /// Makes `trial` the kept example, with the minimal `choices` and the picture `got` or the message
    /// of a confirming run.
    pub(crate) fn keep(
        &mut self,
        subject: &dyn Subject,
        trial: Trial,
        choices: Choices,
        (got, message): (Option<Picture>, String),
    ) {
        let differing = trial.variant.differing_from(subject.own_choices());
        self.add_kind(trial.judgment.difference);
        self.class = trial.variant.class;
        self.follows = differing.differing_from(&choices);
        self.file = trial.variant.bytes;
        self.got = got.filter(|_| self.outcome == Outcome::Wrong);
        self.message = if message.is_empty() { trial.judgment.message } else { message };
        self.add_example(&choices);
        self.choices = choices;
    }

    /// Adds the kind of difference of another example.
    pub(crate) fn add_kind(&mut self, kind: Option<DifferenceKind>) {
        if self.difference != kind {
            self.difference = kind.map(DifferenceKind::family);
        }
    }

    /// Returns the rank of this cause in reports.
    pub fn standing(&self) -> Standing {
        match (self.limit, &self.convention, self.unexplained) {
            (true, ..) => Standing::Limit,
            (_, Some(_), _) => Standing::Convention,
            (.., true) => Standing::Unexplained,
            _ => Standing::Fault,
        }
    }

    /// Returns true if it may be a fault of the client: it is neither a limit nor a convention.
    pub fn is_fault(&self) -> bool {
        self.standing() <= Standing::Unexplained
    }

    /// Returns true if it is a wrong picture that is not proved wrong, because the client was compared with itself.
    pub fn is_undecided(&self) -> bool {
        let unknown = self.verdict.is_none_or(|verdict| verdict == Verdict::ContractUnknown);
        self.outcome == Outcome::Wrong && unknown
    }

    /// Returns true if the message of the kept example says that something is not supported.
    pub(crate) fn states_limit(&self) -> bool {
        self.outcome == Outcome::Refused && Refusal::of(&self.message) == Refusal::Unsupported
    }

    /// Decides the rank of a cause. A limit requires that the client, or its description, says so: `declared` are the
    /// features that the description declares as unsupported. Only optional features of `subject` can be limits, and
    /// the picture itself: if the client is not `judged`, because it reads no file of the picture, that is a limit
    /// whatever its message is.
    pub(crate) fn rate(&mut self, subject: &dyn Subject, declared: &[Unsupported], judged: bool) {
        let feature = |dimension: &String| subject.is_feature(dimension);
        let is_refusal = self.outcome == Outcome::Refused
            && self.depth <= Depth::Partly
            && self.dimensions.iter().all(feature);
        let declares = |unsupported: &Unsupported| {
            self.choices.iter().any(|(dimension, value)| {
                unsupported.is(dimension, &subject.value_class(dimension, value))
            })
        };
        let share = |(dimension, value): (&str, &Choice)| {
            per_mille(dimension, &subject.value_class(dimension, value))
        };
        let is_tiff = subject.format_text().is_none();
        self.common = self.choices.iter().filter(|_| is_tiff).filter_map(share).min();
        let reason = Refusal::of(&self.message);
        let states = !judged || reason == Refusal::Unsupported;
        self.limit = is_refusal && (states || declared.iter().any(declares));
        self.unexplained =
            is_refusal && !self.limit && !self.dimensions.is_empty() && reason == Refusal::Unclear;
    }

    /// Adds an example that is known to fail, unless it is already present.
    pub(crate) fn add_example(&mut self, choices: &Choices) {
        if !self.examples.contains(choices) {
            self.examples.push(choices.clone());
        }
    }
}

/// Returns the dimensions of `choices` in the order of the subject.
fn in_order(subject: &dyn Subject, choices: &Choices) -> Vec<String> {
    let position = |name: &str| subject.dimensions().iter().position(|d| d == name);
    let mut names: Vec<String> = choices.iter().map(|(d, _)| d.to_owned()).collect();
    names.sort_by_key(|name| (position(name).unwrap_or(usize::MAX), name.clone()));
    names
}
