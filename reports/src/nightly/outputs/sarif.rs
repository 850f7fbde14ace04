//! A night as SARIF 2.1.0, for code scanning on a repository's host.

use serde_json::{Value, json};

use super::super::coverage::{line, loss_groups};
use super::super::verdict::{Item, Verdict};
use super::summary::finding;
use super::{Alarm, NightReport};
use crate::report::clean;
use campaign::oracle::Outcome;
use clients::digest;
use equivalents::subject::Class;

/// The URL of the schema.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// Formats one result per finding. New and worse findings are located at their example, all others at their seed.
/// Losses of coverage are notifications of the run.
pub fn sarif(report: &NightReport<'_>) -> Value {
    let Verdict { fixed, known, unchecked, .. } = report.verdict;
    let mut results = Vec::new();
    // The program is unchanged, so it did not cause the finding to appear.
    let states = [(Alarm::New, "new"), (Alarm::Worse, "updated"), (Alarm::Found, "unchanged")];
    for (alarm, state) in states {
        for (place, item) in alarm.items(report.verdict).iter().enumerate() {
            results.push(result(item, state, &alarm.example(place, item)));
        }
    }
    for item in known.iter().chain(unchecked) {
        results.push(result(item, "unchanged", &item.bucket.example.seed_file));
    }
    for item in fixed {
        results.push(result(item, "absent", &item.bucket.example.seed_file));
    }
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "repfuzz",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules(),
            }},
            "automationDetails": { "id": format!("repfuzz/{}", report.night.day) },
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications(report),
            }],
            "properties": { "coverage": report.coverage },
            "results": results,
        }],
    })
}

/// The coverage, and each loss of it.
fn notifications(report: &NightReport<'_>) -> Vec<Value> {
    let told = |level: &str, text: &str| json!({ "level": level, "message": message(text) });
    let mut all = vec![told("note", &line(report.coverage))];
    for group in loss_groups(report.coverage) {
        all.push(match &group.accepted {
            Some(phrase) => told("note", &format!("{} ({phrase})", group.text)),
            None => told("error", &group.text),
        });
    }
    all
}

/// The log of a night that has not finished; `text` states the reason.
pub(super) fn unfinished(text: &str) -> Value {
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "repfuzz", "version": env!("CARGO_PKG_VERSION") } },
            "invocations": [{
                "executionSuccessful": false,
                "toolExecutionNotifications": [{ "level": "error", "message": message(text) }],
            }],
            "results": [],
        }],
    })
}

/// A plain text message. Its brackets are escaped, because they would be links (SARIF 2.1.0, section 3.11.6).
fn message(text: &str) -> Value {
    let mut shown = String::new();
    for c in clean(text).chars() {
        if matches!(c, '\\' | '[' | ']') {
            shown.push('\\');
        }
        shown.push(c);
    }
    json!({ "text": shown })
}

fn findings() -> impl Iterator<Item = Outcome> {
    Outcome::ALL.into_iter().filter(|outcome| outcome.is_difference())
}

fn rules() -> Vec<Value> {
    let about = |outcome: Outcome| -> String {
        match outcome {
        Outcome::Wrong => {
            "The client decodes an equivalent of a file that it reads to a different picture."
        }
        Outcome::Crash => "The client crashes on an equivalent of a file that it reads.",
        Outcome::Hang => "The client does not finish on an equivalent of a file that it reads.",
        Outcome::Resource => "The client exceeds a limit on an equivalent of a file that it reads.",
        Outcome::Extra(read) => {
            return format!("The client reads an equivalent of a file {}.", read.words().does);
        }
        Outcome::Memory => {
            "The client needs far more memory for an equivalent of a file than for other equivalents."
        }
        Outcome::Slow => {
            "The client needs far more time for an equivalent of a file than for other equivalents."
        }
        _ => "The client refuses an equivalent of a file that it reads.",
    }.to_owned()
    };
    let rule = |outcome: Outcome| {
        json!({
            "id": outcome.word(),
            "shortDescription": { "text": outcome.phrase() },
            "fullDescription": { "text": about(outcome) },
            "defaultConfiguration": { "level": level(outcome, Class::Baseline) },
        })
    };
    findings().map(rule).collect()
}

