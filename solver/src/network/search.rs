//! Searches in a network, part by part.

use std::borrow::Cow;

use super::Network;
use super::part::{LIST_UNKNOWNS, Part};
use super::pick::{Anywhere, Nearest, Pick, Preference};
use super::state::{Mark, State, Stop};
use super::tree::Walk;
use crate::domain::Domain;
use crate::evenly::Solutions;
use crate::stream::Stream;

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A solution.
    Values(Vec<i128>),
    /// There is no solution.
    Nothing,
    /// No solution was found within the effort.
    Spent,
}

/// The effort of a search for each unknown and constraint, and the minimum.
const EFFORT: (u64, u64) = (400, 200_000);
/// The number of values that may lead to a dead end in each part.
const DEAD_ENDS: usize = 400;
/// The maximum number of values of an unknown that are all tried.
pub const FEW: u128 = 16;
/// The number of unknowns that are few.
pub(super) const FEW_UNKNOWNS: usize = 8;
/// The fewest and the most values that are drawn of an unknown with more.
const DRAWS: (usize, usize) = (3, 24);
/// An unknown is a hub if it has this many times the constraints that the unknown in the middle has.
const HUB: usize = 3;

impl Network {
    pub(super) fn effort(&self) -> u64 {
        EFFORT.1 + EFFORT.0 * (self.domains.len() + self.constraints.len()) as u64
    }

    /// Draws a solution.
    pub fn draw(&self, rng: &mut Stream) -> Found {
        self.pick(&mut Anywhere::new(rng, self.own))
    }

    /// Finds a solution near to `preferred` values: each unknown has its preferred value where possible.
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
        let mut values: Vec<i128> = root.bounds.iter().map(|(lo, _)| *lo).collect();
        let free = pick.is_free();
        if !free {
            let fixed: Vec<u32> = (0..self.own as u32).filter(|k| root.is_fixed(*k)).collect();
            let own: Vec<i128> = fixed.iter().map(|k| values[*k as usize]).collect();
            if pick.refuses(&fixed, &own) {
                return Found::Nothing;
            }
        }
        for part in &root.parts {
            if let Some(listed) = self.listed(root, part) {
                let few = self.are_few(root);
                let Some(solution) = selected(listed, part, few, pick) else {
                    return Found::Nothing;
                };
                part.own.iter().zip(solution).for_each(|(k, value)| values[*k as usize] = *value);
                continue;
            }
            let (order, shuffled) = self.order(part, pick);
            let mut walk = Walk { pick: &mut *pick, order: &order, values, dead_ends: DEAD_ENDS };
            // If the order changes each time, or there are many unknowns, draws have few nodes in common.
            let decided = match free && !shuffled && part.own.len() <= LIST_UNKNOWNS {
                true => self.decide(root, part, &mut walk),
                false => self.search(root, part, &mut walk),
            };
            values = walk.values;
            match decided {
                Ok(()) => {}
                Err(Stop::Dead) => return Found::Nothing,
                Err(Stop::Spent) => return Found::Spent,
            }
        }
        values.truncate(self.own);
        Found::Values(values)
    }

    /// Returns the unknowns of a part in the order in which they are decided, and whether the order changes each time.
    fn order(&self, part: &Part, pick: &mut dyn Pick) -> (Vec<u32>, bool) {
        let of = |pick: &dyn Pick, kind: fn(&Preference) -> bool| {
            part.own.iter().copied().filter(|k| kind(&pick.wish(*k))).collect::<Vec<u32>>()
        };
        // Given values come first, because values of other unknowns may exclude them.
        let mut order = of(pick, |wish| matches!(wish, Preference::Value(_)));
        let mut drawn = of(pick, |wish| *wish == Preference::Any);
        let many = part.own.len() > FEW_UNKNOWNS;
        if many {
            self.hubs_first(&mut order);
        }
        let mut others = of(pick, |wish| matches!(wish, Preference::Near(_) | Preference::Least));
        let shuffled = many && pick.shuffle(&mut drawn);
        if shuffled {
            self.hubs_first(&mut drawn);
            order.extend(others);
            order.extend(drawn);
        } else {
            // In the order of the part, unless there are many.
            others.extend(drawn);
            if !many {
                others.sort_unstable();
            }
            // Among unknowns with few values, the same one always comes first, so that few nodes are made.
            others.sort_by_key(|k| {
                let values = self.alone[*k as usize];
                (values, if values <= FEW { *k } else { 0 })
            });
            order.extend(others);
        }
        (order, shuffled)
    }

    /// Brings forward unknowns that have far more constraints than most others, as an alignment of many places: values of the
    /// others would leave them one.
    fn hubs_first(&self, unknowns: &mut [u32]) {
        let mut counts: Vec<usize> = unknowns.iter().map(|k| self.watched_by(*k)).collect();
        let middle = counts.len() / 2;
        if counts.is_empty() {
            return;
        }
        let (_, typical, _) = counts.select_nth_unstable(middle);
        let most = *typical * HUB;
        unknowns.sort_by_key(|k| match self.watched_by(*k) {
            count if count > most => usize::MAX - count,
            _ => usize::MAX,
        });
    }

    /// Returns the number of constraints on an unknown.
    fn watched_by(&self, unknown: u32) -> usize {
        self.watching[unknown as usize].len()
    }

    /// Returns the number of values to draw of an unknown with more than a few: more of one that has more constraints, since
    /// each may rule out a value.
    pub(super) fn draws(&self, unknown: u32) -> usize {
        self.watched_by(unknown).clamp(DRAWS.0, DRAWS.1)
    }

    /// Returns true if there are few solutions.
    pub fn has_few(&self) -> bool {
        self.root().is_ok_and(|root| self.are_few(root))
    }

    /// Returns which values of a solution are choices, if unknowns are decided in the order of the number of values
    /// that constraints on each alone allow. The others follow from these.
    pub fn choices(&self, values: &[i128]) -> Vec<bool> {
        let mut out = vec![false; self.own];
        let Ok(root) = self.root() else { return out };
        for part in &root.parts {
            let own: Vec<i128> = part.own.iter().map(|k| values[*k as usize]).collect();
            let listed = self.listed(root, part);
            match listed.and_then(|all| all.choices(&own, &part.order)) {
                Some(chosen) => {
                    part.own.iter().zip(chosen).for_each(|(k, chosen)| out[*k as usize] = *chosen);
                }
                None => self.mark_choices(root, part, values, &mut out),
            }
        }
        out
    }
}

