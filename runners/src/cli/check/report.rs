//! The report of `repfuzz check` on one spec.

use checks::{Completeness, Loss, Samplers, Soundness, Spread, Stopped};
use inverter::check::Coverage;
use inverter::program::Span;
use inverter::run::{Executable, Record, to_json};

use super::beyond::Beyond;
use super::findings::Findings;
use super::values::Values;
use crate::cli::say;

/// Width of a line. Reasons are printed in full.
const COLUMNS: usize = 80;
/// The column at which the text of a line begins.
const INDENT: &str = "              ";

/// The maximum number of values of a dimension that are printed one by one. More values are counted by class.
const VALUES: usize = 8;

/// The results about the claim that each element is assigned exactly once.
pub struct Once<'a> {
    /// `None` if it was not decided in time.
    pub coverage: Option<&'a Coverage>,
    /// The claims that other analyses prove.
    pub beyond: Option<&'a Beyond>,
}

/// Prints the results of a check.
pub fn print(inverse: &Executable, once: &Once<'_>, found: &Findings) {
    let program = &inverse.program;
    let place = |span| program.source.place(span);
    let means_something = found.means_something();
    say(format!("exactly once  {}", once.text(means_something)));
    let sound = found.sound.as_ref();
    let sound = sound.map_or_else(|| OPEN.to_owned(), |sound| verdict(sound, means_something));
    say(format!("soundness     {sound}"));
    report_samplers(&found.samplers);
    if found.values.all().next().is_none() {
        say(format!(
            "values        no canonical value found, so nothing was drawn:\n{INDENT}provide one with \
             --seed or --input"
        ));
    } else {
        report_completeness(inverse, &found.values, &found.complete);
        report_spread(&found.spread);
    }
    report_implied(&found.implied, &place);
    for (text, span) in &found.unreachable {
        say(format!("unreachable   {}: {text}", place(*span)));
    }
    match &found.losses {
        Some(losses) => report_losses(inverse, losses),
        None => say(format!("losses        {OPEN}")),
    }
    if found.is_open() {
        let drawn = found.spread.left > 0 && !found.open.contains(&"draws");
        let mut open: Vec<&str> = found.open.clone();
        open.extend(drawn.then_some("draws"));
        say(format!("time limit    it left open: {}", open.join(", ")));
    }
}

/// Words for a result that was not found in time.
const OPEN: &str = "open: not decided within the time limit";

/// Prints the conditions that follow from others and could be removed.
fn report_implied(implied: &[(String, Span)], place: &dyn Fn(Span) -> String) {
    /// The number of conditions that are printed.
    const CONDITIONS: usize = 3;
    for (k, (text, span)) in implied.iter().take(CONDITIONS).enumerate() {
        let head = if k == 0 { "implied       " } else { INDENT };
        let line = format!("{}: {text}", place(*span));
        say(format!("{head}{}", shorten(&line, COLUMNS - INDENT.len())));
    }
    match implied.len() {
        0 => {}
        n @ ..=CONDITIONS => say(format!("{INDENT}{} from the other conditions", follow(n))),
        n => say(format!(
            "{INDENT}and {} more; they follow from the other conditions",
            n - CONDITIONS
        )),
    }
}

fn follow(n: usize) -> &'static str {
    if n == 1 { "follows" } else { "follow" }
}

/// The phrase for a proof about the accepted inputs, if other inputs are lost.
const FEW: &str = "holds, but see the losses";

impl Once<'_> {
    fn text(&self, means_something: bool) -> String {
        let Some(coverage) = self.coverage else { return OPEN.to_owned() };
        match (coverage, self.beyond) {
            (Coverage::Proved, _) if !means_something => FEW.to_owned(),
            (Coverage::Searched { inputs, window, .. }, Some(Beyond { by, open })) => {
                let by = format!("that every index is inside by {}", by.join(" and "));
                if open.is_empty() {
                    let holds = if means_something { "proved for all sizes" } else { FEW };
                    return format!("{holds} ({by})");
                }
                let (inputs, window, unproved) = (*inputs, *window, open.clone());
                let rest = Coverage::Searched { inputs, window, unproved };
                format!("{rest}; proved {by}")
            }
            (other, _) => other.to_string(),
        }
    }
}

fn verdict(sound: &Soundness, means_something: bool) -> String {
    let (holds, but) =
        if means_something { ("proved", "") } else { ("holds", ", but see the losses") };
    let proved = match sound.proved {
        None => "not proved".to_owned(),
        Some(1) => format!("{holds} for loops of one iteration{but}"),
        Some(n) => format!("{holds} for loops of up to {n} iterations{but}"),
    };
    match sound.stopped {
        Stopped::Enough => proved,
        Stopped::Time => format!("{proved}; more takes Z3 too long"),
        Stopped::Refuted(line) => {
            format!("WRONG: line {line} can fail for a generated representation")
        }
        Stopped::NoSolver => format!("{proved}, as there is no Z3"),
        Stopped::Walks => {
            format!("{proved}: each representation of a spec with walks is normalized again")
        }
        Stopped::Primitive => format!("{proved}: a primitive is tested, not proved"),
    }
}

/// Prints which closed forms from which choices are drawn are proved correct.
fn report_samplers(proved: &Samplers) {
    let Samplers { all, sound, whole, wrong } = proved;
    if *all > 0 {
        let forms = if *all == 1 { "form" } else { "forms" };
        say(format!(
            "samplers      {all} closed {forms}: {sound} proved sound, {whole} proved complete"
        ));
    }
    for condition in wrong {
        say(format!("{INDENT}WRONG for {condition}"));
    }
}

