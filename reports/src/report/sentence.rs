//! The sentences and phrases of reports.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use inverter::solve::Choice;

use super::clean::{self, one_line};
use super::site::base_name;
use campaign::oracle::Outcome;
use campaign::{
    Cause, ClientState, ClientSummary, Depth, EdgeSummary, Run, Standing, WholeFile, WorkerCount,
    other_dimensions,
};
use clients::sandbox::LIMITS_ONLY;
use equivalents::subject::Class;

/// `1 pixel`, `2 pixels`.
pub fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(count), if count == 1 { one } else { many })
}

/// Formats a number with thousands separators.
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

/// Joins at most `most` of `items`, with the total number.
pub fn some(items: &[String], most: usize) -> String {
    // One more item takes no more space than the text for the total.
    if items.len() <= most + 1 {
        return items.join(", ");
    }
    format!("{}, … ({} in all)", items[..most].join(", "), items.len())
}

/// Joins the distinct titles of the causes of one root cause. Their values may differ.
pub fn distinct(titles: impl IntoIterator<Item = String>) -> String {
    let mut all: Vec<String> = Vec::new();
    for title in titles {
        if !all.contains(&title) {
            all.push(title);
        }
    }
    let more = if all.len() > 3 { "; …" } else { "" };
    all.truncate(3);
    all.join("; ") + more
}

/// The maximum number of values that a title lists.
pub const IN_TITLE: usize = 12;

/// The number of a cause's values that its title lists. A single list represents all lists.
pub fn shown_in_title(cause: &Cause) -> usize {
    let list = cause.choices.iter().any(|(_, value)| matches!(value, Choice::List(_)));
    match cause.values.first() {
        Some(first) if cause.dimensions.len() > 1 || (list && first.starts_with('[')) => 1,
        _ => IN_TITLE,
    }
}

/// Describes the cause alone: `orientation = 6`.
pub fn title(cause: &Cause) -> String {
    let text = match (cause.depth, &cause.dimensions[..]) {
        (Depth::Flaky, _) if cause.runs.is_empty() => {
            "not reproducible: two runs on one file disagree".to_owned()
        }
        (Depth::Flaky, _) => format!("not reproducible: {}", runs(cause)),
        (Depth::Not, _) => "not reduced: several choices at once".to_owned(),
        (_, []) => match cause.whole {
            WholeFile::Reencoded => "the seed re-encoded without changes".to_owned(),
            WholeFile::Plainest => "the plainest file of the picture".to_owned(),
            WholeFile::SeedItself => "the seed file itself".to_owned(),
        },
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
    let varies = if cause.varies { " (other pixels in each run)" } else { "" };
    // If there was another worker, the second run, which showed the same result, was on that worker.
    let counts = if cause.depth > Depth::Partly { &cause.workers[..] } else { &[] };
    let worker = WorkerCount::sentence(counts).map(|sentence| format!(" ({sentence})"));
    let worker = worker.unwrap_or_default();
    clean::cut(&one_line(&format!("{text}{cut}{varies}{worker}")), 300)
}

/// Returns a suffix that names the other forms of a cause by the dimensions that they need instead:
/// `; also with IFD place, counts place (outcome: refused)`. A form that needs nothing else is named by its values.
/// Empty if there are none.
pub fn also(run: &Run, head: usize, forms: &[usize]) -> String {
    let head = &run.causes[head];
    let one = |form: &usize| {
        let cause = &run.causes[*form];
        let others = other_dimensions(cause, head);
        let what = if others.is_empty() { title(cause) } else { others.join(" and ") };
        let what = match cause.difference {
            _ if cause.outcome != head.outcome => {
                format!("{what} (outcome: {})", cause.outcome.word())
            }
            Some(kind) if !cause.signature().varies_to(head.signature()) => {
                format!("{what} ({})", kind.phrase())
            }
            _ => what,
        };
        (others.len(), what)
    };
    // A form that needs more dimensions than another one adds nothing.
    let needs = |form: &usize| other_dimensions(&run.causes[*form], head);
    let is_more = |form: &usize| {
        let own = needs(form);
        let less = |other: &Vec<String>| {
            !other.is_empty() && other.len() < own.len() && other.iter().all(|d| own.contains(d))
        };
        let alike = |other: &&usize| run.causes[**other].outcome == run.causes[*form].outcome;
        forms.iter().filter(alike).map(needs).any(|other| less(&other))
    };
    // The simplest form comes first.
    let names: BTreeSet<(usize, String)> =
        forms.iter().filter(|form| !is_more(form)).map(one).collect();
    let names: Vec<String> = names.into_iter().map(|(_, name)| name).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("; also with {}", one_line(&some(&names, 3))),
    }
}

