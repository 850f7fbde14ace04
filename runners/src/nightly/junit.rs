//! A night as JUnit XML: one test suite per client, one test case per finding.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::summary::{finding, title};
use super::verdict::{Item, Verdict};
use super::{Night, example_name};

/// New findings are failures, fixed ones passed tests; known ones and those that were not
/// rechecked are skipped tests. A client without findings has one passed test.
///
/// # Errors
///
/// Returns an error if it cannot be formatted as XML.
pub fn junit(night: &Night, verdict: &Verdict) -> Result<String, String> {
    let mut report = Report::new(title(night));
    let mut names: Vec<&str> = night.clients.iter().map(|(name, _)| &**name).collect();
    let Verdict { new, fixed, known, unchecked } = verdict;
    let all = new.iter().chain(fixed).chain(known).chain(unchecked);
    for name in all.map(|item| &*item.bucket.key.client) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        let mut suite = TestSuite::new(name);
        if let Some((_, version)) = night.clients.iter().find(|(n, v)| n == name && !v.is_empty()) {
            suite.add_property(("version", &**version));
        }
        let of = |item: &&Item| item.bucket.key.client == name;
        for (place, item) in new.iter().enumerate().filter(|(_, item)| of(item)) {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(item.bucket.key.outcome.word());
            status.set_message(finding(item));
            let example = &item.bucket.example;
            let mut text = format!("{}, from {}", example_name(place, item), example.seed_file);
            for more in item.why.iter().chain([&example.message]).filter(|m| !m.is_empty()) {
                text.push('\n');
                text.push_str(more);
            }
            status.set_description(text);
            suite.add_test_case(case(item, status));
        }
        for item in fixed.iter().filter(of) {
            suite.add_test_case(case(item, TestCaseStatus::success()));
        }
        for item in known.iter().chain(unchecked).filter(of) {
            let mut status = TestCaseStatus::skipped();
            status.set_message(item.why.join("; "));
            suite.add_test_case(case(item, status));
        }
        if suite.test_cases.is_empty() {
            let mut fine = TestCase::new("no difference", TestCaseStatus::success());
            fine.set_classname(name);
            suite.add_test_case(fine);
        }
        report.add_test_suite(suite);
    }
    report.to_string().map_err(|error| error.to_string())
}

fn case(item: &Item, status: TestCaseStatus) -> TestCase {
    let key = &item.bucket.key;
    // The dimensions without values, so that a test keeps its name from night to night.
    let name = match &key.dimensions[..] {
        [] => item.bucket.example.title.clone(),
        dimensions => dimensions.join(" with "),
    };
    let mut case = TestCase::new(format!("{}: {name}", key.signature()), status);
    case.set_classname(key.client.clone());
    case
}

#[cfg(test)]
mod tests {
    use super::super::summary::tests::{night, verdict};
    use super::*;

    #[test]
    fn a_parser_finds_what_was_written() {
        let text = junit(&night(), &verdict()).unwrap();
        let report = Report::deserialize_from_str(&text).unwrap();
        assert_eq!((report.tests, report.failures, report.errors), (6, 1, 0));
        let suites: Vec<&str> = report.test_suites.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(suites, ["a", "<b>", "fine", "gone"]);
        let failed = &report.test_suites[1].test_cases[0];
        assert_eq!(failed.name.as_str(), "wrong: x with y");
        let TestCaseStatus::NonSuccess { message, ty, description, .. } = &failed.status else {
            panic!("it is new: {failed:?}")
        };
        assert_eq!(ty.as_ref().map(|t| t.as_str()), Some("wrong"));
        assert_eq!(message.as_ref().map(|m| m.as_str()), Some("<b>: wrong, x = 2 with y = 2"));
        let description = description.as_ref().map(|d| d.as_str()).unwrap_or_default();
        assert!(description.contains("new/01-b-wrong.tif, from seeds/a <b>.tif"), "{description}");
        assert!(description.contains("cannot & will not"), "{description}");
        let skipped = report.test_suites[0].test_cases.iter();
        let skipped = skipped.filter(|c| matches!(c.status, TestCaseStatus::Skipped { .. }));
        assert_eq!(skipped.count(), 2);
    }
}
