//! Searches in a network, part by part: one solution at random, or the one nearest to given values.

use rand::RngExt;
use rustc_hash::FxHashSet;

use super::Network;
use super::part::Part;
use super::state::{Mark, State, Stop};
use crate::domain::Domain;
use crate::draw::{draw_integer, shuffle};
use crate::evenly::Solutions;
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

/// Selects among the solutions of a network.
pub trait Pick {
    /// Returns the value that an unknown should have.
    fn wish(&self, unknown: u32) -> Preference;

    /// Draws one of `some` of the solutions of a part, which are few; `None` stands for all of them.
    fn solution<'s>(
        &mut self,
        all: &'s Solutions,
        some: Option<Vec<&'s [i128]>>,
    ) -> Option<&'s [i128]>;

    /// True if nothing is ruled out beside the constraints.
    fn is_free(&self) -> bool {
        true
    }

    /// Returns values to try for an unknown that is to be drawn, of those that it may have.
    fn values(&mut self, unknown: u32, of: &Domain) -> Vec<i128>;

    /// Returns the values of an unknown that are ruled out otherwise, if there are any.
    fn ruled_out(&self, _unknown: u32) -> Option<&IntervalSet> {
        None
    }

    /// Returns true if these values of some unknowns are ruled out otherwise.
    fn refuses(&self, _unknowns: &[u32], _values: &[i128]) -> bool {
        false
    }

    /// Puts many unknowns that are to be drawn into the order in which they are; false if the one with the fewest values is
    /// to be the next, as of few unknowns.
    fn shuffle(&mut self, unknowns: &mut [u32]) -> bool;
}

/// The effort of a search, for each unknown and constraint, and at least.
const EFFORT: (u64, u64) = (400, 200_000);
/// The number of times that a value may turn out to lead nowhere, in each part.
const DEAD_ENDS: usize = 400;
/// The most values of an unknown that are all tried.
const FEW: u128 = 16;
/// The number of draws of an unknown with more values, before its ends are tried.
const DRAWS: usize = 3;
/// This number in a network of few unknowns.
const MANY_DRAWS: usize = 24;
/// The number of unknowns that are few.
const FEW_UNKNOWNS: usize = 8;
/// The number of times that a solution is drawn more often than the mean.
const EVENLY: f64 = 1.0;

impl Network {
    pub(super) fn effort(&self) -> u64 {
        EFFORT.1 + EFFORT.0 * (self.domains.len() + self.constraints.len()) as u64
    }

    /// Draws a solution. Unknowns with a preference have it where possible.
    pub fn draw(&self, rng: &mut Stream, preferences: &[Preference]) -> Found {
        self.pick(&mut Anywhere::new(rng, preferences, self.own))
    }

    /// Finds a solution near to `preferred` values: each unknown has its own where possible.
    pub fn near(&self, preferred: &[i128]) -> Found {
        self.pick(&mut Nearest(preferred))
    }

    /// Finds a solution, selected by `pick`.
    pub fn pick(&self, pick: &mut dyn Pick) -> Found {
        let root = match self.root() {
            Ok(root) => root,
            Err(Stop::Dead) => return Found::Nothing,
            Err(Stop::Spent) => return Found::Spent,
        };
        let mut values: Vec<i128> = root.bounds[..self.own].iter().map(|(lo, _)| *lo).collect();
        if !pick.is_free() {
            let fixed: Vec<u32> = (0..self.own as u32).filter(|k| root.is_fixed(*k)).collect();
            let own: Vec<i128> = fixed.iter().map(|k| values[*k as usize]).collect();
            if pick.refuses(&fixed, &own) {
                return Found::Nothing;
            }
        }
        let mut state: Option<State<'_>> = None;
        for part in &root.parts {
            if let Some(listed) = self.listed(root, part) {
                let Some(solution) = selected(listed, part, pick) else { return Found::Nothing };
                part.own.iter().zip(solution).for_each(|(k, value)| values[*k as usize] = *value);
                continue;
            }
            let state = state.get_or_insert_with(|| State::at(self, root, self.effort()));
            match self.search(state, part, pick) {
                Ok(()) => {}
                Err(Stop::Dead) => return Found::Nothing,
                Err(Stop::Spent) => return Found::Spent,
            }
            part.own.iter().for_each(|k| values[*k as usize] = state.bounds(*k as usize).0);
        }
        Found::Values(values)
    }

