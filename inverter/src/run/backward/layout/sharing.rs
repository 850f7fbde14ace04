//! Segments that share elements: equal writes may overlap, which is a separate choice. A segment that aliases another
//! has no separate place; it starts at, or some elements into, its target.

use std::collections::BTreeMap;

use rand::{Rng, RngExt};

use super::contents::{Contents, contents};
use super::problem::{AliasTarget, Sharing, Slots};
use crate::program::FieldId;
use crate::run::backward::state::Backward;
use crate::run::error::RunError;
use crate::solve::{Choice, DimensionId, Purpose};

/// The rule for drawing that segments share elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// Sharing may be drawn.
    Allowed,
    /// Sharing is not drawn; only given choices count.
    GivenOnly,
}

/// Returns the sharing of a group as text: `none`, or `3=1 5=1+2`. The numbers are positions of
/// elements in the array of bases.
pub fn to_text(slots: &Slots, group: &[usize], sharing: &Sharing) -> String {
    let number = |k: usize| slots.slots[k].base.1;
    let one = |k: &usize| {
        let AliasTarget { segment, offset } = sharing[*k]?;
        Some(match offset {
            0 => format!("{}={}", number(*k), number(segment)),
            _ => format!("{}={}+{offset}", number(*k), number(segment)),
        })
    };
    let all: Vec<String> = group.iter().filter_map(one).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(" ") }
}

fn from_text(slots: &Slots, group: &[usize], text: &str) -> Result<Sharing, String> {
    let form = || "it must be none, or like 3=1 5=1+2: which shares with which".to_owned();
    let mut sharing: Sharing = vec![None; slots.slots.len()];
    if text == "none" {
        return Ok(sharing);
    }
    let find = |number: &str| {
        let number: usize = number.parse().ok()?;
        group.iter().copied().find(|k| slots.slots[*k].base.1 == number)
    };
    for word in text.split(' ') {
        let (alias, target) = word.split_once('=').ok_or_else(form)?;
        let (target, offset) = target.split_once('+').unwrap_or((target, "0"));
        let offset: i128 = offset.parse().ok().filter(|n| *n >= 0).ok_or_else(form)?;
        let (Some(alias), Some(segment)) = (find(alias), find(target)) else {
            return Err(form());
        };
        if alias == segment || sharing[alias].is_some() {
            return Err(form());
        }
        sharing[alias] = Some(AliasTarget { segment, offset });
    }
    let chained = sharing.iter().flatten().any(|target| sharing[target.segment].is_some());
    if chained { Err("a target cannot alias another segment".to_owned()) } else { Ok(sharing) }
}

/// Chooses which segments of `array` share, for each array of bases that has several.
pub fn choose_sharing(
    run: &mut Backward<'_>,
    array: FieldId,
    slots: &Slots,
    draw: Draw,
) -> Result<Sharing, RunError> {
    let cx = run.cx;
    let mut all: Sharing = vec![None; slots.slots.len()];
    for group in &slots.groups {
        let members = &group.members[..];
        if cx.program.input.fields[group.field].is_scalar() || members.len() < 2 {
            continue;
        }
        let name = cx.names(group.field).sharing;
        let source = &*run.choices.source;
        if !cx.limits.sharing && !source.is_given(name) {
            continue;
        }
        // Most files share nothing, and searching for equal content takes time.
        let any = draw == Draw::Allowed
            && cx.limits.sharing
            && source.varies(name)
            && source.stream_for(name, Purpose::Shares).random_range(0..6) == 0;
        let found = if any { equal_segments(run, array, slots, members, name)? } else { None };
        let simplest = || Choice::from("none");
        let drawn = match &found {
            Some(sharing) => Choice::Text(to_text(slots, members, sharing)),
            None => simplest(),
        };
        let sharing = run.choices.source.choose(
            name,
            |value| match value {
                Choice::Text(text) => from_text(slots, members, text),
                _ => from_text(slots, members, ""),
            },
            simplest,
            |_| drawn.clone(),
        )?;
        for (slot, shared) in all.iter_mut().zip(sharing) {
            *slot = slot.or(shared);
        }
    }
    Ok(all)
}

