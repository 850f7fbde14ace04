//! Searches in a network: one solution at random, the one nearest to given values, or all.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::Network;
use super::state::{Mark, State, Stop};
use crate::solve::draw::draw_integer;
use crate::solve::interval::IntervalSet;

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
/// The effort of listing all solutions.
const LIST_EFFORT: u64 = 2_000_000;
/// The most unknowns of a network whose solutions are listed.
const LIST_UNKNOWNS: usize = 64;
/// The number of times that a drawn value may turn out to lead nowhere.
const DEAD_ENDS: usize = 400;
/// The number of draws of an unknown before its bounds are tried.
const DRAWS: usize = 3;

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

impl Network {
    fn effort(&self) -> u64 {
        EFFORT.1 + EFFORT.0 * (self.domains.len() + self.constraints.len()) as u64
    }

    /// Draws a solution.
    pub fn draw(&self, rng: &mut ChaCha8Rng) -> Found {
        let rule = match rng.random_range(0..8) {
            0 => Rule::Least,
            1 => Rule::Greatest,
            2 | 3 => Rule::Close,
            _ => Rule::Anywhere,
        };
        // In a random order each value is drawn between two that are fixed, as when a list is
        // bisected: what is narrowed at each step halves, and no end of a chain takes all the room.
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        for k in (1..order.len()).rev() {
            order.swap(k, rng.random_range(0..=k));
        }
        let mut first = true;
        self.search(&order, &mut |state, unknown| {
            let (lo, hi) = state.bounds(unknown);
            let mut any = || self.anywhere(unknown, (lo, hi), rng);
            let mut values: Vec<i128> = match rule {
                Rule::Least => vec![lo],
                Rule::Greatest => vec![hi],
                Rule::Close if !std::mem::take(&mut first) => {
                    let near = hi.min(lo.saturating_add(8));
                    let far = self.anywhere(unknown, (lo, near), rng);
                    vec![if rng.random_range(0..4) > 0 { lo } else { far }]
                }
                Rule::Close | Rule::Anywhere => (0..DRAWS).map(|_| any()).collect(),
            };
            values.extend([lo, hi]);
            values
        })
    }

    /// Finds a solution near to `preferred` values: each unknown has its own where possible.
    pub fn near(&self, preferred: &[i128]) -> Found {
        let order: Vec<u32> = (0..self.len() as u32).collect();
        self.search(&order, &mut |state, unknown| {
            let (lo, hi) = state.bounds(unknown);
            let own = preferred.get(unknown).map(|v| (*v).clamp(lo, hi));
            let own = own.filter(|v| self.domains[unknown].contains(*v));
            own.into_iter().chain([lo, hi]).collect()
        })
    }

    /// Draws a value of an unknown from within its bounds.
    fn anywhere(&self, unknown: usize, (lo, hi): (i128, i128), rng: &mut ChaCha8Rng) -> i128 {
        let domain = &self.domains[unknown];
        if domain.modulus == 1 && domain.set.spans().len() == 1 {
            return draw_integer(rng, &IntervalSet::range(lo, hi), &[]);
        }
        let set = domain.set.intersect(&IntervalSet::range(lo, hi));
        let within = crate::solve::Domain { set, ..*domain };
        let quotients = within.quotients();
        if quotients.is_empty() { lo } else { within.member(draw_integer(rng, &quotients, &[])) }
    }

    /// Fixes the unknowns in `order`, each to the first of `values` that propagates.
    fn search(
        &self,
        order: &[u32],
        values: &mut dyn FnMut(&State<'_>, usize) -> Vec<i128>,
    ) -> Found {
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
            let Some(unknown) = order.get(at) else { return Found::Values(state.values()) };
            let mut left = values(&state, *unknown as usize);
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
    /// effort does not suffice.
    pub fn all(&self, most: usize) -> Option<Vec<Vec<i128>>> {
        if self.len() > LIST_UNKNOWNS {
            return None;
        }
        let mut out = Vec::new();
        match State::new(self, LIST_EFFORT) {
            Ok(mut state) => self.list(&mut state, most, &mut out).then_some(out),
            Err(Stop::Dead) => Some(out),
            Err(Stop::Spent) => None,
        }
    }

    /// Adds the solutions from a state on; false if they are too many.
    fn list(&self, state: &mut State<'_>, most: usize, out: &mut Vec<Vec<i128>>) -> bool {
        // The unknown with the fewest values is decided first.
        let open = (0..self.len()).filter(|k| !state.is_fixed(*k));
        let size = |k: &usize| {
            let (lo, hi) = state.bounds(*k);
            hi.saturating_sub(lo)
        };
        let Some(unknown) = open.min_by_key(size) else {
            out.push(state.values());
            return out.len() <= most;
        };
        let mark = state.mark();
        let (mut value, hi) = state.bounds(unknown);
        loop {
            match state.fix(unknown, value) {
                Ok(()) => {
                    if !self.list(state, most, out) {
                        return false;
                    }
                }
                Err(Stop::Dead) => {}
                Err(Stop::Spent) => return false,
            }
            state.restore(mark);
            value = match self.domains[unknown].at_least(value + 1) {
                Some(next) if next <= hi => next,
                _ => return true,
            };
        }
    }
}
