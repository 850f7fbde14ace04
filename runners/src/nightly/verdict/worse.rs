//! Changes of a known bucket for the worse: it shows with more values, on simpler files, or in another
//! way.

use super::known::{Known, date};
use crate::campaign::Rechecked;
use crate::client::message::shape;
use crate::oracle::Outcome;
use crate::store::{Bucket, Form};

/// Finds out whether an earlier night read such a file: the client's name and the form in question;
/// returns the time of that night.
pub type Past<'a> = &'a dyn Fn(&str, &Form) -> Option<String>;

/// The changes of a bucket since earlier nights, in words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// Changes for the worse.
    pub worse: Vec<String>,
    /// A change that is seen for the first time, and may be older.
    pub notes: Vec<String>,
}

/// Compares the bucket of tonight with that of earlier nights.
pub(super) fn changes(tonight: &Bucket, before: &Bucket, known: &Known, past: Past<'_>) -> Changes {
    let mut changes = Changes::default();
    // A store of an older version has no forms.
    if !before.forms.is_empty() {
        let new: Vec<&Form> = tonight.forms.iter().filter(|form| !has(before, form)).collect();
        let mut told: Vec<(&str, &str)> = Vec::new();
        for form in new.iter().copied() {
            let of = |other: &&&Form| {
                (&other.classes, &other.seed_sha256) == (&form.classes, &form.seed_sha256)
            };
            if told.contains(&(&form.classes, &form.seed_sha256)) {
                continue;
            }
            told.push((&form.classes, &form.seed_sha256));
            let read = new.iter().filter(of).find_map(|form| past(&tonight.key.client, form));
            let values = before.forms.iter().any(|known| known.classes == form.classes);
            let what = match values {
                true => format!("now also on {}", form.seed_file),
                false => format!("now also with {}", form.classes),
            };
            match read {
                Some(at) => changes.worse.push(format!("{what}, which was read on {}", date(&at))),
                None if values => {}
                None => changes.notes.push(format!("{what}, which was not tried before")),
            }
        }
        // The class of an older store may be that of a bucket with other kinds of difference.
        if tonight.class < before.class {
            let (now, then) = (tonight.class.word(), before.class.word());
            changes.worse.push(format!("now on files of class {now}, before on {then} files only"));
        }
    }
    changes.worse.extend(other_message(before, known));
    changes
}

fn has(before: &Bucket, form: &Form) -> bool {
    let of =
        |known: &Form| (&known.classes, &known.seed_sha256) == (&form.classes, &form.seed_sha256);
    before.forms.iter().any(of)
}

/// Returns a line if the example, run again tonight, has a message that it never had.
pub(super) fn other_message(before: &Bucket, known: &Known) -> Option<String> {
    let Rechecked { outcome, message } = known.rechecked.get(&before.key)?;
    let message = message.as_deref()?;
    let seen = shape(message);
    let earlier = known.earlier_rechecks.get(&before.key);
    let mut messages = earlier.iter().flat_map(|last| &last.messages).chain(&before.messages);
    // A bucket of an older store has the message of another file than its example.
    let comparable = !before.forms.is_empty() || before.key.dimensions.is_empty();
    if *outcome != before.key.outcome || !comparable || messages.any(|known| *known == seen) {
        return None;
    }
    let then = &before.example.message;
    Some(format!("another message on the same file: {message:?}, before {then:?}"))
}

/// Returns a line if the outcome of the example, run again tonight, is `now`, and that is worse than
/// ever before.
pub(super) fn worse_outcome(before: &Bucket, now: Outcome, known: &Known) -> Option<String> {
    let then = before.key.outcome;
    let earlier = known.earlier_rechecks.get(&before.key).and_then(|last| last.outcome);
    let worse = now < then || now == Outcome::Crash;
    (now != then && worse && earlier != Some(now))
        .then(|| format!("the outcome of its file was {then} and is now {now}"))
}
