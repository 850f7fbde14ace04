//! A night as JUnit XML: one test suite per client, one test case per finding, and a suite of the
//! coverage. It complies with the schema of Jenkins, `junit-10.xsd` of its xUnit plugin.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::super::coverage::{line, loss_groups};
use super::super::verdict::{Item, Verdict};
use super::summary::finding;
use super::{Alarm, NightReport, title};
use crate::report::clean;

/// New and worse findings and losses of coverage are failures. Fixed findings are passed tests. Known findings,
/// findings in unchanged programs, and findings that were not rechecked are skipped tests. A client without findings
/// has one passed test.
///
/// # Errors
///
/// Returns an error if it cannot be formatted as XML.
pub fn junit(night: &NightReport<'_>) -> Result<String, String> {
    let mut report = Report::new(title(night.night));
    report.add_test_suite(coverage(night));
    let mut names: Vec<&str> = night.night.clients.iter().map(|(name, _)| &**name).collect();
    let Verdict { new, worse, found, fixed, known, unchecked, unused: _ } = night.verdict;
    let all = new.iter().chain(worse).chain(found).chain(fixed).chain(known).chain(unchecked);
    for name in all.map(|item| &*item.bucket.key.client) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        report.add_test_suite(of_client(night, name));
    }
    text_of(&report)
}

/// Formats a report. Jenkins' schema has no number of skipped tests in the root element.
pub(super) fn text_of(report: &Report) -> Result<String, String> {
    let text = report.to_string().map_err(|error| error.to_string())?;
    let skipped = format!(" skipped=\"{}\"", report.skipped);
    // This set does not contain some of the characters that XML forbids. Neither these nor characters that reorder or
    // hide text are shown.
    Ok(clean(&text.replacen(&skipped, "", 1)))
}

fn coverage(night: &NightReport<'_>) -> TestSuite {
    let mut suite = TestSuite::new("coverage");
    suite.add_property(("coverage", line(night.coverage).as_str()));
    for client in &night.coverage.clients {
        if let Some(before) = &client.version_before {
            let change = format!("from {before:?} to {:?}", client.version);
            suite.add_property((format!("version of {}", client.name).as_str(), change.as_str()));
        }
    }
    for group in loss_groups(night.coverage) {
        let mut status = match group.accepted {
            Some(_) => TestCaseStatus::skipped(),
            None => TestCaseStatus::non_success(NonSuccessKind::Failure),
        };
        status.set_type("coverage");
        let accepted = group.accepted.map(|phrase| format!(" ({phrase})")).unwrap_or_default();
        status.set_message(format!("{}{accepted}", group.text));
        let mut case = TestCase::new(group.text, status);
        case.set_classname("coverage");
        suite.add_test_case(case);
    }
    if suite.test_cases.is_empty() {
        let mut fine = TestCase::new("nothing lost", TestCaseStatus::success());
        fine.set_classname("coverage");
        suite.add_test_case(fine);
    }
    suite
}

fn of_client(night: &NightReport<'_>, name: &str) -> TestSuite {
    let Verdict { found, fixed, known, unchecked, .. } = night.verdict;
    let mut suite = TestSuite::new(name);
    let version = night.night.clients.iter().find(|(n, v)| n == name && !v.is_empty());
    if let Some((_, version)) = version {
        suite.add_property(("version", &**version));
    }
    let of = |item: &&Item| item.bucket.key.client == name;
    for alarm in [Alarm::New, Alarm::Worse] {
        let items = alarm.items(night.verdict).iter().enumerate();
        for (place, item) in items.filter(|(_, item)| of(item)) {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(item.bucket.key.outcome.word());
            status.set_message(finding(item));
            let example = &item.bucket.example;
            let mut text = format!("{}, from {}", alarm.example(place, item), example.seed_file);
            for more in item.why.iter().chain([&example.message]).filter(|m| !m.is_empty()) {
                text.push('\n');
                text.push_str(more);
            }
            status.set_description(text);
            suite.add_test_case(case(item, status));
        }
    }
    for item in fixed.iter().filter(of) {
        suite.add_test_case(case(item, TestCaseStatus::success()));
    }
    for item in found.iter().chain(known).chain(unchecked).filter(of) {
        let mut status = TestCaseStatus::skipped();
        status.set_message(item.why.join("; "));
        suite.add_test_case(case(item, status));
    }
    if suite.test_cases.is_empty() {
        let mut fine = TestCase::new("no difference", TestCaseStatus::success());
        fine.set_classname(name);
        suite.add_test_case(fine);
    }
    suite
}