    /// Returns true if all solutions of each part are listed.
    pub fn is_listed(&self) -> bool {
        self.root().is_ok_and(|root| root.parts.iter().all(|p| self.listed(root, p).is_some()))
    }

    /// Returns which values of a solution are choices, where those with the fewest values are made first. The others
    /// follow from these.
    pub fn choices(&self, values: &[i128]) -> Vec<bool> {
        let mut out = vec![false; self.own];
        let Ok(root) = self.root() else { return out };
        for part in &root.parts {
            let own: Vec<i128> = part.own.iter().map(|k| values[*k as usize]).collect();
            if let Some(chosen) = self.listed(root, part).and_then(|all| all.choices(&own)) {
                part.own.iter().zip(chosen).for_each(|(k, chosen)| out[*k as usize] = *chosen);
                continue;
            }
            let mut state = State::at(self, root, self.effort());
            while let Some((k, count)) = self.fewest(&state, &part.own) {
                out[k as usize] = count > 1;
                if state.fix(k as usize, values[k as usize]).is_err() {
                    break;
                }
            }
        }
        out
    }

    /// Fixes the unknowns of a part.
    ///
    /// # Errors
    ///
    /// [`Stop`]: there is no solution, or none was found.
    fn search(&self, state: &mut State<'_>, part: &Part, pick: &mut dyn Pick) -> Result<(), Stop> {
        /// An unknown with its values that are left, the last first.
        struct Level {
            unknown: u32,
            mark: Mark,
            left: Vec<i128>,
        }
        // Given values come first: the least value of another unknown may exclude them.
        let of = |kind: fn(&Preference) -> bool| -> Vec<u32> {
            part.own.iter().copied().filter(|k| kind(&pick.wish(*k))).collect()
        };
        let wished = of(|wish| matches!(wish, Preference::Value(_)));
        let least = of(|wish| *wish == Preference::Least);
        let mut drawn = of(|wish| *wish == Preference::Any);
        let shuffled = part.own.len() > FEW_UNKNOWNS && pick.shuffle(&mut drawn);
        for k in part.own.iter().filter(|k| pick.ruled_out(**k).is_some()) {
            let ends = ends(&left(state.values(*k as usize), *k, pick));
            let (least, most) = ends.first().zip(ends.last()).ok_or(Stop::Dead)?;
            state.within(*k, (*least, *most))?;
        }
        let mut levels: Vec<Level> = Vec::new();
        let (mut dead_ends, mut complete) = (0, true);
        loop {
            let open = |of: &[u32]| of.iter().copied().find(|k| !state.is_fixed(*k as usize));
            let any = || match shuffled {
                true => open(&drawn),
                false => self.fewest(state, &drawn).map(|(k, _)| k),
            };
            // Auxiliary unknowns follow from the others, mostly without a choice.
            let next = open(&wished).or_else(|| open(&least)).or_else(any);
            match next.or_else(|| open(&part.auxiliary)) {
                Some(unknown) => {
                    let values = state.values(unknown as usize);
                    let mut tried = self.first(unknown, &values, pick);
                    let left = left(values, unknown, pick);
                    let few = left.members(FEW);
                    complete &= few.is_some();
                    tried.retain(|value| left.contains(*value));
                    tried.extend(few.unwrap_or_else(|| ends(&left)));
                    let mut seen = FxHashSet::default();
                    tried.retain(|value| seen.insert(*value));
                    tried.reverse();
                    levels.push(Level { unknown, mark: state.mark(), left: tried });
                }
                None => {
                    let values: Vec<i128> =
                        part.own.iter().map(|k| state.bounds(*k as usize).0).collect();
                    if !pick.refuses(&part.own, &values) {
                        return Ok(());
                    }
                    dead_ends += 1;
                    match levels.last() {
                        Some(last) if dead_ends <= DEAD_ENDS => state.restore(last.mark),
                        _ => return Err(Stop::Spent),
                    }
                }
            }
            // The next value that propagates, of this unknown or of one before.
            loop {
                let Some(level) = levels.last_mut() else {
                    return Err(if complete { Stop::Dead } else { Stop::Spent });
                };
                let Some(value) = level.left.pop() else {
                    levels.pop();
                    if let Some(before) = levels.last() {
                        state.restore(before.mark);
                    }
                    continue;
                };
                match state.fix(level.unknown as usize, value) {
                    Ok(()) => break,
                    Err(Stop::Spent) => return Err(Stop::Spent),
                    Err(Stop::Dead) => {
                        state.restore(level.mark);
                        dead_ends += 1;
                        if dead_ends > DEAD_ENDS {
                            return Err(Stop::Spent);
                        }
                    }
                }
            }
        }
    }

