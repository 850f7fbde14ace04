//! Losses: representations that the inverse of a spec cannot make, or makes only by trial, each with its line.
//!
//! Some follow from the inverse alone; others are measured on small values ([`Completeness`], [`Spread`]). A spec may
//! mark a loss as intended (`marks`).

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::barren::barren;
use super::complete::Completeness;
use super::failures::Failures;
use super::far::{far_numbers, far_reads, far_writes};
use super::lost::{Loss, TOLERATED};
use super::marks::marks;
use super::spread::Spread;
use super::untried::{bytewise, idle_loops, never_shared, none_made};
use super::variety::Stuck;
use inverter::check::outside::outside_reads;
use inverter::invert::access::Access;
use inverter::invert::{DisjointnessStrategy, Inverse};
use inverter::program::print::Show;
use inverter::program::source::file_name;
use inverter::program::{FieldId, Program, Ref, Side, SourceFile, Span};
use inverter::run::{Executable, Record};

/// The share of the representations that take a branch, of which at least so many have to be made.
const OF_BRANCH: f64 = 0.9;

/// Words for a read outside an array.
pub const REFUSED: &str = "such inputs are refused";

/// Returns the losses of an inverse: first those that follow from it, then those that `complete` and `spread`, measured
/// on `values`, show. Reads outside arrays are sought until the deadline.
pub fn losses(
    inverse: &Executable,
    values: &[Record],
    complete: &Completeness,
    spread: &Spread,
    until: Instant,
) -> Vec<Loss> {
    let mut out: Vec<Loss> = Vec::new();
    out.extend(nothing_drawn(spread));
    out.extend(only_empty(inverse, values));
    for l in &inverse.losses {
        let loss = Loss::new(Some(l.span), l.message.clone());
        // Both byte orders, or both branches, may lose it.
        if !out.contains(&loss) {
            out.push(loss);
        }
    }
    out.extend(checked_writes(inverse));
    out.extend(bytewise(inverse, spread));
    out.extend(reads_outside(&inverse.program, until));
    out.extend(
        barren(&inverse.program, until).into_iter().map(|b| Loss::new(Some(b.span), b.what)),
    );
    out.extend(none_made(complete));
    out.extend(idle_loops(&inverse.program, spread, until));
    out.extend(never_shared(&inverse.program, complete, spread));
    out.extend(missed(inverse, complete));
    out.extend(branches(complete, spread));
    out.extend(hardly_vary(&inverse.program, spread));
    out.extend(failed_draws(&inverse.program, spread));
    out.extend(searched_draws(&inverse.program, spread));
    out.extend(endless_draw(values, spread));
    let marks = marks(&inverse.program);
    for loss in &mut out {
        let mark = marks.iter().find(|m| m.covers(loss.span));
        loss.meant = mark.map(|m| m.reason.clone());
    }
    out
}

/// Without a single draw, losses cannot be observed.
fn nothing_drawn(spread: &Spread) -> Option<Loss> {
    if spread.samples + spread.failed.count() > 0 {
        return None;
    }
    let why = match spread.left {
        0 => "no canonical value is known of which to draw representations",
        _ => "the time was over before anything was drawn",
    };
    Some(Loss::new(None, why))
}

/// Arrays that have neither conditions nor a layout, although there is something to choose: their writes are checked
/// one by one, and the run starts again if two collide.
fn checked_writes(inverse: &Inverse) -> Vec<Loss> {
    let program = &inverse.program;
    let mut chosen: BTreeSet<FieldId> = inverse.free_scalars.clone();
    chosen.extend(inverse.ensures.iter().flat_map(|e| e.kind.fields()));
    let mut out = Vec::new();
    for (field, strategy) in &inverse.strategies {
        let DisjointnessStrategy::RuntimeCheck = strategy else { continue };
        let of_choices = |r: &Ref| r.side == Side::Input && chosen.contains(&r.field);
        let placed = |a: &&Access| a.index.iter().any(|e| e.mentions(of_choices));
        let accesses: Vec<&Access> =
            inverse.accesses.iter().filter(|a| a.field == *field).collect();
        let Some(first) = accesses.iter().copied().find(placed) else { continue };
        let name = program.input_name(*field);
        // The statement without which the rest would have conditions.
        let without = |k: usize| -> Vec<&Access> {
            accesses.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, a)| *a).collect()
        };
        let culprit = (0..accesses.len()).find(|k| {
            let rest = without(*k);
            !rest.is_empty() && inverter::invert::conditions_of(program, &rest)
        });
        let culprit = culprit.map_or(first, |k| accesses[k]);
        out.push(Loss::new(
            Some(culprit.span),
            format!(
                "{name} is solved element by element, each write checked: no layout and no condition \
                 keeps this statement's elements apart from others"
            ),
        ));
    }
    out
}

