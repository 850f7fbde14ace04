//! What the reports say in words.

use std::collections::{BTreeMap, HashSet};

use inverter::solve::Choice;

use super::clean::{self, one_line};
use crate::campaign::{Cause, Depth, Run, State, Tested};
use crate::client::sandbox::LIMITS_ONLY;
use crate::oracle::Outcome;
use crate::subject::Class;

/// `1 pixel`, `2 pixels`.
pub fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

/// A number with its thousands set apart.
pub fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// At most `most` of `items`, with the number of the others.
pub fn some(items: &[String], most: usize) -> String {
    // One more item is no longer than the words for it.
    if items.len() <= most + 1 {
        return items.join(", ");
    }
    format!("{}, … ({} in all)", items[..most].join(", "), items.len())
}

/// The most values that a title lists.
pub const IN_TITLE: usize = 12;

/// How many of a cause's values its title tells. A simple list stands for the others.
pub fn shown_in_title(cause: &Cause) -> usize {
    let list = cause.choices.iter().any(|(_, value)| matches!(value, Choice::List(_)));
    match cause.values.first() {
        Some(first) if cause.dimensions.len() > 1 || (list && first.starts_with('[')) => 1,
        _ => IN_TITLE,
    }
}

/// The cause alone: `orientation = 6`.
pub fn title(cause: &Cause) -> String {
    let text = match (cause.depth, &cause.dimensions[..]) {
        (Depth::Flaky, _) => "not each time: two runs on one file disagree".to_owned(),
        (Depth::Not, _) => "not reduced: several choices at once".to_owned(),
        (_, []) => "the seed written anew, nothing changed".to_owned(),
        (_, [dimension]) if shown_in_title(cause) == 1 => {
            format!("{dimension} = {}", cause.values[0])
        }
        (_, [dimension]) => format!("{dimension} = {}", some(&cause.values, IN_TITLE)),
        (_, _) => match &cause.values[..] {
            [] => cause.dimensions.join(" with "),
            [only] => only.clone(),
            [first, more @ ..] => {
                format!("{first} (and {})", plural(more.len(), "other", "others"))
            }
        },
    };
    let cut = if cause.depth == Depth::Partly { " (perhaps fewer)" } else { "" };
    clean::cut(&one_line(&format!("{text}{cut}")), 300)
}

/// The cause in a line: who, what, where: `pillow: wrong pixels, orientation = 6`.
pub fn line(run: &Run, cause: &Cause) -> String {
    let client = &run.clients[cause.client].name;
    format!("{client}: {}, {}{}", cause.outcome.phrase(), title(cause), bracket(cause.class))
}

/// A class that is not baseline, behind what is of it: ` [extension]`.
pub fn bracket(class: Class) -> &'static str {
    match class {
        Class::Baseline => "",
        Class::Extension => " [extension]",
        Class::Questionable => " [questionable]",
    }
}

/// The class of a file, and what it asks of readers.
pub fn class(class: Class) -> &'static str {
    match class {
        Class::Baseline => "baseline: every reader must take it",
        Class::Extension => "extension",
        Class::Questionable => "questionable: seen in the wild, not clearly legal",
    }
}

/// The causes counted: `2 of 3 clients differ on 60 equivalent files: 3 causes. Wrong pixels:
/// 1 on baseline files, 2 on extensions.`
pub fn tally(run: &Run) -> String {
    let bad = failing(run);
    let mut text = format!(
        "{} of {} {} on {}: {}.",
        number(bad),
        plural(run.judged(), "client", "clients"),
        if bad == 1 { "differs" } else { "differ" },
        plural(run.variants, "equivalent file", "equivalent files"),
        plural(run.causes.len(), "cause", "causes")
    );
    for outcome in Outcome::ALL {
        let count =
            |class| run.causes.iter().filter(|c| (c.outcome, c.class) == (outcome, class)).count();
        let classes = [
            (Class::Baseline, "baseline files"),
            (Class::Extension, "extensions"),
            (Class::Questionable, "questionable files"),
        ];
        let counts = classes.map(|(class, name)| (count(class), name));
        let told: Vec<String> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{} on {name}", number(count)))
            .collect();
        if !told.is_empty() {
            text.push_str(&format!(" {}: {}.", capitalized(outcome.phrase()), told.join(", ")));
        }
    }
    text
}

