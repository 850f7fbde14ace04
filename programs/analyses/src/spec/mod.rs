//! Decides which obligations of a normalization program hold for all inputs.
//!
//! A spec is [lowered](mod@lower) to a canonical program, whose assertions the analyses prove. The evaluator of specs
//! tries obligations that the analyses refute or do not decide on inputs, so nothing is called refuted without an
//! input. That each element of an output is assigned once is not an assertion about one run; the inverter proves it.

mod confirm;
pub mod lower;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use canonical::Place;
use inverter::check::{assigned_once, once, outside_reads};
use inverter::program::{Program, Span};
use serde::Serialize;

use crate::run::{Analysis, Kind as Client, Known, Options, analyse, both};
use lower::{ENTRY, Kind, Lowered, Obligation, lower, place};

/// The verdict on an obligation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "verdict")]
pub enum Judged {
    /// No input breaks it, according to these analyses.
    Proved {
        /// Clients, `types`, or `inverter`.
        by: Vec<&'static str>,
    },
    /// An input that the assumptions accept breaks it.
    Refuted {
        /// The client that found it, or `search`.
        by: &'static str,
        /// The input, and its effect: `h = 2, w = 1: x.a[2] is outside the array, whose length is 2`.
        input: String,
    },
    /// Neither.
    Open,
}

/// An obligation with its verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The kind.
    pub kind: Kind,
    /// The part of the text.
    pub span: Span,
    /// The place where it begins.
    pub place: Place,
    /// The obligation in words.
    pub what: String,
    /// The verdict.
    pub judged: Judged,
}

/// The result for one spec.
#[derive(Debug)]
pub struct SpecAnalysis {
    /// The obligations, ordered by place.
    pub obligations: Vec<Checked>,
    /// The run of the analyses.
    pub analysis: Analysis,
}

impl SpecAnalysis {
    /// Returns true if all obligations are proved.
    pub fn proved(&self) -> bool {
        self.obligations.iter().all(|checked| matches!(checked.judged, Judged::Proved { .. }))
    }

    /// Returns true if one is refuted.
    pub fn refuted(&self) -> bool {
        self.obligations.iter().any(|checked| matches!(checked.judged, Judged::Refuted { .. }))
    }
}

/// The fractions of the time after which the analyses that do not depend on sizes, and all analyses, have ended. The
/// search for counterexamples gets the rest.
const FIXED_POINTS: f64 = 0.5;
const ANALYSES: f64 = 0.8;
/// The maximum time of a search.
const SEARCH: Duration = Duration::from_secs(10);

/// Analyses a spec.
///
/// # Errors
/// Returns an error if it has walks.
pub fn analyse_spec(spec: &Program, options: &Options) -> Result<SpecAnalysis, String> {
    without_walks(spec)?;
    let began = Instant::now();
    let lowered = lower(spec);
    let (mut obligations, analysis) = assertions(spec, &lowered, options, began)?;
    let end = began + options.run.time;
    search(spec, &lowered, &mut obligations, end.min(Instant::now() + SEARCH));
    let once = assigned(spec, &obligations);
    obligations.extend(once);
    obligations.sort_by_key(|checked| (checked.place, checked.kind));
    Ok(SpecAnalysis { obligations, analysis })
}

/// Refuses a spec with walks. The lowering treats assumptions as true before they are reached, which is wrong for
/// variables that change.
fn without_walks(spec: &Program) -> Result<(), String> {
    match spec.has_walks() {
        true => {
            Err("specs with walks, which have variables that change, are not analysed".to_owned())
        }
        false => Ok(()),
    }
}

/// Returns the analyses that prove, for all sizes, that every written index is inside; `None` if they do not.
///
/// # Errors
/// As [`analyse_spec`].
pub fn inside(spec: &Program, options: &Options) -> Result<Option<Vec<&'static str>>, String> {
    without_walks(spec)?;
    let began = Instant::now();
    let (obligations, _) = assertions(spec, &lower(spec), options, began)?;
    Ok(inside_by(&obligations))
}