/// A search for values of the unknowns of a part.
pub(super) struct Search<'n, 's> {
    network: &'n Network,
    state: &'s mut State<'n>,
    part: &'s Part,
    pick: &'s mut dyn Pick,
    /// Unknowns in the order in which they are fixed.
    order: Vec<u32>,
    /// The position in the order up to which all are fixed.
    at: usize,
    levels: Vec<Level>,
    dead_ends: usize,
}

/// An unknown that is narrowed, to one value in the end, with the intervals that are left for it, the last first.
struct Level {
    unknown: u32,
    at: usize,
    mark: Mark,
    left: Vec<Interval>,
}

/// The values from one to another, both included.
type Interval = (i128, i128);

impl<'n, 's> Search<'n, 's> {
    /// Creates the search that decides the solved unknowns in this order.
    pub(super) fn new(
        network: &'n Network,
        state: &'s mut State<'n>,
        part: &'s Part,
        mut order: Vec<u32>,
        pick: &'s mut dyn Pick,
    ) -> Self {
        // Auxiliary unknowns follow from the others, usually without a choice.
        order.extend(&part.auxiliary);
        let (at, levels, dead_ends) = (0, Vec::new(), 0);
        Self { network, state, part, pick, order, at, levels, dead_ends }
    }

    /// Fixes all unknowns.
    ///
    /// # Errors
    ///
    /// Returns [`Stop`] if there is no solution, or none was found.
    pub(super) fn run(mut self) -> Result<(), Stop> {
        for k in self.part.own.iter().filter(|k| self.pick.ruled_out(**k).is_some()) {
            let left = left(Cow::Owned(self.state.values(*k as usize)), *k, self.pick);
            self.state.within(*k, left.ends().ok_or(Stop::Dead)?)?;
        }
        loop {
            match self.next() {
                Some(unknown) => self.open(unknown),
                None => {
                    let value = |k: &u32| self.state.bounds(*k as usize).0;
                    let values: Vec<i128> = self.part.own.iter().map(value).collect();
                    if !self.pick.refuses(&self.part.own, &values) {
                        return Ok(());
                    }
                    let last = self.levels.last().ok_or(Stop::Spent)?.mark;
                    self.dead_end(last)?;
                }
            }
            self.fix_next()?;
        }
    }

    /// Returns the next unknown to fix; `None` if all are fixed.
    fn next(&mut self) -> Option<u32> {
        while self.order.get(self.at).is_some_and(|k| self.state.is_fixed(*k as usize)) {
            self.at += 1;
        }
        self.order.get(self.at).copied()
    }

    /// Begins with the values of an unknown: some by themselves, then, unless these are all, the two halves in which the others
    /// lie. A half leaves the unknown open, and it is next again.
    fn open(&mut self, unknown: u32) {
        let values = self.state.values(unknown as usize);
        let halved = self.levels.last().is_some_and(|level| level.unknown == unknown);
        let is_own = (unknown as usize) < self.network.own;
        let draws = self.network.draws(unknown);
        let (mut tried, all) = to_try(self.pick, (unknown, is_own), &values, draws);
        // A half is narrowed to its solutions: its ends, which draws prefer, would be most of what is found.
        if halved && !all {
            tried.clear();
        }
        let mut left: Vec<Interval> = tried.into_iter().map(|value| (value, value)).collect();
        if !all {
            left.extend(halves(self.pick, unknown, &values, is_own));
        }
        left.reverse();
        let (at, mark) = (self.at, self.state.mark());
        self.levels.push(Level { unknown, at, mark, left });
    }