/// Describes the results of several runs on one file: `crash in 3 of 5 runs, same picture in 2`.
pub fn runs(cause: &Cause) -> String {
    let total: usize = cause.runs.iter().map(|count| count.runs).sum();
    let mut parts = cause.runs.iter().map(|count| (count.signature.phrase(), count.runs));
    let first = parts.next().map(|(what, runs)| format!("{what} in {runs} of {total} runs"));
    let more = parts.map(|(what, runs)| format!("{what} in {runs}"));
    first.into_iter().chain(more).collect::<Vec<_>>().join(", ")
}

/// Describes the cause in a line: `pillow: wrong pixels: blank, orientation = 6`.
pub fn line(run: &Run, cause: &Cause) -> String {
    let client = &run.clients[cause.client].name;
    format!("{client}: {}, {}{}", cause.signature().phrase(), title(cause), bracket(cause.class))
}

/// Returns a suffix for classes other than baseline: ` [extension]`.
pub fn bracket(class: Class) -> &'static str {
    match class {
        Class::Baseline => "",
        Class::Extension => " [extension]",
        Class::Questionable => " [questionable]",
    }
}

/// Counts the causes: `2 of 3 clients differ on 60 equivalent files: 3 causes. Wrong pixels:
/// 1 on baseline files, 2 on extensions.`
pub fn tally(run: &Run) -> String {
    let (bad, heads) = (failing(run), run.folded());
    let mut text = format!(
        "{} of {} {} on {}: {}.",
        number(bad),
        plural(run.judged(), "client", "clients"),
        if bad == 1 { "differs" } else { "differ" },
        plural(run.variants, "equivalent file", "equivalent files"),
        counted(run)
    );
    for outcome in Outcome::ALL {
        let is = |c: &Cause, class| (c.outcome, c.class) == (outcome, class);
        let count = |class| heads.iter().filter(|(k, _)| is(&run.causes[*k], class)).count();
        let classes = [
            (Class::Baseline, "baseline files"),
            (Class::Extension, "extensions"),
            (Class::Questionable, "questionable files"),
        ];
        let counts = classes.map(|(class, name)| (count(class), name));
        let parts: Vec<String> = counts
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, name)| format!("{} on {name}", number(count)))
            .collect();
        if !parts.is_empty() {
            text.push_str(&format!(" {}: {}.", capitalized(outcome.phrase()), parts.join(", ")));
        }
    }
    let silent = run.grouped(Standing::Unexplained).len();
    if silent > 0 {
        text.push_str(&format!(
            " Refused without a reason: by {}.",
            plural(silent, "client", "clients")
        ));
    }
    text
}

/// Lists the causes that people accepted, each in a line with its reason.
pub fn on_purpose(run: &Run) -> Vec<(usize, String)> {
    let line = |(place, words): (&usize, &String)| {
        (*place, one_line(&format!("{} ({words})", line(run, &run.causes[*place]))))
    };
    run.accepted.iter().map(line).collect()
}

/// Counts causes, with limits counted separately: `1 cause and 2 limits`.
pub fn with_limits<'c>(causes: impl Iterator<Item = &'c Cause>) -> String {
    let (limits, faults): (Vec<_>, Vec<_>) =
        causes.filter(|cause| cause.convention.is_none()).partition(|cause| cause.limit);
    joined(faults.len(), limits.len())
}

/// Joins the numbers of faults and limits; omits a number that is 0.
fn joined(faults: usize, limits: usize) -> String {
    let causes = plural(faults, "cause", "causes");
    match (faults, limits) {
        (_, 0) => causes,
        (0, _) => plural(limits, "limit", "limits"),
        _ => format!("{causes} and {}", plural(limits, "limit", "limits")),
    }
}

/// Counts the limits of clients that could be judged.
fn limit_count(run: &Run) -> usize {
    run.limits().iter().map(|(_, causes)| causes.len()).sum()
}

/// `3 causes and 2 limits`.
fn counted(run: &Run) -> String {
    let faults = run.folded().len() + run.grouped(Standing::Unexplained).len();
    joined(faults, limit_count(run))
}

