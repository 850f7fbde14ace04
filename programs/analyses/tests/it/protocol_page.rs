//! The examples of the protocol's page are messages of this project.

use std::collections::BTreeSet;

use analyses::protocol::wire::{Envelope, Join, Message, Task};
use analyses::protocol::{formula, parse};
use serde_json::Value;

const PAGE: &str = include_str!("../../../../docs/analyze-protocol.md");

/// The lines of all blocks of JSON.
fn examples() -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in PAGE.lines().map(str::trim) {
        match line {
            "```json" => inside = true,
            "```" => inside = false,
            line if inside => found.push(line),
            _ => {}
        }
    }
    found
}

#[test]
fn examples_are_what_is_sent() {
    let mut kinds = BTreeSet::new();
    for text in examples() {
        let value: Value = serde_json::from_str(text).expect(text);
        let again = if value.get("message").is_some() {
            let envelope: Envelope = serde_json::from_str(text).expect(text);
            if let Message::Values { formula } = &envelope.message {
                assert_eq!(parse::formula(formula).expect(formula).to_string(), *formula);
            }
            if let Message::GetValues { wanted, .. } = &envelope.message {
                for of in wanted {
                    let read: formula::Dereference = parse::dereference(of).expect(of);
                    assert_eq!(read.to_string(), *of);
                }
            }
            serde_json::to_value(&envelope)
        } else if value.get("name").is_some() {
            serde_json::to_value(serde_json::from_str::<Join>(text).expect(text))
        } else {
            serde_json::to_value(Task::read(text).expect(text))
        };
        assert_eq!(again.expect(text), value, "{text}");
        kinds.extend(value["message"].as_str().map(str::to_owned));
    }
    // A kind that is new must be described: this list follows from `Message`.
    let unknown = serde_json::from_str::<Envelope>(r#"{"message": "?"}"#).unwrap_err().to_string();
    let all: BTreeSet<String> = unknown.split('`').skip(3).step_by(2).map(str::to_owned).collect();
    assert!(all.len() > 15, "{unknown}");
    assert_eq!(kinds, all);
}

#[test]
fn the_line_counts_of_the_page_are_right() {
    let script = include_str!("../../examples/constants.py");
    let at = |text: &str| script.lines().position(|line| line.starts_with(text)).expect(text);
    let (begin, end) = (at("# ---- NATS"), at("# ---- The analysis"));
    assert!(end - begin <= 180);
    assert!(
        PAGE.contains(&format!("{} lines for the protocol and NATS", end - begin)),
        "{}",
        end - begin
    );
}