fn report_completeness(inverse: &Executable, values: &Values, all: &Completeness) {
    /// The number of reasons that are printed.
    const REASONS: usize = 5;
    let record = &inverse.program.output;
    let json = |y: &Record| shorten(&to_json(record, y).to_string(), COLUMNS - INDENT.len());
    let values: Vec<String> = values.all().map(json).collect();
    say(format!("values        {}", values.join(&format!("\n{INDENT}"))));
    let some = if all.whole { "" } else { ", enumeration incomplete" };
    if all.all == 0 && inverse.program.has_walks() {
        say("completeness  not measured: representations of a spec with walks are not enumerated"
            .to_owned());
    } else if all.all == 0 {
        say(format!(
            "completeness  not measured: no representation of these values has unknowns\n{INDENT}from 0 to \
             {} only, or is seen without the code of a primitive",
            all.window
        ));
    } else {
        say(format!(
            "completeness  {} of {} representations can be generated ({}),\n{INDENT}\
             unknowns from 0 to {}{some}",
            all.reached,
            all.all,
            percent(all.share()),
            all.window
        ));
    }
    let accidental = all.sharing.saturating_sub(all.segments);
    if accidental > 0 {
        say(format!("{INDENT}{accidental} of the others store two things in one place: no loss"));
    }
    if all.segments > 0 {
        say(format!(
            "{INDENT}{} of the others let equal segments share a place: see the losses",
            all.segments
        ));
    }
    let mut missed: Vec<_> = all.missed.iter().collect();
    missed.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
    for (why, (n, example)) in missed.iter().take(REASONS) {
        say(format!("not generated {n}: {why}\n{INDENT}for example {example}"));
    }
    if missed.len() > REASONS {
        say(format!("{INDENT}and {} more reasons", missed.len() - REASONS));
    }
}

fn report_spread(found: &Spread) {
    say(format!(
        "spread        {} samples, {} different; {} pairs of classes of {}",
        found.samples, found.different, found.pairs.0, found.pairs.1
    ));
    let failed = found.failed.count();
    if failed > 0 {
        let share = percent(found.share_failed());
        say(format!("{INDENT}{failed} of {} draws failed ({share})", failed + found.samples));
    }
    let searched = found.searched.count();
    if searched > 0 {
        let share = percent(found.share_searched());
        say(format!(
            "{INDENT}{searched} of {} samples were found by trial ({share})",
            found.samples
        ));
    }
    if found.left > 0 {
        say(format!("{INDENT}{} draws were not tried within the time limit", found.left));
    }
    let width = found.dimensions.keys().map(|d| d.chars().count()).max().unwrap_or(0).min(40);
    for (name, d) in &found.dimensions {
        // Values are numbers, and classes may be, so counts are printed differently.
        let values = &d.values;
        let mut parts: Vec<_> = d.parts(VALUES).iter().collect();
        parts.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
        let parts: Vec<String> = parts.iter().map(|(c, n)| format!("{n}× {c}")).collect();
        let even = d.evenness(VALUES).map(|even| format!(", even {even:.2}"));
        let dead = match d.matters {
            Some(false) => "; has no effect",
            _ => "",
        };
        let count = if values.len() == 1 { "value" } else { "values" };
        let of_element =
            |(size, n): (&usize, &usize)| format!("; {n} or more of an element at size {size}");
        let fewest = d.fewest.iter().min_by_key(|(_, n)| **n).map(of_element);
        let start = format!(
            "  {name:width$}  {} {count}{}{}: ",
            values.len(),
            even.unwrap_or_default(),
            fewest.unwrap_or_default()
        );
        let room = COLUMNS.saturating_sub(start.chars().count() + dead.len());
        say(format!("{start}{}{dead}", shorten(&parts.join(", "), room)));
    }
}

/// Prints the losses, and the reasons that the spec states for intended ones.
fn report_losses(inverse: &Executable, losses: &[Loss]) {
    if losses.is_empty() {
        say("losses        none");
        return;
    }
    let source = &inverse.program.source;
    for (k, loss) in losses.iter().enumerate() {
        let head = if k == 0 { "losses        " } else { INDENT };
        let place = match loss.span {
            Some(span) => format!("{}: ", source.place(span)),
            None => String::new(),
        };
        say(format!("{head}{place}{}", loss.what));
        for line in &loss.details {
            say(format!("{INDENT}  {line}"));
        }
        if let Some(reason) = &loss.meant {
            say(format!("{INDENT}  meant: {reason}"));
        }
    }
    if losses.iter().any(|loss| loss.meant.is_none()) {
        say(format!(
            "{INDENT}a loss that is meant is marked by `// loss: the reason` before the statement,\n\
             {INDENT}or before the function"
        ));
    }
}

/// Formats a share. Rounds down, so that 100 % means that nothing is missing.
fn percent(share: f64) -> String {
    let rounded = (share * 1000.0).floor() / 10.0;
    format!("{rounded} %")
}

/// Truncates `text` to `columns` columns.
fn shorten(text: &str, columns: usize) -> String {
    match text.char_indices().nth(columns) {
        None => text.to_owned(),
        Some(_) => text.chars().take(columns.saturating_sub(1)).chain(['…']).collect(),
    }
}