/// The obligations that are assertions, in their order. The time of the options counts from `began`.
fn assertions(
    spec: &Program,
    lowered: &Lowered,
    options: &Options,
    began: Instant,
) -> Result<(Vec<Checked>, Analysis), String> {
    let mut options = Options { entry: ENTRY.to_owned(), ..options.clone() };
    options.limits.thresholds = false;
    let time = options.run.time;
    let run = |clients: Vec<Client>, part: f64| {
        let mut own = Options { clients, ..options.clone() };
        own.run.time = time.mul_f64(part).saturating_sub(began.elapsed());
        analyse(Arc::clone(&lowered.program), &own)
    };
    // Loops of any size have more paths than can be executed, so analyses that execute paths are used only for
    // undecided obligations.
    let (paths, others): (Vec<Client>, Vec<Client>) =
        options.clients.iter().partition(|kind| kind.executes_paths());
    let first = if others.is_empty() { &options.clients } else { &others };
    let mut analysis = run(first.clone(), FIXED_POINTS)?;
    let of = |analysis: &Analysis, obligation: &Obligation| Checked {
        kind: obligation.kind,
        span: obligation.span,
        place: obligation.place,
        what: obligation.what.clone(),
        judged: judged(spec, lowered, analysis, obligation),
    };
    let all = lowered.obligations.iter();
    let mut obligations: Vec<Checked> = all.clone().map(|one| of(&analysis, one)).collect();
    let open = |checked: &Checked| checked.judged == Judged::Open;
    if obligations.iter().any(open) && !paths.is_empty() && !others.is_empty() {
        analysis = run(options.clients.clone(), ANALYSES)?;
        for (checked, obligation) in obligations.iter_mut().zip(all) {
            if open(checked) {
                *checked = of(&analysis, obligation);
            }
        }
    }
    Ok((obligations, analysis))
}

/// The verdict of the analyses.
fn judged(
    spec: &Program,
    lowered: &Lowered,
    analysis: &Analysis,
    obligation: &Obligation,
) -> Judged {
    let each = obligation.assertions.iter().map(|k| {
        // An assertion that is not in the graph cannot be reached.
        analysis.each.get(*k).cloned().unwrap_or(Known::Unknown)
    });
    match each.reduce(both) {
        None => Judged::Proved { by: vec!["types"] },
        Some(Known::Proved { by }) => Judged::Proved { by },
        Some(Known::Refuted { .. }) => {
            let confirmed = |k: &usize| match analysis.each.get(*k) {
                Some(Known::Refuted { by, inputs }) => {
                    let input = confirm::input(spec, lowered, analysis, *k, inputs, obligation)?;
                    Some(Judged::Refuted { by, input })
                }
                _ => None,
            };
            obligation.assertions.iter().find_map(confirmed).unwrap_or(Judged::Open)
        }
        Some(Known::Unknown) => Judged::Open,
    }
}

/// Searches for small inputs that break undecided obligations.
fn search(spec: &Program, lowered: &Lowered, obligations: &mut [Checked], until: Instant) {
    let open = |checked: &Checked| checked.judged == Judged::Open && checked.kind == Kind::Read;
    if !obligations.iter().any(open) {
        return;
    }
    let found = outside_reads(spec, until);
    for (checked, obligation) in obligations.iter_mut().zip(&lowered.obligations) {
        let refuted = found.iter().find(|refused| refused.span == obligation.span);
        if let (true, Some(refused)) = (open(checked), refuted) {
            checked.judged = Judged::Refuted { by: "search", input: refused.what.clone() };
        }
    }
}

/// Returns the analyses that prove that every written index is inside, if all assertions are proved. A run ends at the
/// first assertion that it breaks, so proofs of later assertions say nothing about an undecided one.
fn inside_by(assertions: &[Checked]) -> Option<Vec<&'static str>> {
    let mut all = BTreeSet::new();
    for checked in assertions {
        let Judged::Proved { by } = &checked.judged else { return None };
        if checked.kind == Kind::Write {
            all.extend(by.iter().copied());
        }
    }
    Some(all.into_iter().collect())
}

/// For each output, the obligation that its elements are assigned once, which the inverter proves separately. The
/// analyses also prove one of its claims, that all indices are inside.
fn assigned(spec: &Program, obligations: &[Checked]) -> Vec<Checked> {
    let refuted = assigned_once(spec).err().map(|error| error.to_string());
    let unproved = once::unproved(spec);
    let inside = unproved.iter().any(|claim| claim.what == once::Claim::Inside);
    let helpers = if inside { inside_by(obligations) } else { None };
    let left =
        helpers.as_ref().map_or_else(|| unproved.clone(), |_| once::unproved_if_inside(spec));
    let of = |field: &inverter::Field| {
        let name = format!("{}.{}", spec.output.binder, field.name);
        let parts = if field.is_scalar() { "is" } else { "has each element" };
        let among = |open: &[once::Unproved]| open.iter().any(|claim| claim.output == field.name);
        let judged = match (among(&left), &refuted) {
            (false, _) => {
                let helped = among(&unproved).then(|| helpers.clone()).flatten();
                let by = helped.into_iter().flatten().chain(["inverter"]).collect();
                Judged::Proved { by }
            }
            (true, Some(input)) => Judged::Refuted { by: "search", input: input.clone() },
            (true, None) => Judged::Open,
        };
        let what = format!("{name} {parts} assigned once");
        let (span, place) = (field.span, place(&spec.source, field.span));
        Checked { kind: Kind::Once, span, place, what, judged }
    };
    spec.output.fields.iter().map(of).collect()
}
