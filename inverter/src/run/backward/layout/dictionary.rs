//! Dictionaries: layouts whose segments are single entries, each picked by an element of one array
//! of bases, as the colors of a palette are by the indices of the pixels.
//!
//! Equal entries may share their place, and have to where there are fewer places than segments. So
//! the segments are grouped by content, each group receives a place of its own, further places may
//! hold duplicates, and each segment picks one of the places of its group. All of this is linear
//! in the number of segments. The array of bases is one dimension, under its own name.

use std::collections::BTreeMap;

use rand::RngExt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::contents::{Contents, contents};
use super::open_length::{OpenLength, open_length};
use super::problem::Problem;
use crate::program::FieldId;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::run::store::Slot;
use crate::solve::draw::draw_member;
use crate::solve::{Choice, Domain, Stream};

/// The most groups of which each order should be drawn: five have 120.
const FEW_GROUPS: usize = 5;

/// The most groups that are matched with places by augmenting paths.
const MOST_MATCHED: usize = 512;

/// The entries of a dictionary.
#[derive(Debug)]
pub struct Dictionary {
    /// The array of bases.
    field: FieldId,
    /// The group of each segment, numbered in order of first appearance.
    group_of: Vec<usize>,
    /// For each group, the places that all of its segments may have.
    allowed: Vec<Domain>,
    /// One place for each group; `None` if there are too few.
    injection: Option<Injection>,
    /// One past the last place.
    limit: i128,
    /// True if segments differ in the places that they may have.
    differ: bool,
    /// True if each segment may have one place only.
    forced: bool,
    /// The length of the array, if it is chosen after the places.
    open: Option<OpenLength>,
}

/// The places that the groups may be given.
#[derive(Debug)]
enum Injection {
    /// All groups may have the same places, of which there are enough.
    Any,
    /// These places: the groups differ in those that they may have.
    Matched(Vec<i128>),
}

/// Returns the dictionary that a layout is; `None` if it is none, or if the content of its segments
/// is not determined.
pub fn dictionary(
    run: &mut Backward<'_>,
    array: FieldId,
    problem: &Problem,
) -> Result<Option<Dictionary>, RunError> {
    let cx = run.cx;
    let Some((layout, field)) = cx.layout(array).and_then(|l| Some((l, l.dictionary()?))) else {
        return Ok(None);
    };
    let segments = &problem.segments;
    if !problem.coupled.is_empty() || segments.iter().any(|s| s.len != 1) {
        return Ok(None);
    }
    let Some(contents) = contents(cx, &mut run.env(), array, &problem.slots)? else {
        return Ok(None);
    };
    let lo = |k: usize| problem.slots.slots[k].lo;
    let Some((group_of, groups)) = by_content(&contents, layout.dimension, lo) else {
        return Ok(None);
    };
    // Most segments have the same places: each set is intersected once.
    let mut allowed: Vec<Option<Domain>> = vec![None; groups];
    for (segment, group) in segments.iter().zip(&group_of) {
        allowed[*group] = match allowed[*group].take() {
            None => Some(segment.starts.clone()),
            Some(own) if own == segment.starts => Some(own),
            Some(own) => match own.intersect(&segment.starts) {
                Some(both) => Some(both),
                None => return Ok(None),
            },
        };
    }
    let open = open_length(run, array)?;
    let length = match &open {
        Some(_) => None,
        None => run.fixed_length(array, layout.dimension)?,
    };
    let limit = match length {
        Some(length) => length,
        None => {
            let first = allowed.iter().flatten().filter_map(|d| d.at_least(0)).max().unwrap_or(0);
            let limit = first + groups as i128 + i128::from(cx.limits.slack);
            open.as_ref().map_or(limit, |open| limit.min(open.greatest(cx)))
        }
    };
    let within = Domain::range((0, limit - 1));
    let inside = |d: Option<Domain>| d.and_then(|d| d.intersect(&within));
    let Some(allowed) = allowed.into_iter().map(inside).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let injection = match allowed.windows(2).all(|pair| pair[0] == pair[1]) {
        true => allowed
            .first()
            .is_none_or(|places| places.quotients().len() >= groups as u128)
            .then_some(Injection::Any),
        false if groups > MOST_MATCHED => return Ok(None),
        false => matching(&allowed).map(Injection::Matched),
    };
    let differ = segments.windows(2).any(|pair| pair[0].starts != pair[1].starts);
    let only = |d: &Domain| d.intersect(&within).is_some_and(|d| d.quotients().len() == 1);
    let forced = match differ {
        true => segments.iter().all(|s| only(&s.starts)),
        false => segments.first().is_none_or(|s| only(&s.starts)),
    };
    Ok(Some(Dictionary { field, group_of, allowed, injection, limit, differ, forced, open }))
}

