//! Completeness: the share of the representations of a canonical value that the inverse can make, measured on instances
//! small enough for a full enumeration. Each representation takes some milliseconds.

use std::collections::BTreeMap;
use std::time::Instant;

use super::evaluated::evaluated;
use super::segments::seen;
use super::sharing::shares;
use inverter::program::Program;
use inverter::run::explore::{Bounds, Class, Matches, Window, explore};
use inverter::run::search::{SEARCH, search_choices};
use inverter::run::{
    Branch, Executable, FieldValue, Limits, Record, RunError, branches_taken, invert_value,
    normalize_with, own_choices,
};
use inverter::solve::{ChoiceSource, Choices};

/// The representations of one canonical value, and those that are reached.
#[derive(Debug, Clone, Default)]
pub struct Completeness {
    /// The number of representations that were tried, where inputs of the same class count once.
    pub all: usize,
    /// The number of those that the inverse can make.
    pub reached: usize,
    /// True if all representations within the window were enumerated; otherwise, only the first ones were.
    pub whole: bool,
    /// The window: the maximum value of unknowns, apart from numerals of the spec.
    pub window: i128,
    /// The reasons why representations are not reached, each with their number and an example.
    pub missed: BTreeMap<String, (usize, String)>,
    /// The conjuncts of ensures (the position of the ensure, and of the conjunct in it) that do not hold for
    /// representations that are not reached, with their number.
    pub too_strict: BTreeMap<(usize, usize), usize>,
    /// The number of representations that are not reached although all conjuncts hold for them.
    pub unexplained: usize,
    /// The number of representations that are not reached and store two things in one place (`shares`). They are not a
    /// loss, except those in `segments`.
    pub sharing: usize,
    /// The number of those among them in which equal segments share a place from an array of places.
    pub segments: usize,
    /// For each branch, the number of representations that take it, and the number of those that are reached, without
    /// those that share places.
    pub branches: BTreeMap<Branch, (usize, usize)>,
}

impl Completeness {
    /// The share that is reached, from 0 to 1; 1 if there are none to reach.
    pub fn share(&self) -> f64 {
        if self.all == 0 { 1.0 } else { self.reached as f64 / self.all as f64 }
    }

    /// The share that is not reached and does not store two things in one place, from 0 to 1.
    pub fn share_lost(&self) -> f64 {
        let lost = self.all.saturating_sub(self.reached + self.sharing);
        if self.all == 0 { 0.0 } else { lost as f64 / self.all as f64 }
    }

    /// Adds the result for another value.
    pub fn add(&mut self, other: Completeness) {
        self.all += other.all;
        self.reached += other.reached;
        self.whole &= other.whole;
        self.window = self.window.max(other.window);
        for (why, (n, example)) in other.missed {
            self.missed.entry(why).or_insert((0, example)).0 += n;
        }
        for (conjunct, n) in other.too_strict {
            *self.too_strict.entry(conjunct).or_default() += n;
        }
        self.unexplained += other.unexplained;
        self.sharing += other.sharing;
        self.segments += other.segments;
        for (branch, (all, reached)) in other.branches {
            let entry = self.branches.entry(branch).or_default();
            *entry = (entry.0 + all, entry.1 + reached);
        }
    }
}

/// Enumerates the representations of `y` and checks for each whether the inverse makes it under
/// some choices. The window shrinks from `largest` until the enumeration fits `bounds`.
pub fn completeness(
    inverse: &Executable,
    y: &Record,
    largest: i128,
    bounds: Bounds,
) -> Completeness {
    completeness_until(inverse, y, largest, bounds, None)
}

/// [`completeness`] with a deadline, after which the result is partial.
pub fn completeness_until(
    inverse: &Executable,
    y: &Record,
    largest: i128,
    bounds: Bounds,
    until: Option<Instant>,
) -> Completeness {
    let over = || until.is_some_and(|until| Instant::now() >= until);
    let mut best = Completeness::default();
    for window in (0..=largest).rev() {
        let mut classes: Vec<Class> = Vec::new();
        let mut options = Window::new(&inverse.program, window);
        let goal = Matches::of(y);
        let whole = explore(&inverse.program, &goal, &mut options, bounds, &mut |_, class| {
            classes.push(class);
            !over()
        });
        if !whole && window > 1 && !over() {
            continue;
        }
        best = judge(inverse, y, &classes, &over);
        best.whole = whole && !over();
        best.window = window;
        break;
    }
    best
}

/// The maximum number of representations of one value that are checked.
const MOST: usize = 300;

/// The maximum number of elements of a checked representation: larger ones are not small.
const LARGE: usize = 4096;
/// The number of draws that determine whether representations come from the search.
const SEARCHED: u64 = 16;

