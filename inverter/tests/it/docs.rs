//! The examples of the documentation are what they are said to be.
//!
//! The info string of a fenced block says what it is; a block that belongs to a spec follows
//! it. `> ` starts the line that a refusal must contain.
//!
//! | info | what is checked |
//! |---|---|
//! | `text,NAME.rs` | a file that the next spec uses |
//! | `text,spec` | it parses and inverts |
//! | `text,inverse` | the inverse of the spec above, as printed |
//! | `text,ensures` | the ensures of the spec above, as explained |
//! | `json,canonical`, then `text,dimensions` | the dimensions that choices of this value have |
//! | `json,input` | an input of the *first* spec, refused with the text quoted below |
//! | `text,refused` | a spec, or statements in the frame, refused with the text quoted below |
//! | `text,loss` | a spec that inverts with a loss, quoted below |
//! | `text,frame` | where statements stand, in place of `..` |
//! | `text` | nothing |

use std::collections::BTreeSet;
use std::path::PathBuf;

use inverter::invert::invert;
use inverter::primitive::Primitives;
use inverter::program::{Embedded, SpecError, SpecText, parse, parse_from};
use inverter::run::{Executable, Limits, from_json, invert_value, normalize};
use inverter::solve::ChoiceSource;

struct Block {
    info: String,
    text: String,
    /// The line of its opening fence, from 1.
    line: usize,
    /// The quoted line below it.
    quote: Option<String>,
}

fn blocks(markdown: &str) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    for (k, line) in markdown.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => out.extend(open.take()),
            (Some(block), None) => block.text.push_str(&format!("{line}\n")),
            (None, Some(info)) => {
                let info = info.to_owned();
                open = Some(Block { info, text: String::new(), line: k + 1, quote: None });
            }
            (None, None) => {
                if let (Some(quote), Some(last)) = (line.strip_prefix("> "), out.last_mut()) {
                    last.quote = Some(quote.to_owned());
                }
            }
        }
    }
    assert!(open.is_none(), "a block is not closed");
    out
}

fn inverted(text: &str) -> Result<Executable, SpecError> {
    parse("spec.rs", text).and_then(|program| invert(&program)).map(Executable::new)
}

fn dimensions(inverse: &Executable, json: &str) -> BTreeSet<String> {
    let json = serde_json::from_str(json).unwrap();
    let y = from_json(&inverse.program.output, &json).unwrap();
    let mut names = BTreeSet::new();
    for index in 0..100 {
        let mut source = ChoiceSource::seeded(1, index);
        invert_value(inverse, &y, &mut source, &Limits::default()).unwrap();
        names.extend(source.recorded().iter().map(|(name, _)| name.to_owned()));
    }
    names
}

fn check(file: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs").join(file);
    let markdown = std::fs::read_to_string(&path).unwrap();
    let (mut first, mut last): (Option<Executable>, Option<Executable>) = (None, None);
    let (mut canonical, mut frame) = (String::new(), String::new());
    let mut files: Vec<(String, String)> = Vec::new();
    for Block { info, text, line, quote } in blocks(&markdown) {
        let place = format!("{file}, line {line}");
        let quote = || quote.clone().unwrap_or_else(|| panic!("{place}: nothing is quoted"));
        let above = || last.as_ref().unwrap_or_else(|| panic!("{place}: no spec above"));
        match info.as_str() {
            "text" | "sh" | "toml" => {}
            file if file.starts_with("text,") && file.ends_with(".rs") => {
                files.push((file["text,".len()..].to_owned(), text));
            }
            "text,spec" => {
                let given: Vec<_> = files.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
                let spec = SpecText { name: "spec.rs", text: &text, files: &Embedded(&given) };
                let inverse = parse_from(&spec, &Primitives::shipped())
                    .and_then(|program| invert(&program))
                    .map(Executable::new)
                    .unwrap_or_else(|e| panic!("{place}: {e}"));
                files.clear();
                assert_eq!(inverse.losses, [], "{place}");
                first.get_or_insert_with(|| inverse.clone());
                last = Some(inverse);
            }
            "text,inverse" => {
                assert_eq!(text.trim_end(), above().to_string().trim_end(), "{place}");
            }
            "text,ensures" => {
                assert_eq!(text.trim_end(), above().explain_ensures().trim_end(), "{place}");
            }
            "json,canonical" => canonical = text,
            "text,dimensions" => {
                let told: BTreeSet<String> = text.lines().map(str::to_owned).collect();
                assert_eq!(told, dimensions(above(), &canonical), "{place}");
            }
            "json,input" => {
                let program = &first.as_ref().expect("a spec above").program;
                let json = serde_json::from_str(&text).unwrap();
                let x = from_json(&program.input, &json).unwrap();
                let why = normalize(program, &x).expect_err(&place).to_string();
                assert!(why.contains(&quote()), "{place}: {why}");
            }
            "text,frame" => frame = text,
            "text,refused" => {
                let spec = match text.contains("struct ") || text.contains("fn ") {
                    true => text,
                    false => frame.replace("..", &text),
                };
                let Err(error) = inverted(&spec) else { panic!("{place}: not refused") };
                let found: Vec<String> = error.each().map(|e| e.to_string()).collect();
                assert!(found.iter().any(|m| m.contains(&quote())), "{place}: {found:#?}");
            }
            "text,loss" => {
                let inverse = inverted(&text).unwrap_or_else(|e| panic!("{place}: {e}"));
                let losses: Vec<_> = inverse.losses.iter().map(|l| &l.message).collect();
                assert!(losses.iter().any(|m| m.contains(&quote())), "{place}: {losses:#?}");
            }
            other => panic!("{place}: nobody knows what a block of `{other}` is"),
        }
    }
}

#[test]
fn examples_of_the_language_are_as_told() {
    check("language.md");
}

#[test]
fn examples_of_inversion_are_as_told() {
    check("inversion.md");
}
