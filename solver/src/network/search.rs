//! Searches in a network: one solution at random, the one nearest to given values, or all.

use std::ops::Range;

use rand::RngExt;

use super::Network;
use super::constraint::Constraint;
use super::state::{Mark, State, Stop};
use crate::draw::{draw_integer, shuffle};
use crate::interval::IntervalSet;
use crate::stream::Stream;

/// The value that an unknown should have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    /// This one.
    Value(i128),
    /// The least.
    Least,
    /// One that is drawn.
    Any,
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A solution.
    Values(Vec<i128>),
    /// There is none.
    Nothing,
    /// None was found within the effort.
    Spent,
}

/// The effort of a search, for each unknown and constraint, and at least.
const EFFORT: (u64, u64) = (400, 200_000);
/// The most unknowns of a network whose solutions are listed.
const LIST_UNKNOWNS: usize = 64;
/// The number of times that a drawn value may turn out to lead nowhere.
const DEAD_ENDS: usize = 400;
/// The number of draws of an unknown before its bounds are tried.
const DRAWS: usize = 3;
/// This limit in a network of few unknowns.
const MANY_DRAWS: usize = 24;
/// The number of unknowns that are few.
const FEW: usize = 8;
/// The greatest number that is tried as a divisor, and the most values of an unknown that are listed.
const MOST_TRIED: i128 = 1 << 16;

/// The rule by which one draw selects values.
#[derive(Debug, Clone, Copy)]
enum Rule {
    /// Each the least.
    Least,
    /// Each the greatest.
    Greatest,
    /// Most of them the least that is possible beside the first.
    Close,
    /// Each anywhere.
    Anywhere,
}

/// Values of a factor of a product.
struct Divisors {
    values: Vec<i128>,
    /// True if there are no others.
    complete: bool,
}

impl Network {
    fn effort(&self) -> u64 {
        EFFORT.1 + EFFORT.0 * (self.domains.len() + self.constraints.len()) as u64
    }

    /// Draws a solution. Unknowns with a preference have it where possible.
    pub fn draw(&self, rng: &mut Stream, preferences: &[Preference]) -> Found {
        // A few unknowns are drawn anywhere: each solution should come up as often as others.
        let rule = match rng.random_range(0..8) {
            _ if self.unknowns() <= FEW => Rule::Anywhere,
            0 => Rule::Least,
            1 => Rule::Greatest,
            2 | 3 => Rule::Close,
            _ => Rule::Anywhere,
        };
        let wish = |k: u32| preferences.get(k as usize).copied().unwrap_or(Preference::Any);
        let (mut order, mut free): (Vec<u32>, Vec<u32>) =
            (0..self.unknowns() as u32).partition(|k| wish(*k) != Preference::Any);
        // Given values come first: the least value of another unknown may exclude them.
        order.sort_by_key(|k| wish(*k) == Preference::Least);
        // In a random order each value is drawn between two that are fixed, as when a list is
        // bisected: what is narrowed at each step halves, and no end of a chain takes all the room.
        for k in (1..free.len()).rev() {
            free.swap(k, rng.random_range(0..=k));
        }
        order.extend(free);
        let draws = if self.unknowns() <= FEW { MANY_DRAWS } else { DRAWS };
        let mut first = true;
        self.search(order, &mut |state, unknown| {
            let (lo, hi) = state.bounds(unknown);
            match wish(unknown as u32) {
                Preference::Value(own) => return self.nearest(unknown, own, (lo, hi)),
                Preference::Least => return vec![lo, hi],
                Preference::Any => {}
            }
            let mut values: Vec<i128> = match rule {
                Rule::Least => vec![lo],
                Rule::Greatest => vec![hi],
                Rule::Close if !std::mem::take(&mut first) => {
                    let near = hi.min(lo.saturating_add(8));
                    let far = self.anywhere(unknown, (lo, near), rng);
                    vec![if rng.random_range(0..4) > 0 { lo } else { far }]
                }
                Rule::Close | Rule::Anywhere => match self.divisors(state, unknown) {
                    Some(Divisors { mut values, .. }) => {
                        shuffle(rng, &mut values);
                        values
                    }
                    None => {
                        let any = (0..draws).map(|_| self.anywhere(unknown, (lo, hi), rng));
                        let any: Vec<i128> = any.collect();
                        self.arguments(state, unknown, &any, rng).unwrap_or(any)
                    }
                },
            };
            values.extend([lo, hi]);
            values
        })
    }

