//! Measures how evenly samples are distributed over dimensions and pairs of them, and finds choices
//! that make no difference. Each sample takes one run of the inverse.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::failures::Failures;
use super::segments::{merged, seen};
use super::variety::{Stuck, fewest, stuck};
use inverter::program::{FieldId, Span};
use inverter::run::{Branch, Executable, Limits, Prepared, Record, Runner, course};
use inverter::solve::{ChoiceSource, Choices, value_class};

/// The values of one dimension in the samples.
#[derive(Debug, Clone, Default)]
pub struct Dimension {
    /// The number of samples that have it.
    pub count: usize,
    /// The number of samples of each value. Values that make the same representation of the same canonical
    /// value count as the first of them.
    pub values: BTreeMap<String, usize>,
    /// The number of samples of each value class.
    pub classes: BTreeMap<String, usize>,
    /// True if changing its value was observed to change the representation; `None` if no other value was possible with
    /// all other choices kept.
    pub matters: Option<bool>,
    /// A number of it that hardly varies in the draws of some canonical value, although it may.
    pub stuck: Option<Stuck>,
    /// The least number of values that one of its elements has in the draws of a canonical value, by the size of that.
    pub fewest: BTreeMap<usize, usize>,
}

impl Dimension {
    /// Returns the number of samples of each part: of each value, or of each class if there are more values than
    /// `most`.
    pub fn parts(&self, most: usize) -> &BTreeMap<String, usize> {
        if self.values.len() <= most { &self.values } else { &self.classes }
    }

    /// Returns the evenness of the samples over such parts (normalized entropy): 1 if all are equally
    /// frequent; `None` if there is only one.
    pub fn evenness(&self, most: usize) -> Option<f64> {
        let parts = self.parts(most);
        let (n, all) = (parts.len() as f64, self.count as f64);
        let share = |k: &usize| *k as f64 / all;
        let entropy = -parts.values().map(|k| share(k) * share(k).ln()).sum::<f64>();
        (parts.len() > 1).then(|| entropy / n.ln())
    }
}

/// Segments at places from one array, in the samples.
#[derive(Debug, Clone, Default)]
pub struct Segments {
    /// The statement that uses the places.
    pub span: Span,
    /// The number of samples in which some share a place.
    pub shared: usize,
    /// The number of samples in which some have equal content at different places.
    pub equal: usize,
    /// True if some sample still represents the same value when two such segments share a place.
    pub may_share: bool,
}

/// The distribution of samples.
#[derive(Debug, Clone, Default)]
pub struct Spread {
    /// The number of samples.
    pub samples: usize,
    /// The number of different samples.
    pub different: usize,
    /// The draws without a representation, grouped by the condition that fails.
    pub failed: Failures,
    /// The samples that the search found value by value, grouped by the reason why the ensures did not.
    pub searched: Failures,
    /// The value (by position) of which a representation is being drawn, since then.
    pub drawing: Option<(usize, Instant)>,
    /// The number of samples that take each branch.
    pub branches: BTreeMap<Branch, usize>,
    /// The loops in which some sample runs an iteration, by their places.
    pub loops: BTreeSet<Span>,
    /// The arrays of places, with what the samples show about segments that share one.
    pub segments: BTreeMap<FieldId, Segments>,
    /// The number of draws that were not made because no time was left.
    pub left: u64,
    /// The dimensions.
    pub dimensions: BTreeMap<String, Dimension>,
    /// The number of pairs of value classes of two dimensions that occurred together, and the
    /// number of all such pairs.
    pub pairs: (usize, usize),
}

impl Spread {
    /// Returns the share of draws without a representation, from 0 to 1.
    pub fn share_failed(&self) -> f64 {
        let failed = self.failed.count();
        match failed + self.samples {
            0 => 0.0,
            all => failed as f64 / all as f64,
        }
    }

    /// Returns the share of samples that only the search found, from 0 to 1.
    pub fn share_searched(&self) -> f64 {
        self.searched.count() as f64 / self.samples.max(1) as f64
    }

    fn count_pairs(&mut self, together: &BTreeSet<[(String, String); 2]>) {
        let all: Vec<usize> = self.dimensions.values().map(|d| d.classes.len()).collect();
        let pairs = |(k, a): (usize, &usize)| all[k + 1..].iter().map(|b| a * b).sum::<usize>();
        self.pairs = (together.len(), all.iter().enumerate().map(pairs).sum());
    }
}