fn judge(
    inverse: &Executable,
    y: &Record,
    classes: &[Class],
    over: &dyn Fn() -> bool,
) -> Completeness {
    let mut out = Completeness::default();
    let limits = Limits::default();
    let searched = by_search(inverse, y, &limits);
    // If there are too many, sample them evenly.
    let step = classes.len().div_ceil(MOST).max(1);
    for class in classes.iter().step_by(step) {
        if over() {
            break;
        }
        // The full value of a class need not be a representation of `y`: another part of the
        // input may fix the length of an array, for example.
        let Some(x) = class.value(&inverse.program) else { continue };
        // Whether a place a million bytes away is reached only depends on limits.
        if x.elements() > LARGE {
            continue;
        }
        if normalize_with(inverse, &x).ok().as_ref() != Some(y) {
            continue;
        }
        out.all += 1;
        let why = missed(inverse, y, class, &x, &limits, searched);
        let sharing = why.is_some() && shares(inverse, &x, y);
        out.sharing += usize::from(sharing);
        let segments = sharing && seen(inverse, &x, y).values().any(|(_, seen)| seen.shared);
        out.segments += usize::from(segments);
        let taken = if sharing { None } else { branches_taken(inverse, &x).ok() };
        for branch in taken.into_iter().flatten() {
            let entry = out.branches.entry(branch).or_default();
            *entry = (entry.0 + 1, entry.1 + usize::from(why.is_none()));
        }
        match why {
            None => out.reached += 1,
            Some(why) => {
                let strict = if sharing { Vec::new() } else { too_strict(inverse, &x, y) };
                out.unexplained += usize::from(strict.is_empty() && !sharing);
                for conjunct in strict {
                    *out.too_strict.entry(conjunct).or_default() += 1;
                }
                let entry = out
                    .missed
                    .entry(why)
                    .or_insert_with(|| (0, class.describe(&inverse.program, 12)));
                entry.0 += 1;
            }
        }
    }
    out
}

/// Returns the conjuncts of ensures that do not hold for the representation `x` of `y`.
fn too_strict(inverse: &Executable, x: &Record, y: &Record) -> Vec<(usize, usize)> {
    evaluated(&inverse.program, x, y, |env| {
        let mut out = Vec::new();
        for (n, ensure) in inverse.ensures.iter().enumerate() {
            for (k, c) in ensure.conjuncts.iter().enumerate() {
                if matches!(env.holds(&c.pred, c.span), Ok(false)) {
                    out.push((n, k));
                }
            }
        }
        out
    })
}

/// Checks that the inverse makes `x`, as far as the program reads it, under some choices.
///
/// # Errors
///
/// The reason why it does not, or why `x` is not a representation.
pub fn reaches(inverse: &Executable, x: &Record) -> Result<(), String> {
    let y = normalize_with(inverse, x).map_err(|e| e.to_string())?;
    let limits = Limits::default();
    if inverse.program.has_walks() {
        return walk_reaches(inverse, x, &y, &limits);
    }
    let class = Class::of(&inverse.program, x, &y).ok_or("its reading cannot be followed")?;
    let searched = by_search(inverse, &y, &limits);
    missed(inverse, &y, &class, x, &limits, searched).map_or(Ok(()), Err)
}

/// [`reaches`] for a program with walks: a representation and the result of its choices contain the same numbers.
fn walk_reaches(
    inverse: &Executable,
    x: &Record,
    y: &Record,
    limits: &Limits,
) -> Result<(), String> {
    let own = |x: &Record| own_choices(inverse, x, y, limits).map_err(|e| e.to_string());
    let choices = own(x)?;
    let made = replay(inverse, y, choices.clone(), limits).map_err(|e| e.to_string())?;
    let again = own(&made)?;
    match choices.iter().find(|(name, value)| again.get(*name) != Some(value)) {
        Some((name, _)) => Err(format!("the inverse settles {name} itself")),
        None => Ok(()),
    }
}

/// Returns the reason why the inverse does not make the representation `x`; `None` if it does.
/// `searched` is true if representations of `y` may come from the search.
fn missed(
    inverse: &Executable,
    y: &Record,
    class: &Class,
    x: &Record,
    limits: &Limits,
    searched: bool,
) -> Option<String> {
    let why = missed_by_ensures(inverse, y, class, x, limits)?;
    if searched {
        let made = replay(inverse, y, search_choices(&inverse.program, class, x), limits);
        if made.is_ok_and(|made| class.contains(&made, x)) {
            return None;
        }
    }
    Some(why)
}

/// As [`missed`], without the search.
fn missed_by_ensures(
    inverse: &Executable,
    y: &Record,
    class: &Class,
    x: &Record,
    limits: &Limits,
) -> Option<String> {
    let choices = match own_choices(inverse, x, y, limits) {
        Ok(choices) => choices,
        Err(e) => return Some(e.to_string()),
    };
    match replay(inverse, y, choices, limits) {
        Ok(made) if class.contains(&made, x) => None,
        Ok(made) => Some(format!(
            "the inverse settles {} itself",
            difference(&inverse.program, class, x, &made)
        )),
        Err(e) => Some(e.to_string()),
    }
}

/// Returns true if representations of `y` come from the search.
fn by_search(inverse: &Executable, y: &Record, limits: &Limits) -> bool {
    (0..SEARCHED).any(|k| {
        let mut source = ChoiceSource::seeded(0, k);
        invert_value(inverse, y, &mut source, limits).is_ok()
            && source.recorded().get(SEARCH).is_some()
    })
}

fn replay(
    inverse: &Executable,
    y: &Record,
    choices: Choices,
    limits: &Limits,
) -> Result<Record, RunError> {
    invert_value(inverse, y, &mut ChoiceSource::replaying(choices), limits)
}

/// Returns the first difference between the two: the name of a field, or an array's length.
fn difference(program: &Program, class: &Class, x: &Record, made: &Record) -> String {
    for (element, n) in &class.known {
        if element.of(made) != Some(*n) {
            return program.input.fields[element.field].name.clone();
        }
    }
    for (k, f) in program.input.indexed() {
        if let (FieldValue::Array(a), FieldValue::Array(b)) = (&x.fields[k], &made.fields[k])
            && a.lengths != b.lengths
        {
            return format!("the length of {}", f.name);
        }
    }
    "something".to_owned()
}