fn capitalized(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|c| c.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

/// Why a client could not be judged, or not on everything: a line each, without its name.
pub fn limits(client: &Tested) -> Vec<String> {
    let more = match &client.state {
        State::CannotRead { outcome, message } if message.trim().is_empty() => outcome.phrase(),
        State::CannotRead { message: why, .. } | State::CannotRun(why) => why,
        State::Ready(_) | State::Unsteady => "",
    };
    let gap = if more.is_empty() { "" } else { ": " };
    let objection = client.state.objection();
    let mut lines: Vec<String> =
        objection.map(|why| format!("{why}{gap}{more}")).into_iter().collect();
    lines.extend(client.dropped.iter().map(|why| format!("used no further: {why}")));
    lines.extend(
        client.left.iter().map(|(why, count)| {
            format!("{} left out: {why}", plural(*count, "variant", "variants"))
        }),
    );
    lines.iter().map(|line| one_line(line)).collect()
}

/// What came of the whole run, in one or two sentences.
pub fn summary(run: &Run) -> String {
    let seed = one_line(&run.about.seed_file);
    let judged = run.judged();
    let clients = plural(judged, "client", "clients");
    let text = if run.clients.is_empty() {
        "There was no client to test.".to_owned()
    } else if judged == 0 {
        format!("None of the clients can read {seed}, so none could be judged.")
    } else if run.causes.is_empty() {
        format!(
            "No difference: {clients} made of {} what {} made of {seed}.",
            plural(run.variants, "equivalent file", "equivalent files"),
            if judged == 1 { "it" } else { "they" },
        )
    } else {
        let bad = failing(run);
        format!(
            "{} of {clients} {} files that mean the same as {seed} differently: {}, \
             from {} on {}.",
            number(bad),
            if bad == 1 { "treats" } else { "treat" },
            plural(run.causes.len(), "cause", "causes"),
            plural(run.findings(), "difference", "differences"),
            plural(run.variants, "equivalent file", "equivalent files"),
        )
    };
    text + &caveats(run)
}

/// How many clients ran without a sandbox.
fn bare(run: &Run) -> usize {
    run.clients.iter().filter(|c| c.confinement.as_deref() == Some(LIMITS_ONLY)).count()
}

/// What held the clients, each kind with their number: `bubblewrap: 40 clients`. Empty if none
/// is known.
pub fn confinements(run: &Run) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for client in &run.clients {
        let kind = match client.confinement.as_deref() {
            Some(LIMITS_ONLY) => {
                "no sandbox, only limits (they can write files and use the network)"
            }
            Some(sandbox) => sandbox,
            None if client.command.is_none() => "none, inside repfuzz",
            None => continue,
        };
        *kinds.entry(kind).or_default() += 1;
    }
    let one =
        |(kind, count): (&str, usize)| format!("{kind}: {}", plural(count, "client", "clients"));
    one_line(&kinds.into_iter().map(one).collect::<Vec<_>>().join("; "))
}

/// How many clients have a cause.
fn failing(run: &Run) -> usize {
    run.causes.iter().map(|c| c.client).collect::<HashSet<_>>().len()
}

/// What was not tested; each sentence after a space.
pub fn caveats(run: &Run) -> String {
    let mut text = String::new();
    let judged = run.judged();
    let unusable = run.clients.len() - judged;
    if unusable > 0 && judged > 0 {
        text.push_str(&format!(" {} could not be judged.", plural(unusable, "client", "clients")));
    }
    let bare = bare(run);
    if bare > 0 {
        let clients = plural(bare, "client", "clients");
        text.push_str(&format!(" {clients} ran without a sandbox."));
    }
    if run.stopped {
        text.push_str(" The run was stopped before its end.");
    }
    if let (true, Some(time)) = (run.time_up, run.settings.time) {
        let seconds = plural(time.as_secs() as usize, "second", "seconds");
        text.push_str(&format!(
            " The {seconds} it was given were used up after {} of {} variants.",
            number(run.variants),
            number(run.settings.variants),
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_lists_read_well() {
        assert_eq!(plural(1, "file", "files"), "1 file");
        assert_eq!(plural(1_234_567, "file", "files"), "1,234,567 files");
        let items: Vec<String> = (1..=9).map(|n| n.to_string()).collect();
        assert_eq!(some(&items, 3), "1, 2, 3, … (9 in all)");
        assert_eq!(some(&items, 8), "1, 2, 3, 4, 5, 6, 7, 8, 9");
    }
}