    /// Returns the values that are tried first for an unknown.
    fn first(&self, unknown: u32, values: &Domain, pick: &mut dyn Pick) -> Vec<i128> {
        if unknown as usize >= self.own {
            return Vec::new();
        }
        match pick.wish(unknown) {
            Preference::Value(own) => values.contains(own).then_some(own).into_iter().collect(),
            Preference::Least => Vec::new(),
            Preference::Any => pick.values(unknown, values),
        }
    }
}

/// Returns the values of an unknown without those that are ruled out otherwise.
fn left(values: Domain, unknown: u32, pick: &dyn Pick) -> Domain {
    let all = (values.set.min().unwrap_or(0), values.set.max().unwrap_or(-1));
    match pick.ruled_out(unknown) {
        Some(out) => Domain { set: values.set.intersect(&out.complement(all)), ..values },
        None => values,
    }
}

/// The least and the greatest value.
fn ends(values: &Domain) -> Vec<i128> {
    let least = values.set.min().and_then(|lo| values.at_least(lo));
    let most = values.set.max().and_then(|hi| values.at_most(hi));
    least.into_iter().chain(most).collect()
}

/// Returns the solution of a part that has the values that are wished for, if there is one, then those of one that is
/// drawn, then the least.
fn selected<'s>(all: &'s Solutions, part: &Part, pick: &mut dyn Pick) -> Option<&'s [i128]> {
    if pick.is_free() && part.own.iter().all(|k| pick.wish(*k) == Preference::Any) {
        return pick.solution(all, None);
    }
    let mut some: Vec<&[i128]> = all.all().iter().map(Vec::as_slice).collect();
    some.retain(|solution| !pick.refuses(&part.own, solution));
    let wishes: Vec<Preference> = part.own.iter().map(|k| pick.wish(*k)).collect();
    for (at, wish) in wishes.iter().enumerate() {
        if let Preference::Value(own) = wish
            && some.iter().any(|solution| solution[at] == *own)
        {
            some.retain(|solution| solution[at] == *own);
        }
    }
    if wishes.contains(&Preference::Any) {
        let drawn = pick.solution(all, Some(some.clone()))?;
        let chosen = |at: &usize| wishes[*at] == Preference::Any;
        let chosen: Vec<usize> = (0..wishes.len()).filter(chosen).collect();
        some.retain(|solution| chosen.iter().all(|at| solution[*at] == drawn[*at]));
    }
    some.into_iter().min()
}

/// Values as near as possible to others.
struct Nearest<'v>(&'v [i128]);

