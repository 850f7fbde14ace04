//! Measures how evenly samples are distributed over dimensions and pairs of them, and finds choices
//! that make no difference. Each sample takes one run of the inverse.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::failures::Failures;
use crate::run::{Branch, Executable, Limits, Record, branches_taken, invert_value};
use crate::solve::{ChoiceSource, Choices, value_class};

/// The values of one dimension in the samples.
#[derive(Debug, Clone, Default)]
pub struct Dimension {
    /// The number of samples that have it.
    pub count: usize,
    /// Its values.
    pub values: BTreeSet<String>,
    /// The number of samples of each value class.
    pub classes: BTreeMap<String, usize>,
    /// True if a change of its value was seen to change the representation; `None` if no other
    /// value was possible with all other choices kept.
    pub matters: Option<bool>,
}

impl Dimension {
    /// Returns the evenness of the samples over its classes (normalized entropy): 1 if all classes
    /// are equally frequent, 0 if there is only one.
    pub fn evenness(&self) -> f64 {
        let (n, all) = (self.classes.len() as f64, self.count as f64);
        if n <= 1.0 {
            return 0.0;
        }
        let share = |k: &usize| *k as f64 / all;
        -self.classes.values().map(|k| share(k) * share(k).ln()).sum::<f64>() / n.ln()
    }
}

/// The distribution of samples.
#[derive(Debug, Clone, Default)]
pub struct Spread {
    /// The number of samples.
    pub samples: usize,
    /// The number of different samples.
    pub different: usize,
    /// The draws without a representation, by what fails them.
    pub failed: Failures,
    /// The number of samples that take each branch.
    pub branches: BTreeMap<Branch, usize>,
    /// The number of draws that were not made, as there was no time left.
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
}

/// Draws `samples` representations of each of `values`.
pub fn spread(inverse: &Executable, values: &[Record], samples: u64) -> Spread {
    spread_until(inverse, values, samples, None)
}

/// [`spread`], which stops at a point in time.
pub fn spread_until(
    inverse: &Executable,
    values: &[Record],
    samples: u64,
    until: Option<Instant>,
) -> Spread {
    let over = || until.is_some_and(|until| Instant::now() >= until);
    /// The number of attempts to show that a dimension matters.
    const TRIES: usize = 6;
    let limits = Limits::default();
    let mut out = Spread::default();
    let mut together: BTreeSet<[(String, String); 2]> = BTreeSet::new();
    for (v, y) in values.iter().enumerate() {
        let mut made: Vec<(Choices, Record)> = Vec::new();
        for k in 0..samples {
            if over() {
                out.left += samples - k;
                break;
            }
            let mut source = ChoiceSource::seeded(v as u64, k);
            match invert_value(inverse, y, &mut source, &limits) {
                Ok(x) => made.push((source.into_recorded(), x)),
                Err(e) => out.failed.add(&e.to_string()),
            }
        }
        out.samples += made.len();
        let mut distinct: Vec<&Record> = Vec::new();
        for (choices, x) in &made {
            for branch in branches_taken(inverse, x).unwrap_or_default() {
                *out.branches.entry(branch).or_default() += 1;
            }
            if !distinct.contains(&x) {
                distinct.push(x);
            }
            let classes: Vec<(String, String)> =
                choices.iter().map(|(d, value)| (d.to_owned(), value_class(d, value))).collect();
            for ((name, value), (_, class)) in choices.iter().zip(&classes) {
                let d = out.dimensions.entry(name.to_owned()).or_default();
                d.count += 1;
                d.values.insert(value.to_string());
                *d.classes.entry(class.clone()).or_default() += 1;
            }
            for (k, a) in classes.iter().enumerate() {
                for b in &classes[k + 1..] {
                    together.insert([a.clone(), b.clone()]);
                }
            }
        }
        out.different += distinct.len();
        for pair in made.windows(2).take(TRIES) {
            let [(choices, x), (others, _)] = pair else { continue };
            for (name, value) in others.iter() {
                if choices.get(name).is_none_or(|own| own == value) || over() {
                    continue;
                }
                let mut changed = choices.clone();
                changed.set(name, value.clone());
                let mut source = ChoiceSource::replaying(changed);
                let d = out.dimensions.entry(name.to_owned()).or_default();
                if let Ok(z) = invert_value(inverse, y, &mut source, &limits) {
                    d.matters = Some(d.matters == Some(true) || z != *x);
                }
            }
        }
    }
    let names: Vec<&String> = out.dimensions.keys().collect();
    let mut all = 0;
    for (k, a) in names.iter().enumerate() {
        for b in &names[k + 1..] {
            all += out.dimensions[*a].classes.len() * out.dimensions[*b].classes.len();
        }
    }
    out.pairs = (together.len(), all);
    out
}