/// Draws segments that may share because their contents are equal; `None` if there are none.
fn equal_segments(
    run: &mut Backward<'_>,
    array: FieldId,
    slots: &Slots,
    group: &[usize],
    name: DimensionId,
) -> Result<Option<Sharing>, RunError> {
    let cx = run.cx;
    let Some(contents) = contents(cx, &mut run.env(), array, slots)? else { return Ok(None) };
    let mut rng = run.choices.source.stream(name);
    let mut sharing: Sharing = vec![None; slots.slots.len()];
    let equal = by_content(&contents, group);
    let everyone = rng.random_bool(0.5);
    for same in &equal {
        let segment = same[rng.random_range(0..same.len())];
        for k in same.iter().filter(|k| **k != segment) {
            if everyone || rng.random_bool(0.5) {
                sharing[*k] = Some(AliasTarget { segment, offset: 0 });
            }
        }
    }
    let dimension = cx.layout(array).map_or(0, |layout| layout.dimension);
    for _ in 0..4 {
        nest_one(slots, group, &contents, dimension, &mut rng, &mut sharing);
    }
    Ok(sharing.iter().any(Option::is_some).then_some(sharing))
}

/// Groups segments of equal, completely determined content.
fn by_content(contents: &[Contents], group: &[usize]) -> Vec<Vec<usize>> {
    let mut by: BTreeMap<Vec<([i128; 3], i128)>, Vec<usize>> = BTreeMap::new();
    for k in group {
        let held: Option<Vec<_>> = contents[*k].iter().map(|(at, v)| Some((*at, (*v)?))).collect();
        if let Some(mut held) = held.filter(|h| !h.is_empty()) {
            held.sort_unstable();
            by.entry(held).or_default().push(*k);
        }
    }
    by.into_values().filter(|same| same.len() > 1).collect()
}

/// Tries to put one segment inside another, at random.
fn nest_one(
    slots: &Slots,
    group: &[usize],
    contents: &[Contents],
    dimension: usize,
    rng: &mut impl Rng,
    sharing: &mut Sharing,
) {
    let (k, segment) =
        (group[rng.random_range(0..group.len())], group[rng.random_range(0..group.len())]);
    let (inner, outer) = (&slots.slots[k], &slots.slots[segment]);
    let room = outer.len - inner.len;
    let free = k != segment
        && sharing[k].is_none()
        && sharing[segment].is_none()
        && !sharing.iter().flatten().any(|s| s.segment == k || s.segment == segment);
    if !free || room < 0 || inner.len == 0 {
        return;
    }
    let offset = rng.random_range(0..=room);
    let shift = offset + outer.lo - inner.lo;
    let agrees = contents[k].iter().all(|(at, v)| {
        let mut there = *at;
        there[dimension] += shift;
        v.is_some() && contents[segment].get(&there).is_none_or(|w| w == v)
    });
    if agrees {
        sharing[k] = Some(AliasTarget { segment, offset });
    }
}

/// Recovers the sharing from given places: in physical order, a segment shares if it starts inside one that has a
/// separate place.
pub fn found(slots: &Slots, physical: &[usize], starts: &[i128]) -> Sharing {
    let mut sharing: Sharing = vec![None; slots.slots.len()];
    let mut targets: Vec<usize> = Vec::new();
    let end = |k: usize| starts[k] + slots.slots[k].len;
    let group = |k: usize| slots.slots[k].base.0;
    for &k in physical {
        if slots.slots[k].len == 0 {
            continue;
        }
        let target = targets
            .iter()
            .copied()
            .find(|h| group(*h) == group(k) && starts[*h] <= starts[k] && starts[k] < end(*h));
        match target {
            Some(h) => sharing[k] = Some(AliasTarget { segment: h, offset: starts[k] - starts[h] }),
            None => targets.push(k),
        }
    }
    sharing
}