/// Begins `text` with a capital letter.
pub fn capitalized(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map(|c| c.to_uppercase().chain(rest).collect()).unwrap_or_default()
}

/// Returns the reasons why a client was not or not fully tested, in one line each, without its name.
pub fn limits(client: &ClientSummary) -> Vec<String> {
    let more = match &client.state {
        ClientState::CannotRead { outcome, message }
        | ClientState::FailedOnce { outcome, message }
            if message.trim().is_empty() =>
        {
            outcome.phrase()
        }
        ClientState::CannotRead { message: why, .. }
        | ClientState::FailedOnce { message: why, .. }
        | ClientState::CannotRun(why) => why,
        ClientState::Ready(_) | ClientState::Unsteady => "",
    };
    let gap = if more.is_empty() { "" } else { ": " };
    let objection = client.state.objection();
    let mut lines: Vec<String> =
        objection.map(|why| format!("{why}{gap}{more}")).into_iter().collect();
    lines.extend(client.dropped.iter().map(|why| format!("dropped: {why}")));
    lines.extend(
        client.skipped.iter().map(|(why, count)| {
            format!("{} skipped: {why}", plural(*count, "variant", "variants"))
        }),
    );
    lines.iter().map(|line| one_line(line)).collect()
}

/// Describes the share of a client's files that are within its limits: `mine supports the features of 62 of 200 files`.
/// `None` if no file exceeds them.
pub fn within_limits(client: &ClientSummary) -> Option<String> {
    let (within, all) = client.within_limits();
    (within < all).then(|| {
        let (name, files) = (one_line(&client.name), plural(all, "file", "files"));
        format!("{name} supports the features of {} of {files}", number(within))
    })
}

/// The edges that a client reached, in a sentence.
pub fn edges(edges: &EdgeSummary) -> String {
    match edges {
        EdgeSummary::Missing => {
            "published no edges; is repfuzz_edges.c linked, and the library compiled for it?"
                .to_owned()
        }
        EdgeSummary::Unsteady => {
            "edges not used: two runs on the seed reached different ones".to_owned()
        }
        EdgeSummary::Known { build, seed, beyond, .. } => format!(
            "the seed reaches {} of {}; variants reach {} more",
            number(*seed),
            plural(*build, "edge", "edges"),
            number(beyond.len())
        ),
    }
}

/// Summarizes the run in one or two sentences.
pub fn summary(run: &Run) -> String {
    let seed = one_line(base_name(&run.about.seed_file));
    let judged = run.judged();
    let clients = plural(judged, "client", "clients");
    let text = if run.clients.is_empty() {
        "There was no client to test.".to_owned()
    } else if judged == 0 {
        format!("None of the clients can read {seed}, so none could be tested.")
    } else if run.is_cut_off() {
        "No client was tested to the end.".to_owned()
    } else if failing(run) == 0 && !run.conventions().is_empty() {
        let conventions = plural(run.conventions().len(), "convention", "conventions");
        let limits = plural(limit_count(run), "limit", "limits");
        let limits = if limit_count(run) > 0 { format!(" and {limits}") } else { String::new() };
        format!(
            "No bug, but {conventions} of readers{limits}, for {clients} on {} of {seed}.",
            plural(run.variants, "equivalent file", "equivalent files"),
        )
    } else if failing(run) == 0 && limit_count(run) > 0 {
        format!(
            "No difference but {}: {clients} decoded {} the same as {seed}, or refused them for \
             features that are not supported.",
            plural(limit_count(run), "limit", "limits"),
            plural(run.variants, "equivalent file", "equivalent files"),
        )
    } else if failing(run) == 0 && !run.accepted.is_empty() {
        format!(
            "No difference but {} on purpose, for {clients} on {} of {seed}.",
            plural(run.accepted.len(), "cause", "causes"),
            plural(run.variants, "equivalent file", "equivalent files"),
        )
    } else if failing(run) == 0 && run.findings() > 0 {
        format!(
            "No cause was found of {} on {}, for {clients}.",
            plural(run.findings(), "difference", "differences"),
            plural(run.variants, "equivalent file", "equivalent files"),
        )
    } else if failing(run) == 0 {
        format!(
            "No difference: {clients} decoded {} the same as {seed}.",
            plural(run.variants, "equivalent file", "equivalent files"),
        )
    } else {
        let bad = failing(run);
        format!(
            "{} of {clients} {} equivalents of {seed} differently: {}, \
             from {} on {}.",
            number(bad),
            if bad == 1 { "decodes" } else { "decode" },
            counted(run),
            plural(run.findings(), "difference", "differences"),
            plural(run.variants, "equivalent file", "equivalent files"),
        )
    };
    text + &caveats(run)
}