fn reads_outside(program: &Program, until: Instant) -> Vec<Loss> {
    // A walk reads to the end of the data that it finds; a file that is too short for that does not belong to the
    // format.
    if program.has_walks() {
        return Vec::new();
    }
    let one = |read: inverter::check::outside::RefusedInput| {
        let mut loss = Loss::new(
            Some(read.span),
            format!("{}: {REFUSED}, which no assumption states", read.what),
        );
        loss.details.push("correct the index, or assume what rules them out".to_owned());
        loss
    };
    let mut found = outside_reads(program, until);
    let far = far_reads(program, until).into_iter().chain(far_writes(program, until));
    for far in far.chain(far_numbers(program, until)) {
        if found.iter().all(|near| !near.span.overlaps(far.span)) {
            found.push(far);
        }
    }
    found.into_iter().map(one).collect()
}

/// Representations that are not made, grouped by the condition that is too strict for them.
fn missed(inverse: &Inverse, complete: &Completeness) -> Vec<Loss> {
    let few = complete.share_lost() <= TOLERATED;
    let low = complete.branches.values().any(|(all, reached)| low(*all, *reached));
    if few && !low {
        return Vec::new();
    }
    let mut out = Vec::new();
    for ((n, k), count) in &complete.too_strict {
        let Some(c) = inverse.ensures.get(*n).and_then(|e| e.conjuncts.get(*k)) else { continue };
        let text = Show(&inverse.program, &c.pred);
        let unused = unused_guards(inverse, c.span);
        let why = match &unused[..] {
            [] => c.why.to_string(),
            guards => format!("{}: the guard {} is not used", c.why, guards.join(" and ")),
        };
        out.push(Loss::new(
            Some(c.span),
            format!("`{text}` excludes {count} of {} representations ({why})", complete.all),
        ));
    }
    let rest = complete.unexplained;
    if rest as f64 > TOLERATED * complete.all as f64 {
        out.push(Loss::new(
            None,
            format!("{rest} of {} representations of small values are not made", complete.all),
        ));
    }
    out
}

/// The guards around the elements that a statement uses, if they mention an enclosing loop: a bound in closed form
/// ignores them.
fn unused_guards(inverse: &Inverse, span: Span) -> Vec<String> {
    let program = &inverse.program;
    let mut out: Vec<String> = Vec::new();
    for access in inverse.accesses.iter().filter(|a| a.span == span) {
        for guard in &access.guards {
            let inner = access.nest.iter().any(|level| guard.mentions_var(level.var));
            let text = format!("`{}`", Show(program, guard));
            if inner && !out.contains(&text) {
                out.push(text);
            }
        }
    }
    out
}

fn low(all: usize, reached: usize) -> bool {
    (reached as f64) < OF_BRANCH * all as f64
}

/// Branches that representations take, and samples do not, or too few of those that are made.
fn branches(complete: &Completeness, spread: &Spread) -> Vec<Loss> {
    let mut out = Vec::new();
    for (branch, (all, reached)) in &complete.branches {
        let (span, then) = *branch;
        let name = if then { "then" } else { "else" };
        let made = spread.branches.get(branch).copied().unwrap_or(0);
        if made == 0 && spread.samples > 0 {
            out.push(Loss::new(
                Some(span),
                format!(
                    "the `{name}` branch is never drawn: {all} representations of small values take \
                     it, and none of {} samples",
                    spread.samples
                ),
            ));
        } else if low(*all, *reached) {
            out.push(Loss::new(
                Some(span),
                format!(
                    "of {all} representations that take the `{name}` branch, {reached} are made"
                ),
            ));
        }
    }
    out
}