/// Returns the group of each segment, and the number of groups; `None` if the content of one is not
/// determined, or if they do not all have the same elements: then those of different content might
/// still share a place.
fn by_content(
    contents: &[Contents],
    dimension: usize,
    lo: impl Fn(usize) -> i128,
) -> Option<(Vec<usize>, usize)> {
    let mut numbers: FxHashMap<Vec<i128>, usize> = FxHashMap::default();
    let mut shape: Option<Vec<[i128; 3]>> = None;
    let mut group_of = Vec::with_capacity(contents.len());
    for (k, content) in contents.iter().enumerate() {
        let mut held = Vec::with_capacity(content.len());
        for (at, value) in content {
            let mut at = *at;
            at[dimension] -= lo(k);
            held.push((at, (*value)?));
        }
        held.sort_unstable();
        let (elements, values): (Vec<[i128; 3]>, Vec<i128>) = held.into_iter().unzip();
        if *shape.get_or_insert_with(|| elements.clone()) != elements {
            return None;
        }
        let next = numbers.len();
        group_of.push(*numbers.entry(values).or_insert(next));
    }
    Some((group_of, numbers.len()))
}

/// Returns a place for each group such that no two have the same (Kuhn's algorithm); `None` if there
/// is none.
fn matching(allowed: &[Domain]) -> Option<Vec<i128>> {
    // No group needs more than as many places as there are groups.
    let most = allowed.len() as u128;
    let members: Vec<Vec<i128>> = allowed.iter().map(|d| d.members_at(0..most).collect()).collect();
    let mut owner: BTreeMap<i128, usize> = BTreeMap::new();
    for group in 0..allowed.len() {
        if !augment(group, &members, &mut owner, &mut FxHashSet::default()) {
            return None;
        }
    }
    let mut places = vec![0; allowed.len()];
    owner.into_iter().for_each(|(place, group)| places[group] = place);
    Some(places)
}

fn augment(
    group: usize,
    members: &[Vec<i128>],
    owner: &mut BTreeMap<i128, usize>,
    seen: &mut FxHashSet<i128>,
) -> bool {
    for &place in &members[group] {
        if !seen.insert(place) {
            continue;
        }
        let free = match owner.get(&place).copied() {
            None => true,
            Some(other) => augment(other, members, owner, seen),
        };
        if free {
            owner.insert(place, group);
            return true;
        }
    }
    false
}

impl Dictionary {
    /// Returns the array of bases.
    pub fn field(&self) -> FieldId {
        self.field
    }

    /// Returns the reason why the groups do not fit, if there is one.
    pub fn crowded(&self, name: &str) -> Option<String> {
        self.injection.is_none().then(|| {
            let groups = self.allowed.len();
            let places = self.allowed.iter().map(|d| d.quotients().len()).max().unwrap_or(0);
            format!("{groups} different entries do not fit into {places} places of {name}")
        })
    }

