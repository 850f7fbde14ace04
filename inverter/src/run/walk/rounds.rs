//! The rounds of loops: their number, and the purpose of each.
//!
//! A round either assigns outputs or is skipped by the program. A loop ends when the outputs that only it assigns are
//! complete, and the equations after it hold; skipped rounds are inserted at random.

use rand::RngExt;

use super::decide::{Purpose, WAYS};
use super::exec::is_plain;
use super::linear::Linear;
use super::plan::{Copy, Goal, Head, Loop, Rest, Sides};
use super::state::{Dead, Step};
use super::walker::{Mode, Walker};
use crate::program::{Cmp, Expr, FieldId};
use crate::run::store::{Array, Cells, Slot};

/// The maximum number of elements of a copy in an input of any canonical value.
const MOST_COPIED: usize = 24;

/// The maximum number of times that a loop goes back to an earlier round.
const TURNS: u32 = 24;
/// The maximum number of lengths of a copy that are all tried.
const FEW: i128 = 8;

/// The rounds of one loop so far.
struct Rounds {
    done: i128,
    /// The number of rounds that are still to be skipped.
    skips: u32,
    /// The given or kept number of rounds.
    planned: Option<i128>,
    /// True if the number of rounds is a choice.
    chosen: bool,
    /// The number of rounds of a `for`.
    count: Option<Linear>,
}

impl<'a> Walker<'a> {
    /// Runs a loop.
    pub fn a_loop(&mut self, l: &'a Loop) -> Step<()> {
        let outer = self.mode;
        let count = match &l.head {
            Head::For(_, count) => Some(self.eval(count)?),
            Head::While(..) => None,
        };
        let result = match (&l.copy, &count) {
            (Some(copy), Some(count)) => self.copy(l, copy, count),
            _ => self.rounds(l, count, outer),
        };
        self.mode = outer;
        result
    }

    fn rounds(&mut self, l: &'a Loop, count: Option<Linear>, outer: Mode) -> Step<()> {
        let walk = match &l.head {
            Head::While(_, walk) => Some(*walk),
            Head::For(..) => None,
        };
        let planned = match (walk, &count) {
            (Some(walk), _) => self.planned_rounds(walk),
            (None, Some(count)) => self.preferred_count(count)?,
            (None, None) => None,
        };
        // A loop that assigns no output has no obligations, and may have any number of rounds.
        let skips = match planned {
            Some(_) => 0,
            None if self.any || l.body.outputs.is_empty() => self.any_rounds(walk)?,
            None if l.body.skippable && outer != Mode::Skip => self.skips(walk),
            None => 0,
        };
        let mut rounds = Rounds { done: 0, skips, planned, chosen: false, count };
        // The state before each round, because an earlier one may have led to a dead end.
        let (mut marks, mut turns) = (Vec::new(), 0);
        loop {
            marks.push((self.state.mark(), rounds.done));
            if let Head::For(var, _) = &l.head {
                self.state.set_var(*var, rounds.done.into());
            }
            let truth = match &l.head {
                Head::While(p, _) => self.truth(p)?,
                Head::For(..) => {
                    let distance = self.distance_to_end(&rounds)?;
                    self.state.truth_of(Cmp::Lt, &distance)?
                }
            };
            if truth == Some(false) {
                break;
            }
            match self.goes_on(l, &mut rounds, truth, outer) {
                Ok(true) => rounds.done += 1,
                Ok(false) => break,
                Err(Dead::End) if turns < TURNS && marks.len() > 1 => {
                    turns += 1;
                    let back = (1 << (turns % 4)).min(marks.len() - 1);
                    marks.truncate(marks.len() - back);
                    if let Some((mark, done)) = marks.pop() {
                        self.state.undo(mark);
                        // Every other time, no more rounds are skipped.
                        rounds.done = done;
                        rounds.skips = if turns % 2 == 1 { 0 } else { skips };
                    }
                }
                Err(dead) => return Err(dead),
            }
        }
        if let Some(walk) = walk {
            let done = usize::try_from(rounds.done).unwrap_or(0);
            self.state.round(walk, done, rounds.chosen);
        }
        Ok(())
    }