impl Pick for Nearest<'_> {
    fn wish(&self, unknown: u32) -> Preference {
        match self.0.get(unknown as usize) {
            None | Some(&i128::MIN) => Preference::Least,
            Some(own) => Preference::Value(*own),
        }
    }

    fn solution<'s>(
        &mut self,
        all: &'s Solutions,
        _: Option<Vec<&'s [i128]>>,
    ) -> Option<&'s [i128]> {
        all.all().first().map(Vec::as_slice)
    }

    fn values(&mut self, _: u32, _: &Domain) -> Vec<i128> {
        Vec::new()
    }

    fn shuffle(&mut self, _: &mut [u32]) -> bool {
        true
    }
}

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

/// Values that are drawn.
pub struct Anywhere<'r> {
    rng: &'r mut Stream,
    preferences: &'r [Preference],
    rule: Rule,
    /// True if there are few unknowns.
    few: bool,
    first: bool,
}

impl<'r> Anywhere<'r> {
    /// Creates the rule of one draw.
    fn new(rng: &'r mut Stream, preferences: &'r [Preference], unknowns: usize) -> Self {
        let few = unknowns <= FEW_UNKNOWNS;
        // A few unknowns are drawn anywhere: each solution should come up as often as others.
        let rule = match rng.random_range(0..8) {
            _ if few => Rule::Anywhere,
            0 => Rule::Least,
            1 => Rule::Greatest,
            2 | 3 => Rule::Close,
            _ => Rule::Anywhere,
        };
        Self { rng, preferences, rule, few, first: true }
    }
}

impl Pick for Anywhere<'_> {
    fn wish(&self, unknown: u32) -> Preference {
        self.preferences.get(unknown as usize).copied().unwrap_or(Preference::Any)
    }

    fn solution<'s>(
        &mut self,
        all: &'s Solutions,
        some: Option<Vec<&'s [i128]>>,
    ) -> Option<&'s [i128]> {
        let every = || all.all().iter().map(Vec::as_slice).collect();
        let least = match self.rule {
            Rule::Least => true,
            Rule::Close => !std::mem::take(&mut self.first) && self.rng.random_range(0..4) > 0,
            Rule::Greatest => return some.unwrap_or_else(every).into_iter().max(),
            Rule::Anywhere => false,
        };
        match (least, some) {
            (true, some) => some.unwrap_or_else(every).into_iter().min(),
            (false, Some(some)) => all.draw(self.rng, some, EVENLY),
            (false, None) => all.draw_any(self.rng, EVENLY),
        }
    }

    fn values(&mut self, _: u32, of: &Domain) -> Vec<i128> {
        let any = |rng: &mut Stream, of: &Domain| {
            let quotients = of.quotients();
            (!quotients.is_empty()).then(|| of.member(draw_integer(rng, &quotients, &[])))
        };
        match self.rule {
            Rule::Least => Vec::new(),
            Rule::Greatest => of.set.max().and_then(|hi| of.at_most(hi)).into_iter().collect(),
            Rule::Close if !std::mem::take(&mut self.first) => {
                if self.rng.random_range(0..4) > 0 {
                    return Vec::new();
                }
                let lo = of.set.min().unwrap_or(0);
                let near = IntervalSet::range(lo, lo.saturating_add(8));
                let near = Domain { set: of.set.intersect(&near), ..*of };
                any(self.rng, &near).into_iter().collect()
            }
            Rule::Close | Rule::Anywhere => {
                if let Some(mut all) = of.members(FEW) {
                    shuffle(self.rng, &mut all);
                    return all;
                }
                let draws = if self.few { MANY_DRAWS } else { DRAWS };
                (0..draws).filter_map(|_| any(self.rng, of)).collect()
            }
        }
    }

    fn shuffle(&mut self, unknowns: &mut [u32]) -> bool {
        // In a random order each value is drawn between two that are fixed, as when a list is
        // bisected: what is narrowed at each step halves, and no end of a chain takes all the room.
        for k in (1..unknowns.len()).rev() {
            unknowns.swap(k, self.rng.random_range(0..=k));
        }
        true
    }
}