    /// Returns the reason why segments cannot have these places, if there is one.
    fn refused(&self, problem: &Problem, starts: impl Iterator<Item = i128>) -> Option<String> {
        let mut held: FxHashMap<i128, (usize, usize)> = FxHashMap::default();
        for (k, start) in starts.enumerate() {
            let slot = &problem.slots.slots[k];
            if start < 0 || start >= self.limit || !problem.segments[k].starts.contains(start) {
                let (at, base) = (slot.base.1, start - slot.lo);
                return Some(format!("element {at} cannot be {base}"));
            }
            let (group, first) = *held.entry(start).or_insert((self.group_of[k], slot.base.1));
            if group != self.group_of[k] {
                let at = slot.base.1;
                return Some(format!("elements {first} and {at} pick one entry, and differ"));
            }
        }
        None
    }

    /// Returns the simplest places: each group has the first that is left.
    fn simplest(&self) -> Vec<i128> {
        let own = match &self.injection {
            Some(Injection::Matched(places)) => places.clone(),
            _ => match self.allowed.first() {
                Some(places) => places.members_at(0..self.allowed.len() as u128).collect(),
                None => Vec::new(),
            },
        };
        self.group_of.iter().map(|group| own[*group]).collect()
    }

    /// Draws the places of the segments: those of the groups, then duplicates.
    fn draw(&self, problem: &Problem, rng: &mut Stream) -> Vec<i128> {
        let groups = self.allowed.len();
        if groups == 0 {
            return Vec::new();
        }
        let (mut own, mut spare) = match &self.injection {
            Some(Injection::Matched(places)) => (self.exchanged(places.clone(), rng), Vec::new()),
            _ => self.drawn_places(rng),
        };
        if let Some(Injection::Matched(_)) = &self.injection {
            let taken: FxHashSet<i128> = own.iter().copied().collect();
            let tried = (0..groups).filter_map(|_| {
                let group = rng.random_range(0..groups);
                draw_member(rng, &self.allowed[group])
            });
            let tried: FxHashSet<i128> = tried.filter(|place| !taken.contains(place)).collect();
            spare = tried.into_iter().collect();
            spare.sort_unstable();
        }
        let mut places: Vec<Vec<i128>> = own.drain(..).map(|place| vec![place]).collect();
        // None of the places that are left holds a duplicate, or some of them do, or all.
        let share = [0.0, 0.0, 0.3, 1.0][rng.random_range(0..4)];
        for place in spare {
            let group = rng.random_range(0..groups);
            if rng.random_bool(share) && self.allowed[group].contains(place) {
                places[group].push(place);
            }
        }
        let pick = |group: &usize| {
            let places = &places[*group];
            places[rng.random_range(0..places.len())]
        };
        let mut drawn: Vec<i128> = self.group_of.iter().map(pick).collect();
        if self.differ && rng.random_bool(0.5) {
            self.scatter(problem, rng, &mut drawn);
        }
        drawn
    }

    /// Moves segments to places of their own that the others of their groups may not have.
    fn scatter(&self, problem: &Problem, rng: &mut Stream, drawn: &mut [i128]) {
        let mut owner: FxHashMap<i128, usize> =
            drawn.iter().copied().zip(self.group_of.iter().copied()).collect();
        for ((segment, group), place) in problem.segments.iter().zip(&self.group_of).zip(drawn) {
            let other = draw_member(rng, &segment.starts).filter(|p| (0..self.limit).contains(p));
            if let Some(other) = other
                && *owner.entry(other).or_insert(*group) == *group
            {
                *place = other;
            }
        }
    }