    /// Returns the number of rounds that a `for` should have, if it is undecided.
    fn preferred_count(&self, count: &Linear) -> Step<Option<i128>> {
        let count = self.state.resolve(count)?;
        Ok(match count.terms[..] {
            [(u, 1)] => self.state.domains[u.0].preferred.map(|n| n + count.constant),
            _ => None,
        })
    }

    /// Returns the number of the next round of a `for` minus the total number of rounds.
    fn distance_to_end(&self, rounds: &Rounds) -> Step<Linear> {
        let count = rounds.count.as_ref().ok_or(Dead::End)?;
        Linear::from(rounds.done).plus(-1, count).ok_or(Dead::End)
    }

    /// Runs another round, or leaves the loop and returns false.
    fn goes_on(
        &mut self,
        l: &'a Loop,
        rounds: &mut Rounds,
        truth: Option<bool>,
        outer: Mode,
    ) -> Step<bool> {
        let forced = truth == Some(true);
        let owed = outer != Mode::Skip && !self.any && self.owed(l)?;
        let more = outer != Mode::Skip
            && !self.any
            && l.body.outputs.iter().any(|f| self.state.left[f.0] > 0);
        let enter = forced
            || match rounds.planned {
                Some(planned) => rounds.done < planned,
                None if owed || rounds.skips > 0 => true,
                None if more && l.whole.is_empty() => {
                    rounds.chosen = true;
                    self.pick(|walker| walker.shuffled(&[0, 1]))? == 1
                }
                None => false,
            };
        // Skipped rounds could be inserted here.
        rounds.chosen |= !forced && l.body.skippable;
        if !enter {
            self.choose(|walker| walker.head(l, rounds, false))?;
            return Ok(false);
        }
        let skip =
            !self.any && rounds.skips > 0 && (!(owed || more) || self.rng.random_range(0..3) == 0);
        let mode = match (outer, rounds.planned) {
            (Mode::Skip, _) => Mode::Skip,
            (_, Some(_)) => Mode::Any,
            _ if skip => Mode::Skip,
            _ if more => Mode::Progress,
            _ => Mode::Any,
        };
        match self.round(l, rounds, (mode, outer), forced) {
            Ok(()) => {
                rounds.skips -= u32::from((skip || self.any) && rounds.skips > 0);
                Ok(true)
            }
            Err(Dead::End) if mode == Mode::Skip && rounds.skips > 0 => {
                // Nothing can be skipped here.
                rounds.skips = 0;
                self.goes_on(l, rounds, truth, outer)
            }
            Err(Dead::End) if mode == Mode::Progress && forced && l.body.skippable => {
                self.round(l, rounds, (Mode::Skip, outer), forced).map(|()| true)
            }
            Err(Dead::End) if !forced && !owed => {
                self.choose(|walker| walker.head(l, rounds, false))?;
                Ok(false)
            }
            Err(dead) => Err(dead),
        }
    }

    /// Requires that there is another round, or none.
    fn head(&mut self, l: &Loop, rounds: &Rounds, another: bool) -> Step<()> {
        match &l.head {
            Head::While(p, _) => self.demand(p, another),
            Head::For(..) => {
                let distance = self.distance_to_end(rounds)?;
                self.state.demand(if another { Cmp::Lt } else { Cmp::Ge }, &distance)
            }
        }
    }