/// Draws `samples` representations of each of `values`.
pub fn spread(inverse: &Executable, values: &[Record], samples: u64) -> Spread {
    let out = Mutex::new(Spread::default());
    spread_into(inverse, values, samples, None, &out);
    out.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// [`spread`] with a deadline. `out` has the results so far at any time.
pub fn spread_into(
    inverse: &Executable,
    values: &[Record],
    samples: u64,
    until: Option<Instant>,
    out: &Mutex<Spread>,
) {
    let over = || until.is_some_and(|until| Instant::now() >= until);
    let update = |change: &mut dyn FnMut(&mut Spread)| {
        change(&mut out.lock().unwrap_or_else(PoisonError::into_inner));
    };
    let runner = Arc::new(Runner::new(inverse, Limits::default()));
    update(&mut |out| out.left = samples * values.len() as u64);
    let mut drawn: Vec<Drawn<'_>> = Vec::new();
    for (k, y) in values.iter().enumerate() {
        match runner.prepare(y.clone()) {
            Ok(prepared) => drawn.push(Drawn { value: k, prepared, made: Vec::new() }),
            Err(e) => update(&mut |out| out.failed.add(&e.to_string())),
        }
    }
    let mut together: BTreeSet<[(String, String); 2]> = BTreeSet::new();
    // Every value gets its turn, however little time there is.
    for k in 0..samples {
        for one in &mut drawn {
            if over() {
                break;
            }
            update(&mut |out| out.drawing = Some((one.value, Instant::now())));
            let mut source = ChoiceSource::seeded(one.value as u64, k);
            let made = one.prepared.draw(&mut source);
            let course = made.as_ref().ok().and_then(|x| course(inverse, &x.value).ok());
            update(&mut |out| {
                out.drawing = None;
                out.left = out.left.saturating_sub(1);
                if let Some(course) = &course {
                    for branch in &course.branches {
                        *out.branches.entry(*branch).or_default() += 1;
                    }
                    out.loops.extend(course.loops.iter().copied());
                }
                match &made {
                    Ok(x) => {
                        out.samples += 1;
                        if let Some(why) = &x.searched {
                            out.searched.add(&why.to_string());
                        }
                    }
                    Err(e) => out.failed.add(&e.to_string()),
                }
            });
            if let Ok(x) = &made {
                note_segments(inverse, &x.value, &values[one.value], out);
            }
            if let Ok(x) = made {
                let sample = one.add(source.into_recorded(), x.value);
                update(&mut |out| sample.count(out, &mut together));
            }
        }
    }
    for one in &drawn {
        one.find_effects(&over, &update);
        one.find_stuck(values[one.value].elements(), &over, &update);
    }
    update(&mut |out| out.count_pairs(&together));
}

/// Notes what the representation `x` of `y` shows about segments that share a place.
fn note_segments(inverse: &Executable, x: &Record, y: &Record, out: &Mutex<Spread>) {
    let spread = || out.lock().unwrap_or_else(PoisonError::into_inner);
    for (field, (span, seen)) in seen(inverse, x, y) {
        // One example is enough, and takes a run.
        let known = spread().segments.get(&field).is_some_and(|segments| segments.may_share);
        let legal = |pair| merged(inverse, x, y, field, pair).is_some();
        let may_share = known || seen.equal.is_some_and(legal);
        let mut spread = spread();
        let segments = spread.segments.entry(field).or_default();
        segments.span = span;
        segments.shared += usize::from(seen.shared);
        segments.equal += usize::from(seen.equal.is_some());
        segments.may_share |= may_share;
    }
}

/// The representations of one canonical value.
struct Drawn<'i> {
    value: usize,
    prepared: Prepared<'i>,
    /// The different ones, each with the choices by which it was first made, and the number of draws that made it.
    made: Vec<(Choices, Record, usize)>,
}

/// Runs a change of the spread, which others read meanwhile.
type Update<'u> = &'u dyn Fn(&mut dyn FnMut(&mut Spread));

/// The choices of a sample.
struct Sample<'c> {
    choices: &'c Choices,
    new: bool,
}

impl Drawn<'_> {
    fn add(&mut self, choices: Choices, x: Record) -> Sample<'_> {
        let known = self.made.iter().position(|(_, made, _)| *made == x);
        let at = known.unwrap_or_else(|| {
            self.made.push((choices, x, 0));
            self.made.len() - 1
        });
        self.made[at].2 += 1;
        Sample { choices: &self.made[at].0, new: known.is_none() }
    }

    /// Finds the choices whose change changes the representation.
    fn find_effects(&self, over: &dyn Fn() -> bool, update: Update<'_>) {
        /// The number of attempts to show that a dimension matters.
        const TRIES: usize = 6;
        for pair in self.made.windows(2).take(TRIES) {
            let [(choices, x, _), (others, ..)] = pair else { continue };
            for (name, value) in others.iter() {
                if choices.get(name).is_none_or(|own| own == value) || over() {
                    continue;
                }
                let mut changed = choices.clone();
                changed.set(name, value.clone());
                let mut source = ChoiceSource::replaying(changed);
                if let Ok(z) = self.prepared.invert(&mut source) {
                    update(&mut |out| {
                        let d = out.dimensions.entry(name.to_owned()).or_default();
                        d.matters = Some(d.matters == Some(true) || z != *x);
                    });
                }
            }
        }
    }

    /// Finds the dimensions of which some number hardly varies, and counts the values of elements. The canonical value has `size`
    /// elements.
    fn find_stuck(&self, size: usize, over: &dyn Fn() -> bool, update: Update<'_>) {
        let draw = |source: &mut ChoiceSource| self.prepared.invert(source).is_ok();
        let made: Vec<(&Choices, usize)> =
            self.made.iter().map(|(choices, _, times)| (choices, *times)).collect();
        let found = stuck(&draw, &made, over);
        update(&mut |out| {
            for (name, stuck) in &found {
                let dimension = out.dimensions.entry(name.clone()).or_default();
                dimension.stuck.get_or_insert_with(|| stuck.clone());
            }
            for (name, count) in fewest(&made) {
                let fewest = &mut out.dimensions.entry(name).or_default().fewest;
                let known = fewest.entry(size).or_insert(count);
                *known = count.min(*known);
            }
        });
    }
}

impl Sample<'_> {
    fn count(&self, out: &mut Spread, together: &mut BTreeSet<[(String, String); 2]>) {
        out.different += usize::from(self.new);
        let choices = self.choices;
        let classes: Vec<(String, String)> =
            choices.iter().map(|(d, value)| (d.to_owned(), value_class(d, value))).collect();
        for ((name, value), (_, class)) in choices.iter().zip(&classes) {
            let d = out.dimensions.entry(name.to_owned()).or_default();
            d.count += 1;
            *d.values.entry(value.to_string()).or_default() += 1;
            *d.classes.entry(class.clone()).or_default() += 1;
        }
        if self.new {
            for (k, a) in classes.iter().enumerate() {
                for b in &classes[k + 1..] {
                    together.insert([a.clone(), b.clone()]);
                }
            }
        }
    }
}
