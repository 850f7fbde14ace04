//! Decisions about branches and numbers, and backtracking from dead ends.

use rand::RngExt;

use super::linear::{Linear, Unknown};
use super::state::{Dead, Step};
use super::walker::{Frame, Walker};
use crate::program::Cmp;
use crate::solve::IntervalSet;
use crate::solve::draw::draw_integer;

/// The maximum number of ways through a round of a walk that are tried.
pub const WAYS: usize = 48;
/// The maximum number of values that are tried for a number.
const VALUES: usize = 4;

/// The purpose of a number that is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A place or a number of rounds depends on it, so it is usually small.
    Place,
    /// No known value depends on it.
    Value,
}

impl Walker<'_> {
    /// Runs a part of a walk, and tries other ways as long as it reaches dead ends.
    pub fn attempt(&mut self, ways: usize, mut run: impl FnMut(&mut Self) -> Step<()>) -> Step<()> {
        let (mark, depth, rest) = (self.state.mark(), self.frames.len(), self.rest.len());
        self.frames.push(Frame::default());
        let mut result = Err(Dead::End);
        for _ in 0..ways {
            result = run(self);
            self.frames.truncate(depth + 1);
            self.rest.truncate(rest);
            if result != Err(Dead::End) {
                break;
            }
            self.state.choosing = false;
            self.state.undo(mark);
            if !self.frames[depth].advance() {
                break;
            }
        }
        self.frames.truncate(depth);
        result
    }

    /// Takes one of several alternatives, starting with the last of `options`.
    pub fn pick(&mut self, options: impl FnOnce(&mut Self) -> Vec<i128>) -> Step<i128> {
        let depth = self.frames.len() - 1;
        let at = self.frames[depth].at;
        if at == self.frames[depth].taken.len() {
            let options = options(self);
            if options.is_empty() {
                return Err(Dead::End);
            }
            self.frames[depth].taken.push(options);
        }
        let frame = &mut self.frames[depth];
        frame.at += 1;
        frame.taken[at].last().copied().ok_or(Dead::End)
    }

    /// Makes a choice, and records that the values that it narrows do not follow from the canonical value.
    pub fn choose<T>(&mut self, choice: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        let outer = std::mem::replace(&mut self.state.choosing, true);
        let result = choice(self);
        self.state.choosing = outer;
        result
    }

    /// Returns the value of a sum, deciding the unknowns in it.
    pub fn settled(&mut self, sum: &Linear, purpose: Purpose) -> Step<i128> {
        loop {
            let sum = self.state.resolve(sum)?;
            match sum.terms.first() {
                None => return Ok(sum.constant),
                Some((u, _)) => self.decide(*u, purpose)?,
            }
        }
    }

    /// Assigns a value to an unknown.
    pub fn decide(&mut self, u: Unknown, purpose: Purpose) -> Step<()> {
        self.look_ahead()?;
        let open = self.state.resolve(&u.into())?;
        let [(u, _), ..] = open.terms[..] else { return Ok(()) };
        let value = self.pick(|walker| walker.values(u, purpose))?;
        let exact = Linear::from(u).plus(-1, &value.into()).ok_or(Dead::End)?;
        self.choose(|walker| walker.state.demand(Cmp::Eq, &exact))
    }

    /// Returns values to be tried for an unknown, in reverse order.
    fn values(&mut self, u: Unknown, purpose: Purpose) -> Vec<i128> {
        let d = self.state.domains[u.0].clone();
        let mut out = Vec::new();
        let add = |out: &mut Vec<i128>, n: i128| {
            if d.lo <= n && n <= d.hi && !d.except.contains(&n) && !out.contains(&n) {
                out.push(n);
            }
        };
        if let Some(preferred) = d.preferred {
            add(&mut out, preferred);
            add(&mut out, d.lo);
        }
        let domain = IntervalSet::range(d.lo, d.hi);
        for _ in 0..3 * VALUES {
            if out.len() >= VALUES {
                break;
            }
            let drawn = match purpose {
                Purpose::Place => d.lo + self.small(),
                Purpose::Value => draw_integer(&mut self.rng, &domain, &[]),
            };
            add(&mut out, drawn.min(d.hi));
        }
        add(&mut out, d.lo);
        add(&mut out, d.hi);
        out.reverse();
        out
    }

    /// Draws a small number, most often 0.
    pub fn small(&mut self) -> i128 {
        match self.rng.random_range(0..8) {
            0..2 => 0,
            2..5 => self.rng.random_range(0..8),
            5..7 => self.rng.random_range(0..64),
            _ => self.rng.random_range(0..1000),
        }
    }
}