fn case(item: &Item, status: TestCaseStatus) -> TestCase {
    let key = &item.bucket.key;
    // Dimensions are named without values, so that a test keeps its name from night to night.
    let name = match &key.dimensions[..] {
        [] => item.bucket.example.title.clone(),
        dimensions => dimensions.join(" with "),
    };
    let name = format!("{}: {name}{}", key.signature(), key.format_bracket());
    let mut case = TestCase::new(name, status);
    case.set_classname(key.client.clone());
    case
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::tests::with_report;
    use super::*;

    #[test]
    fn a_parser_finds_what_was_written() {
        let text = with_report(junit).unwrap();
        let report = Report::deserialize_from_str(&text).unwrap();
        assert_eq!((report.tests, report.failures, report.errors), (10, 4, 0));
        let suites: Vec<&str> = report.test_suites.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(suites, ["coverage", "a", "<b>", "fine", "gone"]);
        let failed = &report.test_suites[2].test_cases[0];
        assert_eq!(failed.name.as_str(), "wrong: x with y");
        let TestCaseStatus::NonSuccess { message, ty, description, .. } = &failed.status else {
            panic!("it is new: {failed:?}")
        };
        assert_eq!(ty.as_ref().map(|t| t.as_str()), Some("wrong"));
        assert_eq!(message.as_ref().map(|m| m.as_str()), Some("<b>: wrong, x = 2 with y = 2"));
        let description = description.as_ref().map(|d| d.as_str()).unwrap_or_default();
        assert!(description.contains("new/01-b-wrong.tif, from seeds/a <b>.tif"), "{description}");
        assert!(description.contains("cannot & will not"), "{description}");
        let skipped = report.test_suites[1].test_cases.iter();
        let skipped = skipped.filter(|c| matches!(c.status, TestCaseStatus::Skipped { .. }));
        assert_eq!(skipped.count(), 3);
    }

    #[test]
    fn characters_that_xml_forbids_are_replaced() {
        let text = with_report(|report| {
            let mut verdict = report.verdict.clone();
            let said = "a\u{1}\u{b}\u{fffe}b\u{ffff}c\u{1f}\u{fdd0}";
            verdict.new[0].bucket.example.message = said.to_owned();
            junit(&NightReport { verdict: &verdict, ..*report })
        });
        let text = text.unwrap();
        // Section 2.2 of XML 1.0.
        let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..='\u{10ffff}');
        assert!(text.chars().all(allowed), "{text:?}");
        assert!(text.contains("a\u{fffd}b\u{fffd}c\u{fffd}"), "{text}");
    }

    /// The elements of Jenkins' schema that have children or attributes: their children, the required
    /// attributes and the optional ones.
    fn schema() -> BTreeMap<&'static str, [&'static [&'static str]; 3]> {
        let status: [&[&str]; 3] = [&[], &[], &["type", "message"]];
        [
            (
                "testsuites",
                [&["testsuite"] as &[&str], &[], &["name", "time", "tests", "failures", "errors"]],
            ),
            (
                "testsuite",
                [
                    &["testsuite", "properties", "testcase", "system-out", "system-err"],
                    &["name", "tests", "failures", "errors"],
                    &[
                        "group",
                        "time",
                        "skipped",
                        "timestamp",
                        "hostname",
                        "id",
                        "package",
                        "file",
                        "log",
                        "url",
                    ],
                ],
            ),
            (
                "testcase",
                [
                    &["skipped", "error", "failure", "system-out", "system-err"],
                    &["name"],
                    &["time", "classname", "group"],
                ],
            ),
            ("properties", [&["property"], &[], &[]]),
            ("property", [&[], &["name", "value"], &[]]),
            ("failure", status),
            ("error", status),
            ("skipped", status),
        ]
        .into()
    }

    /// Checks a start tag inside `parent`: `name a="1" b="2"`.
    fn check_tag(parent: Option<&str>, tag: &str) {
        let schema = schema();
        let name = tag.split_whitespace().next().unwrap();
        match parent {
            None => assert_eq!(name, "testsuites"),
            Some(parent) => assert!(schema[parent][0].contains(&name), "{name} in {parent}"),
        }
        // Values are quoted, and have no quotes inside.
        let pieces: Vec<&str> = tag[name.len()..].split('"').collect();
        let attributes: Vec<&str> = pieces
            .iter()
            .step_by(2)
            .map(|p| p.trim().trim_end_matches('='))
            .filter(|p| !p.is_empty())
            .collect();
        let [_, required, optional] = schema[name];
        for attribute in &attributes {
            assert!(
                required.contains(attribute) || optional.contains(attribute),
                "{attribute} of {tag}"
            );
        }
        for attribute in required {
            assert!(attributes.contains(attribute), "{attribute} of {tag}");
        }
    }

    #[test]
    fn it_complies_with_the_schema_of_jenkins() {
        let text = with_report(junit).unwrap();
        let mut open: Vec<String> = Vec::new();
        let mut checked = 0;
        for piece in text.split('<').skip(1) {
            let (tag, _) = piece.rsplit_once('>').unwrap();
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop().as_deref(), Some(name)),
                None if tag.starts_with('?') => {}
                None => {
                    let start = tag.trim_end_matches('/');
                    check_tag(open.last().map(String::as_str), start);
                    checked += 1;
                    if !tag.ends_with('/') {
                        open.push(start.split_whitespace().next().unwrap().to_owned());
                    }
                }
            }
        }
        assert!(open.is_empty() && checked > 20, "{checked} {open:?}");
    }

    #[test]
    fn losses_of_coverage_fail() {
        let report = Report::deserialize_from_str(&with_report(junit).unwrap()).unwrap();
        let suite = &report.test_suites[0];
        assert_eq!((suite.tests, suite.failures), (2, 2));
        assert!(suite.properties[0].value.as_str().starts_with("coverage: 2 of 2 seeds run"));
        assert_eq!(suite.properties[1].value.as_str(), "from \"8.15\" to \"8.16\"");
    }
}
