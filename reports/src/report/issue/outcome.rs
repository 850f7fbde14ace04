//! The expected and the actual result.

use super::markdown::{code, fenced, text as text_of};
use super::values::{caption, tables};
use crate::report::clean::{clean, cut};
use crate::report::compare::compare;
use crate::report::example::Example;
use crate::report::site::{Names, base_name};
use campaign::oracle::Outcome;
use campaign::{Cause, Verdict};

/// The maximum number of characters of a client's message.
const WORDS: usize = 2000;

/// Renders the expected result: which file is read wrongly, and the values of the pixels.
pub fn expected(cause: &Cause, names: &Names, example: &Example<'_>) -> String {
    let (file, seed) = (code(base_name(&names.file)), code(base_name(&names.seed)));
    let picture = example.expected.filter(|p| p.content().is_none());
    let size = picture.map(|p| format!(", {} × {} pixels", p.width(), p.height()));
    let size = size.unwrap_or_default();
    let mut text = match (example.is_single(), cause.verdict) {
        (true, _) => format!("The picture that {file} contains{size}."),
        (_, Some(Verdict::BothWrong)) => format!(
            "The picture that both files contain{size}. Neither {seed} nor {file} is read correctly."
        ),
        (_, Some(Verdict::FileWrong | Verdict::SeedWrong)) => {
            format!("The picture is that of {seed}{size}. {seed} is read correctly, {file} is not.")
        }
        (_, Some(Verdict::ContractUnknown)) if cause.outcome == Outcome::Wrong => format!(
            "The same picture for both files, here that of {seed}{size}. They contain the same \
             picture; which of the two is read wrongly was not decided."
        ),
        _ => format!("The picture is that of {seed}{size}."),
    };
    if let (Outcome::Wrong, Some(expected), Some(got)) =
        (cause.outcome, example.expected, example.got)
    {
        text.push_str(&format!("\n\n{}", tables(expected, got)[0]));
        text.push_str(&format!("\n\n{}", caption(expected, got)));
    }
    text
}

/// Renders the actual result: the values of the pixels, or the client's message.
pub fn actual(cause: &Cause, example: &Example<'_>) -> String {
    if let (Outcome::Wrong, Some(expected), Some(got)) =
        (cause.outcome, example.expected, example.got)
    {
        let words = compare(expected, got);
        let gap = if words.is_empty() { "" } else { ".\n\n" };
        return format!("{words}{gap}{}", tables(expected, got)[1]);
    }
    let what = match cause.outcome {
        Outcome::Wrong => "A different picture.",
        Outcome::Crash => "It crashes.",
        Outcome::Hang => "It does not finish within its time limit.",
        Outcome::Resource => "It exceeds its memory, disk or output limit.",
        Outcome::Extra(_) | Outcome::Memory | Outcome::Slow => "The right picture.",
        Outcome::Refused => "It reports an error.",
        Outcome::Same => "The same picture.",
    };
    match cause.message.trim() {
        difference if matches!(cause.outcome, Outcome::Extra(_)) => {
            format!("{what} But {}.", text_of(&cut(&clean(difference), WORDS)))
        }
        measured if cause.outcome.is_cost() => format!("{what} It {measured}."),
        "" => what.to_owned(),
        message => format!("{what} Its message:\n\n{}", fenced("", &cut(&clean(message), WORDS))),
    }
}