fn level(outcome: Outcome, class: Class) -> &'static str {
    match (outcome, class) {
        (_, Class::Questionable) => "note",
        (Outcome::Refused, _) | (_, Class::Extension) => "warning",
        _ => "error",
    }
}

fn result(item: &Item, state: &str, file: &str) -> Value {
    let bucket = &item.bucket;
    let mut text = finding(item);
    for more in item.why.iter().chain([&bucket.example.message]).filter(|m| !m.is_empty()) {
        text.push_str(&format!("; {more}"));
    }
    let mut result = json!({
        "ruleId": bucket.key.outcome.word(),
        "ruleIndex": bucket.key.outcome.rank(),
        "level": level(bucket.key.outcome, bucket.class),
        "message": message(&text),
        "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(file) } } }],
        "partialFingerprints": { "bucket/v2": fingerprint(item) },
        "baselineState": state,
        "properties": {
            "client": bucket.key.client,
            "clientVersion": bucket.last.version,
            "difference": bucket.key.difference,
            "dimensions": bucket.key.dimensions,
            "class": bucket.class,
            "count": bucket.count,
            "firstSeen": bucket.first.at,
            "lastSeen": bucket.last.at,
            "seed": bucket.example.seed_file,
            "choices": bucket.example.choices,
        },
    });
    if !bucket.key.format.is_empty() {
        result["properties"]["format"] = json!(bucket.key.format);
    }
    if item.accepted {
        let why = json!([{ "kind": "external", "justification": item.why.join("; ") }]);
        result["suppressions"] = why;
    }
    result
}

/// An identifier of a bucket that stays the same from night to night.
fn fingerprint(item: &Item) -> String {
    let key = serde_json::to_string(&item.bucket.key).unwrap_or_default();
    digest::hex(key)[..32].to_owned()
}

/// Encodes a path as a URI reference.
fn uri(path: &str) -> String {
    let byte = |b: u8| match b {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            (b as char).to_string()
        }
        b => format!("%{b:02X}"),
    };
    path.bytes().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_report;
    use super::*;

    #[test]
    fn it_has_what_the_schema_demands() {
        let sarif = with_report(sarif);
        assert_eq!(sarif["version"], "2.1.0");
        let [run] = &sarif["runs"].as_array().unwrap()[..] else { panic!("one run") };
        let driver = &run["tool"]["driver"];
        assert!(driver["name"].is_string());
        let rules = driver["rules"].as_array().unwrap();
        for result in run["results"].as_array().unwrap() {
            assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
            let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            for (key, words) in [
                ("level", &["none", "note", "warning", "error"][..]),
                ("baselineState", &["new", "unchanged", "updated", "absent"]),
            ] {
                assert!(words.contains(&result[key].as_str().unwrap()), "{result}");
            }
            let place = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            assert!(!place.as_str().unwrap().contains([' ', '<']), "{place}");
            for one in result.get("suppressions").and_then(Value::as_array).into_iter().flatten() {
                assert_eq!(one["kind"], "external");
            }
            assert!(result["partialFingerprints"]["bucket/v2"].is_string());
        }
    }

    #[test]
    fn a_message_has_no_links() {
        let shown = message("a [b](https://c) \\ \x1b[31m\u{202e}");
        assert_eq!(shown["text"], "a \\[b\\](https://c) \\\\ \u{fffd}\\[31m\u{fffd}");
    }

    #[test]
    fn it_has_this_shape() {
        let mut sarif = with_report(sarif);
        for key in ["version", "semanticVersion"] {
            sarif["runs"][0]["tool"]["driver"][key] = "this".into();
        }
        insta::assert_json_snapshot!(sarif);
    }
}