    fn round(
        &mut self,
        l: &'a Loop,
        rounds: &Rounds,
        (mode, outer): (Mode, Mode),
        forced: bool,
    ) -> Step<()> {
        let (before, deferred) = (self.state.count, self.state.deferred.len());
        let goals: Vec<Option<i128>> = l.goals.iter().map(|g| self.distance_to(g)).collect();
        self.attempt(WAYS, |walker| {
            walker.mode = mode;
            if !forced {
                walker.choose(|walker| walker.head(l, rounds, true))?;
            }
            walker.rest.push(Rest::Loop(l));
            walker.block(&l.body)?;
            walker.place_deferred(deferred)?;
            walker.rest.pop();
            let assigned = walker.state.count - before;
            if mode == Mode::Progress && assigned == 0 || mode == Mode::Skip && assigned > 0 {
                return Err(Dead::End);
            }
            // If the loop ends with this round, no obligations may remain.
            if let Head::While(p, _) = &l.head
                && outer != Mode::Skip
                && !walker.any
                && walker.truth(p)? == Some(false)
                && walker.owed(l)?
            {
                return Err(Dead::End);
            }
            for (goal, before) in l.goals.iter().zip(&goals).filter(|(goal, _)| goal.steady) {
                // Each round must come nearer to the goal without going past it.
                if let (Some(before), Some(after)) = (before, walker.distance_to(goal))
                    && !(after.abs() <= before.abs() && after.signum() * before.signum() >= 0)
                {
                    return Err(Dead::End);
                }
            }
            Ok(())
        })
    }

    /// Returns true if a loop must not end yet.
    fn owed(&mut self, l: &Loop) -> Step<bool> {
        if l.whole.iter().any(|f| self.state.left[f.0] > 0) {
            return Ok(true);
        }
        for (field, row) in &l.rows {
            if !is_plain(row) {
                continue;
            }
            let Some(row) = self.eval(row)?.known() else { continue };
            let Slot::Array(array, _) = &self.y.slots[*field] else { continue };
            let size: usize = array.lengths.iter().skip(1).product();
            let start = usize::try_from(row).ok().filter(|row| *row < array.lengths[0]);
            let Some(start) = start.map(|row| row * size) else { continue };
            if !self.state.assigned[field.0].contains_all_in_range(start..start + size) {
                return Ok(true);
            }
        }
        Ok(l.goals.iter().any(|goal| self.distance_to(goal).is_some_and(|d| d != 0)))
    }

    /// Returns the distance to an equation, if it is known.
    fn distance_to(&mut self, goal: &Goal) -> Option<i128> {
        if self.any {
            return None;
        }
        let mut known = |e: &Expr| if is_plain(e) { self.eval(e).ok()?.known() } else { None };
        match &goal.sides {
            Sides::Equal(a, b) => known(a)?.checked_sub(known(b)?),
            Sides::Output(target, value) => {
                let value = known(value)?;
                let at = self.known_output(target).ok()??;
                self.wanted(target.field, at).ok()?.checked_sub(value)
            }
        }
    }

    /// Runs a loop that copies bytes to outputs.
    fn copy(&mut self, l: &Loop, copy: &Copy, count: &Linear) -> Step<()> {
        let (_, most) = self.state.bounds(&self.state.resolve(count)?);
        if most <= 0 {
            return Ok(());
        }
        let field = copy.target.field;
        if self.any {
            return self.copy_any(copy, count);
        }
        let room = match self.output(&copy.target) {
            Ok(start) => Some((start, self.open_run(field, start, &copy.target.index)?)),
            // There is no such element, so the loop has no round.
            Err(Dead::End) => None,
            Err(spent) => return Err(spent),
        };
        let room_for = room.map_or(0, |(_, n)| n);
        self.look_ahead()?;
        let count = self.state.resolve(count)?;
        let n = match count.known() {
            Some(n) => n,
            None => {
                let goal = l.goals.iter().find_map(|g| self.distance_to(g));
                let n = self.pick(|walker| walker.lengths(&count, room_for, goal))?;
                let distance = count.plus(-1, &n.into()).ok_or(Dead::End)?;
                let cmp = if n == 0 { Cmp::Le } else { Cmp::Eq };
                self.choose(|walker| walker.state.demand(cmp, &distance))?;
                n
            }
        };
        let Some((start, _)) = room.filter(|_| n > 0) else {
            return if n <= 0 { Ok(()) } else { Err(Dead::End) };
        };
        let n = usize::try_from(n).ok().filter(|n| *n <= room_for).ok_or(Dead::End)?;
        let at = self.eval(&copy.at)?;
        let at = self.settled(&at, Purpose::Place)?;
        let at = self.place(copy.source, at, n)?;
        self.steps = self.steps.checked_sub(n as u64).ok_or(Dead::Spent)?;
        // These are mostly bytes about which nothing is known.
        if let Slot::Array(Array { cells: Cells::U8(all), .. }, _) = &self.y.slots[field]
            && self.state.copy((field, start), (copy.source, at), &all.window(start..start + n))
        {
            return Ok(());
        }
        for k in 0..n {
            if !self.state.assign(field, start + k) {
                return Err(Dead::End);
            }
            self.write(copy.source, at + k, self.wanted(field, start + k)?)?;
        }
        Ok(())
    }

