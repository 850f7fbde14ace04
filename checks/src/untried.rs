//! Parts of a spec that no tried value reaches, so that nothing is known about them.

use std::time::Instant;

use super::complete::Completeness;
use super::lint::unreachable;
use super::lost::{Loss, TOLERATED};
use super::spread::Spread;
use inverter::invert::{Conjunct, Ensure, EnsureKind, Inverse};
use inverter::program::print::Show;
use inverter::program::views::Source;
use inverter::program::{FieldId, Program, Side, Stmt, StmtKind};

/// Representations of which none is made, whatever the reason.
pub fn none_made(complete: &Completeness) -> Option<Loss> {
    if complete.all == 0 || complete.reached > 0 {
        return None;
    }
    let what = format!("none of {} representations of small values is made", complete.all);
    let mut loss = Loss::new(None, what);
    let mut missed: Vec<_> = complete.missed.iter().collect();
    missed.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
    if let Some((why, (n, example))) = missed.first() {
        loss.details.push(format!("{n}: {why}, for example {example}"));
    }
    Some(loss)
}

/// Segments of equal content that might share a place but never do.
pub fn never_shared(program: &Program, complete: &Completeness, spread: &Spread) -> Vec<Loss> {
    /// An inverse that draws sharing does so in one of six draws, so among this many one is almost certain.
    const SURE: usize = 50;
    let mut out = Vec::new();
    for (field, segments) in &spread.segments {
        if segments.may_share && segments.shared == 0 && segments.equal >= SURE {
            let name = &program.input.fields[*field].name;
            let what = format!(
                "segments of equal content never share a place: in {} samples some could, and no sample \
                 has two equal `{name}`",
                segments.equal
            );
            out.push(Loss::new(Some(segments.span), what));
        }
    }
    let (missed, all) = (complete.segments, complete.all);
    if missed as f64 > TOLERATED * all as f64 {
        let what = format!(
            "{missed} of {all} representations in which equal segments share a place are never drawn"
        );
        out.push(Loss::new(None, what));
    }
    out
}

/// Arrays whose bytes are all independent choices, with the condition that covers the most bytes.
pub fn bytewise(inverse: &Inverse, spread: &Spread) -> Vec<Loss> {
    let program = &inverse.program;
    let solved = |ensure: &Ensure| match ensure.kind {
        EnsureKind::Elements(array) => Some(array),
        _ => None,
    };
    let mut out = Vec::new();
    for array in inverse.ensures.iter().filter_map(solved) {
        let numbers: Vec<FieldId> = program
            .views
            .iter()
            .filter(|view| matches!(&view.source, Source::Bytes(bytes) if bytes.array == array))
            .map(|view| view.field)
            .collect();
        let drawn = spread.dimensions.contains_key(program.input.fields[array].dimension());
        if numbers.is_empty() || !drawn {
            continue;
        }
        // A condition on bytes, or on numbers that are read from them. The equations of these numbers are not a reason.
        let own = |ensure: &&Ensure| {
            solved(ensure).is_some_and(|field| field == array || numbers.contains(&field))
        };
        let equation = |c: &&Conjunct| program.views.iter().any(|view| view.span == c.span);
        let bytes = |c: &Conjunct| {
            let mut count = 0;
            c.pred.refs(&mut |r| {
                let of_array = r.field == array || numbers.contains(&r.field);
                count += usize::from(of_array && r.side == Side::Input && !r.index.is_empty());
            });
            count
        };
        let all = inverse.ensures.iter().filter(own).flat_map(|ensure| &ensure.conjuncts);
        // The first of those on most bytes.
        let culprit = all.filter(|c| !equation(c)).min_by_key(|c| std::cmp::Reverse(bytes(c)));
        out.push(Loss::new(
            culprit.map(|c| c.span),
            format!(
                "{} is solved byte by byte, as one dimension: a condition on several bytes leaves no place, \
                 number or gap that is a choice of its own",
                program.input_name(array)
            ),
        ));
    }
    out
}

/// The outermost loops of which no sample runs an iteration.
pub fn idle_loops(program: &Program, spread: &Spread, until: Instant) -> Vec<Loss> {
    // Without samples, that is the loss.
    if spread.samples == 0 {
        return Vec::new();
    }
    let statements = program.body.len().saturating_sub(program.equations);
    let mut idle = Vec::new();
    idle_in(&program.body[..statements], spread, &mut idle);
    if idle.is_empty() {
        return Vec::new();
    }
    // A loop that never runs could not have been tried.
    let never = unreachable(program, until);
    idle.retain(|stmt| !never.iter().any(|(_, span)| *span == stmt.span));
    let one = |stmt: &Stmt| {
        let StmtKind::For { count, .. } = &stmt.kind else { return None };
        let mut loss = Loss::new(
            Some(stmt.span),
            format!(
                "no value that was tried runs this loop: in all of them `{}` is 0 or less, and nothing \
                 is known of its body",
                Show(program, count)
            ),
        );
        let help = "name a file with --seed, or a value with --input, that has such elements";
        loss.details.push(help.to_owned());
        Some(loss)
    };
    idle.into_iter().filter_map(one).collect()
}

fn idle_in<'p>(body: &'p [Stmt], spread: &Spread, out: &mut Vec<&'p Stmt>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::For { .. } if !spread.loops.contains(&stmt.span) => out.push(stmt),
            StmtKind::For { body, .. } => idle_in(body, spread, out),
            StmtKind::If { then, els, .. } => {
                for (name, branch) in [(true, then), (false, els)] {
                    // A branch that is never drawn is a separate loss, or is never taken.
                    if spread.branches.contains_key(&(stmt.span, name)) {
                        idle_in(branch, spread, out);
                    }
                }
            }
            _ => {}
        }
    }
}