    /// Finds a solution near to `preferred` values: each unknown has its own where possible.
    pub fn near(&self, preferred: &[i128]) -> Found {
        let order = (0..self.unknowns() as u32).collect();
        self.search(order, &mut |state, unknown| {
            let (lo, hi) = state.bounds(unknown);
            let own = preferred.get(unknown).copied().unwrap_or(lo);
            self.nearest(unknown, own, (lo, hi))
        })
    }

    /// Returns the values to try for an unknown that should have `own`.
    fn nearest(&self, unknown: usize, own: i128, (lo, hi): (i128, i128)) -> Vec<i128> {
        let own = own.clamp(lo, hi);
        let fits = self.domains[unknown].contains(own);
        fits.then_some(own).into_iter().chain([lo, hi]).collect()
    }

    /// Returns the values of an unknown that divide a product, if it is a factor of one that is fixed.
    fn divisors(&self, state: &State<'_>, unknown: usize) -> Option<Divisors> {
        let product = self.watching[unknown].iter().find_map(|c| {
            let Constraint::Product { factors, product } = &self.constraints[*c as usize] else {
                return None;
            };
            let open = factors.iter().all(|f| !state.is_fixed(*f as usize));
            let (lo, hi) = state.bounds(*product as usize);
            (lo == hi && lo != 0 && open && factors.contains(&(unknown as u32))).then_some(lo)
        })?;
        let size = i128::try_from(product.unsigned_abs()).ok()?;
        let mut divisors = Vec::new();
        let mut d = 1;
        while d <= MOST_TRIED && d * d <= size {
            if size % d == 0 {
                divisors.extend([d, -d, size / d, -(size / d)]);
            }
            d += 1;
        }
        let complete = d * d > size;
        let (lo, hi) = state.bounds(unknown);
        divisors.retain(|d| (lo..=hi).contains(d) && self.domains[unknown].contains(*d));
        divisors.sort_unstable();
        divisors.dedup();
        Some(Divisors { values: divisors, complete })
    }

    /// Returns values of an unknown that is the argument of a function, such that the function may have them: all
    /// in random order if they are few, else those among `any`.
    fn arguments(
        &self,
        state: &State<'_>,
        unknown: usize,
        any: &[i128],
        rng: &mut Stream,
    ) -> Option<Vec<i128>> {
        /// The most values that are few.
        const FEW_ARGUMENTS: usize = 16;
        let mut left: Option<Vec<i128>> = None;
        for c in &self.watching[unknown] {
            let Constraint::Table { of, value, graph } = &self.constraints[*c as usize] else {
                continue;
            };
            if *of as usize == unknown {
                let mut own = state.supported(*of, *value, graph).map(|(argument, _)| argument);
                left = Some(match left {
                    None => own.collect(),
                    Some(mut left) => {
                        let own: Vec<i128> = own.by_ref().collect();
                        left.retain(|a| own.binary_search(a).is_ok());
                        left
                    }
                });
            }
        }
        let mut left = left?;
        if left.len() <= FEW_ARGUMENTS {
            shuffle(rng, &mut left);
            return Some(left);
        }
        Some(any.iter().copied().filter(|a| left.binary_search(a).is_ok()).collect())
    }

    /// Returns the ends of an unknown's values in each alternative that is left: a disjunction narrows no
    /// bounds, and these may all lie between them.
    fn alternatives(&self, state: &State<'_>, unknown: u32) -> Vec<i128> {
        let (lo, hi) = state.bounds(unknown as usize);
        let mut ends = Vec::new();
        for c in &self.watching[unknown as usize] {
            let Constraint::Any(branches) = &self.constraints[*c as usize] else { continue };
            for c in branches.iter().filter(|branch| state.may_hold_all(branch)).flatten() {
                if let Constraint::Sum { terms, least, most } = c
                    && let [(own, c @ (1 | -1))] = terms[..]
                    && own == unknown
                {
                    let end = |n: i128| n.saturating_mul(c).clamp(lo, hi);
                    ends.extend([end(*least), end(*most)]);
                }
            }
        }
        ends.retain(|n| self.domains[unknown as usize].contains(*n));
        ends
    }

    /// Draws a value of an unknown from within its bounds.
    fn anywhere(&self, unknown: usize, (lo, hi): (i128, i128), rng: &mut Stream) -> i128 {
        let domain = &self.domains[unknown];
        if domain.modulus == 1 && domain.set.spans().len() == 1 {
            return draw_integer(rng, &IntervalSet::range(lo, hi), &[]);
        }
        let set = domain.set.intersect(&IntervalSet::range(lo, hi));
        let within = crate::Domain { set, ..*domain };
        let quotients = within.quotients();
        if quotients.is_empty() { lo } else { within.member(draw_integer(rng, &quotients, &[])) }
    }