    /// Draws a place for each group, and those that are left, where all may have the same places.
    fn drawn_places(&self, rng: &mut Stream) -> (Vec<i128>, Vec<i128>) {
        let groups = self.allowed.len();
        let size = self.allowed[0].quotients().len();
        // Near the beginning or anywhere: a free array seldom has a far larger one.
        let more = size - groups as u128;
        let more = match rng.random_range(0..8) {
            0 | 1 => 0,
            2 | 3 => more.min(rng.random_range(0..=groups as u128 + 4)),
            4..7 => more.min(256),
            _ => more,
        };
        let mut positions: Vec<u128> = (0..groups as u128 + more).collect();
        // In their own order, but rarely where there are so few orders that each should be drawn.
        let ordered = if groups <= FEW_GROUPS { 64 } else { 4 };
        if rng.random_range(0..ordered) > 0 {
            // A partial shuffle, then the order of the rest does not matter.
            for k in 0..groups {
                let other = rng.random_range(k..positions.len());
                positions.swap(k, other);
            }
        }
        let mut places: Vec<i128> = self.allowed[0].members_at(positions).collect();
        let spare = places.split_off(groups);
        (places, spare)
    }

    /// Exchanges places at random, where each group keeps to those that it may have.
    fn exchanged(&self, mut own: Vec<i128>, rng: &mut Stream) -> Vec<i128> {
        let mut taken: FxHashSet<i128> = own.iter().copied().collect();
        for group in 0..own.len() {
            if let Some(place) = draw_member(rng, &self.allowed[group])
                && taken.insert(place)
            {
                taken.remove(&own[group]);
                own[group] = place;
            }
            let other = rng.random_range(0..own.len());
            let fits = self.allowed[group].contains(own[other])
                && self.allowed[other].contains(own[group]);
            if fits && rng.random_bool(0.5) {
                own.swap(group, other);
            }
        }
        own
    }
}

/// Assigns the bases of a dictionary.
///
/// # Errors
///
/// If it has more different entries than places, or a given choice does not fit.
pub fn place_entries(
    run: &mut Backward<'_>,
    array: FieldId,
    problem: &Problem,
    dictionary: &Dictionary,
) -> Result<(), RunError> {
    let cx = run.cx;
    if let Some(why) = dictionary.crowded(&cx.name(array)) {
        return Err(RunError::NoRepresentation(why));
    }
    let field = dictionary.field;
    let slots = &problem.slots.slots;
    let bases = |starts: Vec<i128>| -> Choice {
        Choice::List(starts.iter().zip(slots).map(|(start, slot)| start - slot.lo).collect())
    };
    let form = || "it must be a list with a number for each entry that is picked".to_owned();
    let fit = |value: &Choice| match value {
        Choice::List(bases) if bases.len() == slots.len() => {
            let starts =
                || bases.iter().zip(slots).map(|(base, slot)| base.saturating_add(slot.lo));
            dictionary.refused(problem, starts()).map_or_else(|| Ok(starts().collect()), Err)
        }
        _ => Err(form()),
    };
    // Bases that are all forced are no choice.
    let forced = dictionary.forced;
    let starts: Vec<i128> = match forced && !run.choices.source.is_given(cx.dimension(field)) {
        true => dictionary.simplest(),
        false => run.choices.source.choose(
            cx.dimension(field),
            fit,
            || bases(dictionary.simplest()),
            |rng| bases(dictionary.draw(problem, rng)),
        )?,
    };
    let cells = slots.iter().zip(&starts).map(|(slot, start)| (slot.base.1, start - slot.lo));
    run.assignment.assign_elements(field, cells);
    let end = starts.iter().map(|start| start + 1).max().unwrap_or(0);
    if cx.layout(array).is_none_or(|layout| layout.dimension == 0) {
        run.assignment.ends[array] = Some(end);
    }
    if let Some(open) = &dictionary.open {
        open.choose(run, end, None)?;
    }
    Ok(())
}

/// Returns the bases of a dictionary as the input has them, as the choice that they are.
pub fn own_entries(
    run: &Backward<'_>,
    problem: &Problem,
    dictionary: &Dictionary,
) -> Option<Choice> {
    let Slot::Array(array, _) = &run.assignment.input.slots[dictionary.field] else { return None };
    let cells = problem.slots.slots.iter().map(|slot| array.cells.get(slot.base.1));
    cells.collect::<Option<Vec<_>>>().filter(|cells| !cells.is_empty()).map(Choice::List)
}
