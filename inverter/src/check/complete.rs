//! Completeness: which share of the representations of a canonical value the inverse can
//! make, on instances small enough to enumerate them all.

use std::collections::BTreeMap;

use crate::program::Program;
use crate::run::explore::{Bounds, Class, Matches, Window, explore};
use crate::run::search::{SEARCH, search_choices};
use crate::run::{
    Executable, FieldValue, Limits, Record, RunError, invert_value, normalize_with, own_choices,
};
use crate::solve::{ChoiceSource, Choices};

/// The representations of one canonical value, and which of them are reached.
#[derive(Debug, Clone, Default)]
pub struct Completeness {
    /// The number of classes of inputs that were tried.
    pub all: usize,
    /// The number that the inverse can make.
    pub reached: usize,
    /// True if all were enumerated within the window; else only the first were.
    pub whole: bool,
    /// The largest value of the window.
    pub window: i128,
    /// Why representations are not reached: how many, and one of them.
    pub missed: BTreeMap<String, (usize, String)>,
}

impl Completeness {
    /// The share that is reached, from 0 to 1; 1 if there is none to reach.
    pub fn share(&self) -> f64 {
        if self.all == 0 { 1.0 } else { self.reached as f64 / self.all as f64 }
    }
}

/// Enumerates the representations of `y` and asks for each whether the inverse makes it
/// under some choices. The window is made smaller until the enumeration fits `bounds`.
pub fn completeness(
    inverse: &Executable,
    y: &Record,
    largest: i128,
    bounds: Bounds,
) -> Completeness {
    let mut best = Completeness::default();
    for window in (0..=largest).rev() {
        let mut classes: Vec<Class> = Vec::new();
        let mut options = Window::new(&inverse.program, window);
        let goal = Matches::of(y);
        let whole = explore(&inverse.program, &goal, &mut options, bounds, &mut |_, class| {
            classes.push(class);
            true
        });
        if !whole && window > 1 {
            continue;
        }
        best = judge(inverse, y, &classes);
        best.whole = whole;
        best.window = window;
        break;
    }
    best
}

/// The most representations of one value that are asked for: each takes some milliseconds.
const MOST: usize = 300;

fn judge(inverse: &Executable, y: &Record, classes: &[Class]) -> Completeness {
    let mut out = Completeness::default();
    let limits = Limits::default();
    let searched = by_search(inverse, y, &limits);
    // Evenly over all of them where there are too many.
    let step = classes.len().div_ceil(MOST).max(1);
    for class in classes.iter().step_by(step) {
        // A class that the program itself refuses in full is none (an array's length that
        // another part of the input fixes).
        let Some(x) = class.value(&inverse.program) else { continue };
        if normalize_with(inverse, &x).ok().as_ref() != Some(y) {
            continue;
        }
        out.all += 1;
        match missed(inverse, y, class, &x, &limits, searched) {
            None => out.reached += 1,
            Some(why) => {
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

/// Checks that the inverse makes `x`, as far as the program reads it, under some choices.
///
/// # Errors
///
/// The reason why it does not, or why `x` is no representation.
pub fn reaches(inverse: &Executable, x: &Record) -> Result<(), String> {
    let y = normalize_with(inverse, x).map_err(|e| e.to_string())?;
    let limits = Limits::default();
    let class = Class::of(&inverse.program, x, &y).ok_or("its reading cannot be followed")?;
    let searched = by_search(inverse, &y, &limits);
    missed(inverse, &y, &class, x, &limits, searched).map_or(Ok(()), Err)
}

/// Why the inverse does not make the representation; `None` if it does. `searched` tells
/// that representations of `y` may come from the search.
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
    (0..4).any(|k| {
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

/// The first thing in which the two differ.
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
