//! Segments of equal content: places from an array that may be equal. An inverse that never draws equal places misses
//! representations.

use std::collections::BTreeMap;

use super::evaluated::evaluated;
use inverter::invert::DisjointnessStrategy;
use inverter::invert::layout::Part;
use inverter::program::views::{Around, Bytes, Source};
use inverter::program::{Expr, FieldId, Pred, Program, Span};
use inverter::run::eval::Env;
use inverter::run::{Executable, FieldValue, Record, normalize_with};

/// The maximum number of segments that are examined.
const MOST: usize = 20_000;

/// The segments of one array of places, in one representation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// True if two of them, which have elements, are at one place.
    pub shared: bool,
    /// Two segments, by their positions among the places, that have equal content at different places.
    pub equal: Option<(usize, usize)>,
}

/// A segment: the position of its place, the place, and its elements.
struct Segment {
    at: usize,
    place: i128,
    start: i128,
    end: i128,
}

/// Returns the arrays of places, each with the statement that uses it and the observations about its segments in the
/// representation `x` of `y`.
pub fn seen(inverse: &Executable, x: &Record, y: &Record) -> BTreeMap<FieldId, (Span, Seen)> {
    evaluated(&inverse.program, x, y, |env| seen_by(env, inverse, x))
}

fn seen_by(env: &mut Env<'_>, inverse: &Executable, x: &Record) -> BTreeMap<FieldId, (Span, Seen)> {
    let mut out = BTreeMap::new();
    for (array, strategy) in &inverse.strategies {
        let DisjointnessStrategy::Layout(layout) = strategy else { continue };
        let FieldValue::Array(content) = &x.fields[*array] else { continue };
        if content.lengths.len() != 1 {
            continue;
        }
        let mut by_base: BTreeMap<FieldId, (Span, BTreeMap<usize, Segment>)> = BTreeMap::new();
        for part in &layout.parts {
            let Some(base) = part.base.as_ref().filter(|base| !base.index.is_empty()) else {
                continue;
            };
            let (_, found) =
                by_base.entry(base.field).or_insert_with(|| (part.span, BTreeMap::new()));
            let mut walk = Walk { env, part, found, left: MOST };
            // Segments that cannot be evaluated are ignored.
            let _ = walk.outer(0);
        }
        for (field, (span, segments)) in by_base {
            let cell = |at: i128| usize::try_from(at).ok().and_then(|at| content.cells.get(at));
            let mut by_content: BTreeMap<Vec<i128>, &Segment> = BTreeMap::new();
            let mut seen = Seen::default();
            for segment in segments.values() {
                let elements: Option<Vec<i128>> = (segment.start..=segment.end).map(cell).collect();
                let Some(elements) = elements.filter(|all| !all.is_empty()) else { continue };
                match by_content.get(&elements) {
                    Some(first) if first.place == segment.place => seen.shared = true,
                    Some(first) => seen.equal = seen.equal.or(Some((first.at, segment.at))),
                    None => {
                        by_content.insert(elements, segment);
                    }
                }
            }
            out.insert(field, (span, seen));
        }
    }
    out
}

struct Walk<'w, 'e> {
    env: &'w mut Env<'e>,
    part: &'w Part,
    found: &'w mut BTreeMap<usize, Segment>,
    left: usize,
}

impl Walk<'_, '_> {
    /// Finds the segments in the loops from `depth` on; `None` if something has no value.
    fn outer(&mut self, depth: usize) -> Option<()> {
        let (part, span) = (self.part, self.part.span);
        if let Some(level) = part.outer.get(depth) {
            let count = self.env.eval(&level.count, span).ok()?;
            for k in 0..count {
                self.env.set_var(level.var, k);
                self.outer(depth + 1)?;
            }
            return Some(());
        }
        self.left = self.left.checked_sub(1)?;
        // Guards inside of a segment only make it shorter.
        let inner = |p: &Pred| part.inner.iter().any(|l| p.mentions_var(l.var));
        for guard in part.guards.iter().filter(|guard| !inner(guard)) {
            if !self.env.holds(guard, span).ok()? {
                return Some(());
            }
        }
        let base = part.base.as_ref()?;
        let at = self.env.locate(base, span).ok()?;
        let place = self.env.eval(&Expr::Ref(base.clone()), span).ok()?;
        let (lo, hi) = (self.env.eval(&part.lo, span).ok()?, self.env.eval(&part.hi, span).ok()?);
        let from = place.checked_mul(part.scale)?;
        let (start, end) = (from.checked_add(lo)?, from.checked_add(hi)?);
        if lo <= hi {
            let segment = Segment { at, place, start, end };
            let own = self.found.entry(at).or_insert(segment);
            (own.start, own.end) = (own.start.min(start), own.end.max(end));
        }
        Some(())
    }
}

/// Returns the representation of `y` in which the second of two segments is at the place of the first, if there is one.
pub fn merged(
    inverse: &Executable,
    x: &Record,
    y: &Record,
    field: FieldId,
    (first, second): (usize, usize),
) -> Option<Record> {
    let program = &inverse.program;
    let mut out = x.clone();
    let FieldValue::Array(places) = &mut out.fields[field] else { return None };
    let place = places.cells.get(first)?;
    places.cells.set(second, place);
    let lengths = places.lengths.clone();
    if let Some(view) = program.views.iter().find(|view| view.field == field) {
        let Source::Bytes(bytes) = &view.source else { return None };
        let at = place_of(program, x, y, &view.loops, &lengths, second, bytes)?;
        let FieldValue::Array(file) = &mut out.fields[bytes.array] else { return None };
        let mut digits = vec![0; bytes.form.bytes];
        bytes.form.write(place, &mut digits);
        for (k, digit) in digits.into_iter().enumerate() {
            let at = usize::try_from(at).ok()?.checked_add(k)?;
            file.cells.get(at)?;
            file.cells.set(at, i128::from(digit));
        }
    }
    (normalize_with(inverse, &out).ok()? == *y).then_some(out)
}

/// The index of the first byte of a place.
fn place_of(
    program: &Program,
    x: &Record,
    y: &Record,
    loops: &[Around],
    lengths: &[usize],
    at: usize,
    bytes: &Bytes,
) -> Option<i128> {
    evaluated(program, x, y, |env| {
        let mut rest = at;
        for (around, length) in loops.iter().zip(lengths).rev() {
            env.set_var(around.var, (rest % length.max(&1)) as i128);
            rest /= length.max(&1);
        }
        env.eval(&bytes.at, bytes.span).ok()
    })
}