    /// Fixes the unknowns in `order`, each to the first of `values` that propagates.
    fn search(
        &self,
        mut order: Vec<u32>,
        values: &mut dyn FnMut(&State<'_>, usize) -> Vec<i128>,
    ) -> Found {
        // Auxiliary unknowns follow from the others, mostly without a choice.
        order.extend(self.own as u32..self.domains.len() as u32);
        let mut state = match State::new(self, self.effort()) {
            Ok(state) => state,
            Err(Stop::Dead) => return Found::Nothing,
            Err(Stop::Spent) => return Found::Spent,
        };
        /// An unknown, by its place in the order, with its values that are left, the last first.
        struct Level {
            at: usize,
            mark: Mark,
            left: Vec<i128>,
        }
        let mut levels: Vec<Level> = Vec::new();
        let mut dead_ends = 0;
        let mut at = 0;
        loop {
            while order.get(at).is_some_and(|k| state.is_fixed(*k as usize)) {
                at += 1;
            }
            let Some(unknown) = order.get(at) else {
                let mut values = state.values();
                values.truncate(self.own);
                return Found::Values(values);
            };
            let mut left = match (*unknown as usize) < self.own {
                true => values(&state, *unknown as usize),
                false => <[i128; 2]>::from(state.bounds(*unknown as usize)).to_vec(),
            };
            left.extend(self.alternatives(&state, *unknown));
            left.reverse();
            levels.push(Level { at, mark: state.mark(), left });
            // The next value that propagates, of this unknown or of one before.
            at = loop {
                let Some(level) = levels.last_mut() else { return Found::Spent };
                let Some(value) = level.left.pop() else {
                    levels.pop();
                    if let Some(before) = levels.last() {
                        state.restore(before.mark);
                    }
                    continue;
                };
                level.left.retain(|v| *v != value);
                match state.fix(order[level.at] as usize, value) {
                    Ok(()) => break level.at + 1,
                    Err(Stop::Spent) => return Found::Spent,
                    Err(Stop::Dead) => {
                        state.restore(level.mark);
                        dead_ends += 1;
                        if dead_ends > DEAD_ENDS {
                            return Found::Spent;
                        }
                    }
                }
            };
        }
    }

    /// Lists all solutions, in a fixed order, if there are at most `most`; `None` if there are more, or the
    /// effort, terms of sums that are visited, does not suffice.
    pub fn all(&self, most: usize, effort: u64) -> Option<Vec<Vec<i128>>> {
        if self.unknowns() > LIST_UNKNOWNS {
            return None;
        }
        let mut out = Vec::new();
        match State::new(self, effort) {
            Ok(mut state) => self.list(&mut state, most, &mut out).then_some(out),
            Err(Stop::Dead) => Some(out),
            Err(Stop::Spent) => None,
        }
    }

    /// Adds the solutions from a state on; false if they are too many.
    fn list(&self, state: &mut State<'_>, most: usize, out: &mut Vec<Vec<i128>>) -> bool {
        // The unknown with the fewest values is decided first.
        let size = |k: &usize| {
            let (lo, hi) = state.bounds(*k);
            hi.saturating_sub(lo)
        };
        let open = |range: Range<usize>| range.filter(|k| !state.is_fixed(*k)).min_by_key(size);
        // Auxiliary unknowns last: they have one value for each of the others.
        let Some(unknown) = open(0..self.own).or_else(|| open(self.own..self.domains.len())) else {
            let mut values = state.values();
            values.truncate(self.own);
            out.push(values);
            return out.len() <= most;
        };
        let mark = state.mark();
        let (lo, hi) = state.bounds(unknown);
        let divisors = self.divisors(state, unknown);
        let divisors = divisors.filter(|found| found.complete).map(|found| found.values);
        if divisors.is_none() && hi.saturating_sub(lo) > MOST_TRIED {
            return false;
        }
        let mut values = divisors.map(Vec::into_iter);
        let mut value = Some(lo);
        loop {
            let next = match &mut values {
                Some(values) => values.next(),
                None => value,
            };
            let Some(tried) = next else { return true };
            match state.fix(unknown, tried) {
                Ok(()) => {
                    if !self.list(state, most, out) {
                        return false;
                    }
                }
                Err(Stop::Dead) => {}
                Err(Stop::Spent) => return false,
            }
            state.restore(mark);
            value = self.domains[unknown].at_least(tried + 1).filter(|next| *next <= hi);
        }
    }
}