    /// Narrows the last unknown, or one before, to its next interval that propagates.
    fn fix_next(&mut self) -> Result<(), Stop> {
        loop {
            let level = self.levels.last_mut().ok_or(Stop::Dead)?;
            let Some(interval) = level.left.pop() else {
                self.levels.pop();
                if let Some(before) = self.levels.last() {
                    self.state.restore(before.mark);
                }
                continue;
            };
            self.at = level.at;
            let mark = level.mark;
            match self.state.within(level.unknown, interval) {
                Ok(()) => return Ok(()),
                Err(Stop::Spent) => return Err(Stop::Spent),
                Err(Stop::Dead) => self.dead_end(mark)?,
            }
        }
    }

    /// Returns to the state before a value that led nowhere.
    fn dead_end(&mut self, before: Mark) -> Result<(), Stop> {
        self.state.restore(before);
        self.dead_ends += 1;
        if self.dead_ends > DEAD_ENDS { Err(Stop::Spent) } else { Ok(()) }
    }
}

/// Returns the values to try for an unknown, in this order, from those that its constraints allow, and whether these
/// are all. Auxiliary unknowns, for which `is_own` is false, have no preferred values.
pub(super) fn to_try(
    pick: &mut dyn Pick,
    (unknown, is_own): (u32, bool),
    values: &Domain,
    draws: usize,
) -> (Vec<i128>, bool) {
    let mut tried = match is_own {
        false => Vec::new(),
        true => match pick.wish(unknown) {
            Preference::Value(own) | Preference::Near(own) => vec![own],
            Preference::Least => Vec::new(),
            Preference::Any => pick.values(unknown, values, draws),
        },
    };
    let left = left(Cow::Borrowed(values), unknown, pick);
    let few = left.members(FEW);
    let all = few.is_some();
    tried.retain(|value| left.contains(*value));
    tried.extend(few.unwrap_or_default());
    // They are a few dozen.
    let mut distinct = Vec::with_capacity(tried.len());
    for value in tried {
        if !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    (distinct, all)
}

/// Returns the two halves of the values of an unknown, which are many, in the order in which they are tried.
fn halves(pick: &mut dyn Pick, unknown: u32, values: &Domain, is_own: bool) -> Vec<Interval> {
    let quotients = values.quotients();
    let middle = quotients.nth(quotients.len() / 2).map(|q| values.member(q));
    let (Some((least, most)), Some(middle)) = (values.ends(), middle) else { return Vec::new() };
    let greater = is_own
        && match pick.wish(unknown) {
            Preference::Value(own) | Preference::Near(own) => own >= middle,
            Preference::Least => false,
            Preference::Any => pick.greater_first(unknown),
        };
    let mut halves = vec![(least, middle - 1), (middle, most)];
    if greater {
        halves.reverse();
    }
    halves
}

/// Returns the values of an unknown without those that are ruled out otherwise.
fn left<'v>(values: Cow<'v, Domain>, unknown: u32, pick: &dyn Pick) -> Cow<'v, Domain> {
    match pick.ruled_out(unknown) {
        Some(out) => Cow::Owned(Domain { set: values.set.without(out), ..*values }),
        None => values,
    }
}

/// Selects a solution of a part. Given values hold; then each unknown, starting with the one that has the fewest values
/// by itself, receives its preferred value, or the value in a drawn solution.
fn selected<'s>(
    all: &'s Solutions,
    part: &Part,
    few: bool,
    pick: &mut dyn Pick,
) -> Option<&'s [i128]> {
    if pick.is_free() && part.own.iter().all(|k| pick.wish(*k) == Preference::Any) {
        return pick.solution(all, None, few);
    }
    let mut some: Vec<&[i128]> = all.all().iter().map(Vec::as_slice).collect();
    some.retain(|solution| !pick.refuses(&part.own, solution));
    let wishes: Vec<Preference> = part.own.iter().map(|k| pick.wish(*k)).collect();
    let keep = |some: &mut Vec<&[i128]>, at: usize, own: i128| {
        if some.iter().any(|solution| solution[at] == own) {
            some.retain(|solution| solution[at] == own);
        }
    };
    let mut order = part.order.clone();
    order.sort_by_key(|at| !matches!(wishes[*at], Preference::Value(_)));
    let mut drawn: Option<&[i128]> = None;
    for at in order {
        match wishes[at] {
            Preference::Value(own) | Preference::Near(own) => keep(&mut some, at, own),
            Preference::Least => {
                let least = some.iter().map(|solution| solution[at]).min()?;
                keep(&mut some, at, least);
            }
            Preference::Any => {
                if drawn.is_none_or(|drawn| !some.contains(&drawn)) {
                    drawn = pick.solution(all, Some(some.clone()), few);
                }
                keep(&mut some, at, drawn?[at]);
            }
        }
    }
    some.into_iter().min()
}
