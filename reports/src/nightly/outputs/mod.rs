//! The reports of a night: text, a page, JUnit XML and SARIF, with the files of what is new or worse.

mod examples;
mod junit;
mod page;
mod sarif;
mod summary;
mod unfinished;

use std::io;
use std::path::Path;

pub use examples::write_examples;
pub use junit::junit;
pub use page::page;
pub use sarif::sarif;
pub use summary::summary;
pub use unfinished::write_unfinished;

use serde::{Deserialize, Serialize};

use super::verdict::{Item, Verdict};
use super::{Broken, Coverage, Night};
use crate::files::replace;
use crate::report::{extension, stem};

/// Everything that the reports of a night present.
#[derive(Debug, Clone, Copy)]
pub struct NightReport<'r> {
    /// Its identity.
    pub night: &'r Night,
    /// Its findings.
    pub verdict: &'r Verdict,
    /// The coverage of the night.
    pub coverage: &'r Coverage,
}

/// The data that a store keeps, from which the report of a night can be written again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptReport {
    /// Its identity.
    pub night: Night,
    /// Its findings.
    pub verdict: Verdict,
    /// The coverage of the night.
    pub coverage: Coverage,
}

impl KeptReport {
    /// The report.
    pub fn report(&self) -> NightReport<'_> {
        let Self { night, verdict, coverage } = self;
        NightReport { night, verdict, coverage }
    }
}

/// The names of the reports in the night's folder.
const SUMMARY: &str = "summary.txt";
const PAGE: &str = "nightly.html";
const JUNIT: &str = "junit.xml";
const SARIF: &str = "results.sarif";

/// A category whose findings have example files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alarm {
    New,
    Worse,
    Found,
}

impl Alarm {
    const ALL: [Alarm; 3] = [Alarm::New, Alarm::Worse, Alarm::Found];

    /// The clients that are in this category as a whole.
    fn broken(self, coverage: &Coverage) -> impl Iterator<Item = &Broken> {
        coverage.broken.iter().filter(move |broken| match self {
            Alarm::New => !broken.worse,
            Alarm::Worse => broken.worse,
            Alarm::Found => false,
        })
    }

    /// The folder of the examples, inside the night's folder.
    fn folder(self) -> &'static str {
        match self {
            Alarm::New => "new",
            Alarm::Worse => "worse",
            Alarm::Found => "found",
        }
    }

    fn items(self, verdict: &Verdict) -> &[Item] {
        match self {
            Alarm::New => &verdict.new,
            Alarm::Worse => &verdict.worse,
            Alarm::Found => &verdict.found,
        }
    }

    /// The path of the example of the finding at `place`, relative to the night's folder.
    fn example(self, place: usize, item: &Item) -> String {
        let key = &item.bucket.key;
        let extension = extension(&item.bucket.example.seed_file);
        format!("{}/{}.{extension}", self.folder(), stem(place, &key.client, key.outcome))
    }

    /// The path of the seed file to which the example refers, if that is not the seed of the run.
    fn seed(self, place: usize, item: &Item) -> String {
        let key = &item.bucket.key;
        let extension = extension(&item.bucket.example.seed_file);
        format!("{}/{}.seed.{extension}", self.folder(), stem(place, &key.client, key.outcome))
    }
}

/// The title of the night.
fn title(night: &Night) -> String {
    format!("repfuzz, night of {}, run seed {}", night.day, night.number)
}

/// Writes all reports into `dir` and replaces those of earlier nights, each atomically.
///
/// # Errors
///
/// Returns an error that names the file.
pub fn write_night(dir: &Path, report: &NightReport<'_>) -> io::Result<()> {
    write_examples(dir, report.verdict)?;
    let junit = junit(report).map_err(io::Error::other)?;
    let sarif = serde_json::to_string_pretty(&sarif(report))? + "\n";
    for (name, text) in
        [(SUMMARY, summary(report)), (JUNIT, junit), (SARIF, sarif), (PAGE, page(report))]
    {
        replace(&dir.join(name), text)?;
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::coverage::tests::bad;
    use super::super::verdict::tests::bucket;
    use super::*;
    use campaign::oracle::Outcome;

    pub fn night() -> Night {
        let clients = [("a", "1.0"), ("<b>", "2"), ("fine", "")];
        let clients = clients.map(|(name, version)| (name.to_owned(), version.to_owned()));
        Night { day: "2026-11-22".into(), number: 20_261_122, clients: clients.into() }
    }

    pub fn verdict() -> Verdict {
        let item = |client, outcome, dimensions: &[&str], why: &str, accepted| Item {
            bucket: bucket(client, outcome, dimensions),
            why: vec![why.to_owned()],
            accepted,
        };
        Verdict {
            new: vec![item(
                "<b>",
                Outcome::Wrong,
                &["x", "y"],
                "reappeared after it was fixed",
                false,
            )],
            worse: vec![item("a", Outcome::Refused, &["x"], "now also with <i> & x = 3", false)],
            found: vec![item("a", Outcome::Wrong, &["w"], "its program has not changed", false)],
            fixed: vec![item("a", Outcome::Crash, &["x"], "seen since 2026-11-03", false)],
            known: vec![
                item("a", Outcome::Hang, &["x"], "accepted: known bug", true),
                item("a", Outcome::Refused, &["z"], "seen since 2026-11-03", false),
            ],
            unchecked: vec![item("gone", Outcome::Wrong, &["x"], "last seen 2026-11-03", false)],
            unused: vec!["a: wrong, y (accepted: on purpose)".to_owned()],
        }
    }

    /// Calls `check` with a report that has at least one item of every kind.
    pub fn with_report<R>(check: impl FnOnce(&NightReport<'_>) -> R) -> R {
        let (night, verdict, coverage) = (night(), verdict(), bad());
        check(&NightReport { night: &night, verdict: &verdict, coverage: &coverage })
    }

    #[test]
    fn what_is_kept_is_the_same() {
        let kept = KeptReport { night: night(), verdict: verdict(), coverage: bad() };
        let text = serde_json::to_string(&kept).unwrap();
        let again: KeptReport = serde_json::from_str(&text).unwrap();
        assert_eq!(again, kept);
        assert_eq!(summary(&again.report()), with_report(summary));
    }

    /// Calls `check` with an empty report.
    pub fn with_nothing<R>(check: impl FnOnce(&NightReport<'_>) -> R) -> R {
        let (night, verdict, coverage) = (night(), Verdict::default(), Coverage::default());
        check(&NightReport { night: &night, verdict: &verdict, coverage: &coverage })
    }
}