/// The number of clients that ran without a sandbox.
fn bare(run: &Run) -> usize {
    run.clients.iter().filter(|c| c.confinement.as_deref() == Some(LIMITS_ONLY)).count()
}

/// Lists the sandboxes of clients with their numbers: `bubblewrap: 40 clients`. Empty if none is
/// known.
pub fn confinements(run: &Run) -> String {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for client in &run.clients {
        let kind = match client.confinement.as_deref() {
            Some(LIMITS_ONLY) => "no sandbox, limits only (can write files and use the network)",
            Some(sandbox) => sandbox,
            None if client.command.is_none() => "none, linked into repfuzz",
            None => continue,
        };
        *kinds.entry(kind).or_default() += 1;
    }
    let one =
        |(kind, count): (&str, usize)| format!("{kind}: {}", plural(count, "client", "clients"));
    one_line(&kinds.into_iter().map(one).collect::<Vec<_>>().join("; "))
}

/// The number of clients that have a cause other than a limit.
fn failing(run: &Run) -> usize {
    let faults = (0..run.causes.len()).filter(|place| run.is_fault(*place));
    faults.map(|place| run.causes[place].client).collect::<HashSet<_>>().len()
}

/// A sentence, after a space, that says why there are fewer variants than requested; empty if there are as many as
/// requested.
fn fewer(run: &Run) -> String {
    let (made, wanted) = (run.variants, run.settings.variants);
    if run.stopped || run.time_up || made >= wanted || run.judged() == 0 {
        return String::new();
    }
    let mut reasons = Vec::new();
    if run.repeated > 0 {
        reasons.push(format!("{} more would repeat one", number(run.repeated)));
    }
    if run.impossible > 0 {
        reasons.push(format!("{} cannot be made of this seed", number(run.impossible)));
    }
    if run.causes.iter().any(|cause| cause.limit) {
        reasons.push("files do without what clients do not support".to_owned());
    }
    let why = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join(", ")) };
    let wanted = plural(wanted, "variant", "variants");
    let were = if made == 1 { "was" } else { "were" };
    format!(" Of the {wanted} requested, {} {were} made{why}.", number(made))
}

/// Lists the limitations of the run; each sentence follows a space.
pub fn caveats(run: &Run) -> String {
    let mut text = String::new();
    let judged = run.judged();
    let unusable = run.clients.len() - judged;
    if unusable > 0 && judged > 0 {
        text.push_str(&format!(" {} could not be tested.", plural(unusable, "client", "clients")));
    }
    let bare = bare(run);
    if bare > 0 {
        let clients = plural(bare, "client", "clients");
        text.push_str(&format!(" {clients} ran without a sandbox."));
    }
    if !run.refused.is_empty() {
        text.push_str(&format!(
            " {} left out because of an internal error of repfuzz: please report the lines \
             \"refused\" of results.jsonl with the seed file.",
            plural(run.refused.len(), "variant was", "variants were"),
        ));
    }
    let dropped = run.clients.iter().filter(|client| client.dropped.is_some()).count();
    if dropped > 0 {
        let clients = plural(dropped, "client was", "clients were");
        let theirs = if dropped == 1 { "its" } else { "their" };
        text.push_str(&format!(
            " {clients} dropped before the end: {theirs} differences do not count."
        ));
    }
    if run.stopped {
        text.push_str(" The run was stopped early.");
    }
    text.push_str(&fewer(run));
    if let (true, Some(time)) = (run.time_up, run.settings.time) {
        let seconds = plural(time.as_secs() as usize, "second", "seconds");
        text.push_str(&format!(
            " The time limit of {seconds} was reached after {} of {} variants.",
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
        let titles = |all: &[&str]| distinct(all.iter().map(|title| (*title).to_owned()));
        assert_eq!(titles(&["a = 1", "a = 2", "a = 1"]), "a = 1; a = 2");
        assert_eq!(titles(&["1", "2", "3", "4"]), "1; 2; 3; …");
        assert_eq!(some(&items, 8), "1, 2, 3, 4, 5, 6, 7, 8, 9");
    }
}
