//! The reports of a night that has begun but not ended. They replace the reports of an earlier night.

use std::io;
use std::path::Path;

use maud::html;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::junit::text_of;
use super::sarif::unfinished;
use super::{Alarm, JUNIT, PAGE, SARIF, SUMMARY};
use crate::files::{make, remove, replace};
use crate::report::{clean, shell};

/// Writes reports into `dir` that say that the night of `day` has not finished, and `why`. They remain if the night is
/// killed.
///
/// # Errors
///
/// Returns an error that names the file.
pub fn write_unfinished(dir: &Path, day: &str, why: &str) -> io::Result<()> {
    let text = clean(&format!("repfuzz, night of {day}: not finished: {why}"));
    make(dir)?;
    for alarm in Alarm::ALL {
        remove(&dir.join(alarm.folder()))?;
    }
    // The list of the seeds' reports belongs to an earlier night.
    remove(&dir.join("index.html"))?;
    let content = html! {
        h1 { "Night of " (clean(day)) }
        p.lead { "This night has not finished: " (clean(why)) }
    };
    let mut report = Report::new(text.clone());
    let mut suite = TestSuite::new("night");
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(text.clone());
    let mut case = TestCase::new("finished", status);
    case.set_classname("night");
    suite.add_test_case(case);
    report.add_test_suite(suite);
    let junit = text_of(&report).map_err(io::Error::other)?;
    let sarif = serde_json::to_string_pretty(&unfinished(&text))? + "\n";
    for (name, text) in [
        (SUMMARY, format!("{text}\n")),
        (JUNIT, junit),
        (SARIF, sarif),
        (PAGE, shell(&text, &[], &content)),
    ] {
        replace(&dir.join(name), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::tests::with_report;
    use super::super::write_night;
    use super::*;

    #[test]
    fn nothing_of_an_earlier_night_stays() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        with_report(|report| write_night(dir, report)).unwrap();
        fs::write(dir.join("index.html"), "yesterday").unwrap();
        write_unfinished(dir, "2026-11-23", "it is <running>").unwrap();
        let mut names: Vec<String> = fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, [JUNIT, PAGE, SARIF, SUMMARY]);
        for name in names {
            let text = fs::read_to_string(dir.join(&name)).unwrap();
            assert!(text.contains("2026-11-23") && text.contains("running"), "{name}: {text}");
            assert!(!text.contains("2026-11-22"), "{name}: {text}");
            let escaped = [PAGE, JUNIT].contains(&name.as_str());
            assert!(!escaped || !text.contains("<running>"), "{name}: {text}");
        }
        let junit = Report::deserialize_from_str(&fs::read_to_string(dir.join(JUNIT)).unwrap());
        assert_eq!(junit.unwrap().errors, 1);
    }
}