    /// Runs a loop that copies bytes, if the canonical value is arbitrary.
    fn copy_any(&mut self, copy: &Copy, count: &Linear) -> Step<()> {
        let n = match self.state.resolve(count)?.known() {
            Some(n) => n,
            None => {
                let n = self.pick(|walker| walker.lengths(count, MOST_COPIED, None))?;
                let distance = count.plus(-1, &n.into()).ok_or(Dead::End)?;
                self.choose(|walker| walker.state.demand(Cmp::Eq, &distance))?;
                n
            }
        };
        let at = self.eval(&copy.at)?;
        let at = self.settled(&at, Purpose::Place)?;
        let n = usize::try_from(n.max(0)).map_err(|_| Dead::End)?;
        self.place(copy.source, at, n).map(|_| ())
    }

    /// Returns the number of unassigned elements from `start` to the end of its row.
    fn open_run(&self, field: FieldId, start: usize, index: &[Expr]) -> Step<usize> {
        let Slot::Array(array, _) = &self.y.slots[field] else { return Err(Dead::End) };
        let row = array.lengths.last().copied().unwrap_or(0).max(1);
        let end = if index.len() > 1 { (start / row + 1) * row } else { array.cells.len() };
        let assigned = &self.state.assigned[field.0];
        Ok((start..end).take_while(|at| !assigned.contains(*at)).count())
    }

    /// Returns numbers of rounds of a loop that copies, to be tried in reverse order.
    fn lengths(&mut self, count: &Linear, room: usize, goal: Option<i128>) -> Vec<i128> {
        let (lo, hi) = self.state.bounds(count);
        let (lo, hi) = (lo.max(0), hi.min(room as i128));
        let mut out: Vec<i128> = Vec::new();
        let mut add = |n: i128| {
            if (lo..=hi).contains(&n) && !out.contains(&n) {
                out.push(n);
            }
        };
        if let [(u, 1)] = count.terms[..]
            && let Some(preferred) = self.state.domains[u.0].preferred
        {
            add(preferred + count.constant);
        }
        if self.mode == Mode::Skip {
            add(0);
        } else {
            if let Some(goal) = goal {
                add(goal.abs());
            }
            if lo <= hi {
                let any = self.rng.random_range(lo..=hi);
                match self.rng.random_range(0..6) {
                    0 => add(self.rng.random_range(lo..=hi.min(lo + 8))),
                    1..4 => add(any),
                    _ => add(hi),
                }
                add(any);
            }
            add(hi);
            add(0);
            if hi - lo <= FEW {
                let all: Vec<i128> = (lo..=hi).collect();
                self.shuffled(&all).into_iter().for_each(add);
            }
        }
        out.reverse();
        out
    }

    /// Decides the number of rounds of a loop that assigns no output.
    fn any_rounds(&mut self, walk: Option<usize>) -> Step<u32> {
        const MOST: i128 = 8;
        let drawn = self.draws_rounds(walk);
        let rounds = self.pick(|walker| {
            let mut all: Vec<i128> = (0..=MOST).rev().collect();
            if drawn {
                let first = walker.rng.random_range(0..4) + walker.rng.random_range(0..4);
                all = walker.shuffled(&all);
                all.retain(|n| *n != first);
                all.push(first);
            }
            all
        })?;
        u32::try_from(rounds).map_err(|_| Dead::End)
    }

    /// Draws the number of rounds that a loop skips.
    fn skips(&mut self, walk: Option<usize>) -> u32 {
        if !self.draws_rounds(walk) {
            return 0;
        }
        match self.rng.random_range(0..8) {
            0..2 => 0,
            2..4 => 1,
            4 => 2,
            _ => self.rng.random_range(0..6),
        }
    }
}