/// Dimensions of which some number hardly varies, although it may.
fn hardly_vary(program: &Program, spread: &Spread) -> Vec<Loss> {
    let one = |(name, stuck): (&String, &Stuck)| {
        let field = program.input.fields.iter().find(|f| f.dimension() == name);
        let Stuck { element, value, times, values, other, draws } = stuck;
        let number = match element {
            Some(k) => format!("its element {k} is"),
            None => "it is".to_owned(),
        };
        let often = match values {
            1 => format!("in each of {draws} draws of one value"),
            _ => format!("in {times} of {draws} draws of one value, has {values} values in these"),
        };
        Loss::new(
            field.map(|f| f.span),
            format!("{name} hardly varies: {number} {value} {often}, and may be {other}"),
        )
    };
    let stuck = spread.dimensions.iter().filter_map(|(name, d)| Some((name, d.stuck.as_ref()?)));
    stuck.map(one).collect()
}

/// Values without elements reveal nothing about a spec that has arrays.
fn only_empty(inverse: &Executable, values: &[Record]) -> Option<Loss> {
    let scalars = inverse.program.output.fields.iter().filter(|f| f.is_scalar()).count();
    let arrays = inverse.program.output.fields.len() > scalars;
    let empty = values.iter().all(|y| y.elements() == scalars);
    let why = "only canonical values without elements were found: name a file with --seed, or a value \
               with --input";
    (arrays && empty && !values.is_empty()).then(|| Loss::new(None, why))
}

/// Draws that fail, by the bound that fails them.
fn failed_draws(program: &Program, spread: &Spread) -> Option<Loss> {
    let failed = spread.failed.count();
    let what = format!("{failed} of {} draws fail", failed + spread.samples);
    (spread.share_failed() > TOLERATED).then(|| by_bound(program, &spread.failed, what))
}

/// Draws that only the search makes, grouped by the condition that prevents the ensures from making them.
fn searched_draws(program: &Program, spread: &Spread) -> Option<Loss> {
    let (found, all) = (spread.searched.count(), spread.samples);
    let what = format!(
        "{found} of {all} draws are found by trial, value by value: slow, and impossible for larger values"
    );
    (spread.share_searched() > TOLERATED).then(|| by_bound(program, &spread.searched, what))
}

/// A draw that was not finished when the time was over.
fn endless_draw(values: &[Record], spread: &Spread) -> Option<Loss> {
    /// A draw of a small value takes a few milliseconds.
    const LONG: Duration = Duration::from_secs(5);
    let (k, since) = spread.drawing?;
    let elements = values.get(k).map_or(0, Record::elements);
    (since.elapsed() > LONG).then(|| {
        Loss::new(
            None,
            format!(
                "a draw of value {} of {}, which has {elements} elements, was given up after {} s",
                k + 1,
                values.len(),
                since.elapsed().as_secs()
            ),
        )
    })
}

/// A loss with the conditions that cause it, the most frequent first.
fn by_bound(program: &Program, failures: &Failures, what: String) -> Loss {
    /// The maximum number of bounds that are listed.
    const BOUNDS: usize = 5;
    let by_bound = failures.by_bound();
    let span = by_bound.first().and_then(|(_, message)| place_in(program, message));
    let mut loss = Loss::new(span, what);
    for (n, message) in by_bound.iter().take(BOUNDS) {
        loss.details.push(format!("{n}: {message}"));
    }
    if by_bound.len() > BOUNDS {
        loss.details.push(format!("and {} more bounds", by_bound.len() - BOUNDS));
    }
    loss
}

/// Returns the place of the first line that a message names, as in `Source::place`.
fn place_in(program: &Program, message: &str) -> Option<Span> {
    let (_, rest) = message.split_once("line ")?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (line, rest) = rest.split_at(end);
    let line: usize = line.parse().ok()?;
    let files = program.source.files();
    let other = rest.strip_prefix(" of ").and_then(|name| {
        files.iter().skip(1).find(|f| {
            name.strip_prefix(file_name(&f.name)).is_some_and(|rest| !rest.starts_with('.'))
        })
    });
    span_of_line(other.or(files.first())?, line)
}

/// Returns the place of the text on a line of a file, from 1.
fn span_of_line(file: &SourceFile, line: usize) -> Option<Span> {
    let start: usize =
        file.text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum();
    let own = file.text.get(start..)?.lines().next()?;
    let indent = own.len() - own.trim_start().len();
    let span = Span { start: start + indent, end: start + own.trim_end().len().max(indent) };
    Some(span.shifted(file.start()))
}
