//! Changes of a known bucket for the worse: it occurs with more values, on simpler files, or in another way.

use std::collections::BTreeSet;

use super::known::{Known, date};
use crate::store::{Bucket, BucketKey, BucketKind, Form};
use campaign::Rechecked;
use campaign::oracle::Outcome;
use clients::message::shape;

/// Finds an earlier night that read a file with the values of a form that fails tonight. Takes the bucket, the form,
/// and the time after which nights count; returns the time of that night.
pub type Past<'a> = &'a dyn Fn(&BucketKey, &Form, &str) -> Option<String>;

/// The changes of a bucket since earlier nights, in words.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// Changes for the worse.
    pub worse: Vec<String>,
    /// A change that is seen for the first time, and may be older.
    pub notes: Vec<String>,
}

/// Compares the bucket of tonight with that of earlier nights. If the client's program is `unchanged`, only files that
/// the client read before can show a change for the worse; other changes are only noted.
pub(super) fn changes(
    tonight: &Bucket,
    before: &Bucket,
    known: &Known,
    unchanged: bool,
    past: Past<'_>,
) -> Changes {
    let (mut changes, mut suspected) = (Changes::default(), Vec::new());
    // A store of an older version has no forms.
    if !before.forms.is_empty() {
        let mut told: Vec<&Form> = Vec::new();
        for form in &tonight.forms {
            if told.iter().any(|known| known.is_like(form)) {
                continue;
            }
            told.push(form);
            // Only nights since the form was last seen count.
            let after = before.forms.iter().filter(|known| known.is_like(form));
            let after = after.map(|known| &known.last).max();
            let since = after.map_or("", String::as_str);
            let alike = tonight.forms.iter().filter(|other| other.is_like(form));
            let mut read = alike.filter_map(|form| past(&tonight.key, form, since));
            let read = read.next();
            let values = before.forms.iter().any(|known| known.classes == form.classes);
            let what = match (after, values) {
                (Some(_), _) => format!("again with {} on {}", form.classes, form.seed_file),
                (None, true) => format!("now also on {}", form.seed_file),
                (None, false) => with_values(tonight, before, form),
            };
            match read {
                Some(at) => changes.worse.push(format!("{what}, which was read on {}", date(&at))),
                None if values => {}
                None => changes.notes.push(format!("{what}, which was not tried before")),
            }
        }
        // The class in an older store may belong to a bucket with other kinds of difference.
        if tonight.class < before.class {
            let (now, then) = (tonight.class.word(), before.class.word());
            suspected.push(format!("now on files of class {now}, before on {then} files only"));
        }
    }
    suspected.extend(other_message(before, known));
    suspected.extend(other_crash(tonight, before));
    if unchanged { &mut changes.notes } else { &mut changes.worse }.extend(suspected);
    for lines in [&mut changes.worse, &mut changes.notes] {
        // Several seeds may have the same name, and several files the same line.
        let mut told = BTreeSet::new();
        lines.retain(|line| told.insert(line.clone()));
    }
    changes
}

/// Returns a line that says that the bucket also occurs with the values of `form`, which are new, in addition to those
/// of its title or in place of them.
fn with_values(tonight: &Bucket, before: &Bucket, form: &Form) -> String {
    if tonight.example.title == form.classes {
        let then = &before.example.title;
        return format!("before with {then}, now with {}", form.classes);
    }
    format!("now also with {}", form.classes)
}

/// Returns a line if a crash that cannot be reproduced or was not reduced has a new message. It may be another crash,
/// because all such crashes of a client are one bucket.
fn other_crash(tonight: &Bucket, before: &Bucket) -> Option<String> {
    if tonight.key.outcome != Outcome::Crash || tonight.key.kind == BucketKind::Reduced {
        return None;
    }
    let new: Vec<String> =
        tonight.messages.difference(&before.messages).map(|m| format!("{m:?}")).collect();
    let known: Vec<String> = before.messages.iter().map(|m| format!("{m:?}")).collect();
    (!new.is_empty() && !known.is_empty())
        .then(|| format!("another crash: {}, before {}", new.join(", "), known.join(", ")))
}

/// Returns a line if the example, run again tonight, has a new message.
pub(super) fn other_message(before: &Bucket, known: &Known) -> Option<String> {
    let Rechecked { outcome, message, .. } = known.rechecked.get(&before.key)?;
    let message = message.as_deref()?;
    let seen = shape(message);
    let earlier = known.earlier_rechecks.get(&before.key);
    let mut messages = earlier.iter().flat_map(|last| &last.messages).chain(&before.messages);
    // A bucket of an older store may have the message of a file other than its example.
    let comparable = !before.forms.is_empty() || before.key.dimensions.is_empty();
    if *outcome != before.key.outcome || !comparable || messages.any(|known| *known == seen) {
        return None;
    }
    let then = &before.example.message;
    Some(format!("another message on the same file: {message:?}, before {then:?}"))
}

/// Returns a line if the outcome of the example, run again tonight, is `now`, which is worse than ever before. If the
/// program is `unchanged`, both runs must have that outcome.
pub(super) fn worse_outcome(
    before: &Bucket,
    now: Outcome,
    known: &Known,
    unchanged: bool,
) -> Option<String> {
    let then = before.key.outcome;
    let earlier = known.earlier_rechecks.get(&before.key).and_then(|last| last.outcome);
    let steady = known.rechecked.get(&before.key).is_some_and(|again| again.better == now);
    let worse = (now < then || now == Outcome::Crash) && (steady || !unchanged);
    (now != then && worse && earlier != Some(now))
        .then(|| format!("the outcome of its file was {then} and is now {now}"))
}
