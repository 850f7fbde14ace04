//! Segments that share elements: two writes of equal values may meet, which is a choice of
//! its own. A sharer has no place of its own; it starts at, or some elements into, another
//! segment, its host.

use std::collections::BTreeMap;

use rand::RngExt;
use rustc_hash::FxHashMap;

use super::Backward;
use super::places::Places;
use crate::invert::Discipline;
use crate::invert::access::Access;
use crate::invert::derive;
use crate::program::{Expr, FieldId, Ref};
use crate::run::error::RunError;
use crate::run::eval::Stop;
use crate::solve::Choice;

/// For each segment, the host that it shares with and where in the host it starts.
pub(in crate::run) type Sharing = Vec<Option<(usize, i128)>>;

/// What a segment holds: element relative to its base, and the value if it is known.
type Contents = FxHashMap<[i128; 3], Option<i128>>;

/// The most writes for which sharing is looked for: it takes a look at each.
const MOST_WRITES: usize = 1 << 17;

/// `none`, or the sharers of `places`: `3=1 5=1+2`. The numbers are those of elements of
/// the base array.
pub(in crate::run) fn to_text(places: &Places, group: &[usize], sharing: &Sharing) -> String {
    let number = |k: usize| places.places[k].base.1;
    let one = |k: &usize| {
        let (host, by) = sharing[*k]?;
        Some(match by {
            0 => format!("{}={}", number(*k), number(host)),
            _ => format!("{}={}+{by}", number(*k), number(host)),
        })
    };
    let all: Vec<String> = group.iter().filter_map(one).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(" ") }
}

fn from_text(places: &Places, group: &[usize], text: &str) -> Result<Sharing, String> {
    let form = || "it must be none, or like 3=1 5=1+2: which shares with which".to_owned();
    let mut sharing: Sharing = vec![None; places.places.len()];
    if text == "none" {
        return Ok(sharing);
    }
    let find = |number: &str| {
        let number: usize = number.parse().ok()?;
        group.iter().copied().find(|k| places.places[*k].base.1 == number)
    };
    for word in text.split(' ') {
        let (sharer, host) = word.split_once('=').ok_or_else(form)?;
        let (host, by) = host.split_once('+').unwrap_or((host, "0"));
        let by: i128 = by.parse().ok().filter(|n| *n >= 0).ok_or_else(form)?;
        let (Some(sharer), Some(host)) = (find(sharer), find(host)) else {
            return Err(form());
        };
        if sharer == host || sharing[sharer].is_some() {
            return Err(form());
        }
        sharing[sharer] = Some((host, by));
    }
    let chained = sharing.iter().flatten().any(|(host, _)| sharing[*host].is_some());
    if chained { Err("a host has a place of its own".to_owned()) } else { Ok(sharing) }
}

impl Backward<'_> {
    /// Which segments of `array` share with which, for each base array that has several.
    pub(super) fn choose_sharing(
        &mut self,
        array: FieldId,
        places: &Places,
        allowed: bool,
    ) -> Result<Sharing, RunError> {
        let mut all: Sharing = vec![None; places.places.len()];
        for (field, group) in &places.groups {
            let f = &self.program.input.fields[*field];
            if f.is_scalar() || group.len() < 2 {
                continue;
            }
            let name = &self.names(*field).sharing;
            if !self.limits.sharing && !self.source.is_given(name) {
                continue;
            }
            // Most files share nothing, and to look for what may be shared takes time.
            let draw = allowed
                && self.limits.sharing
                && self.source.varies(name)
                && self.source.stream(&format!("{name}: any")).random_range(0..6) == 0;
            let found = if draw { self.may_share(array, places, group, name)? } else { None };
            let simplest = || Choice::from("none");
            let drawn = match &found {
                Some(sharing) => Choice::Text(to_text(places, group, sharing)),
                None => simplest(),
            };
            let sharing = self.source.choose(
                name,
                |value| match value {
                    Choice::Text(text) => from_text(places, group, text),
                    _ => from_text(places, group, ""),
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

    /// Segments that may share because of what they hold, picked at random.
    fn may_share(
        &mut self,
        array: FieldId,
        places: &Places,
        group: &[usize],
        name: &str,
    ) -> Result<Option<Sharing>, RunError> {
        let Some(contents) = self.contents(array, places)? else { return Ok(None) };
        let mut rng = self.source.stream(name);
        let mut sharing: Sharing = vec![None; places.places.len()];
        let equal: Vec<Vec<usize>> = {
            let mut by: BTreeMap<Vec<([i128; 3], i128)>, Vec<usize>> = BTreeMap::new();
            for k in group {
                let held: Option<Vec<_>> =
                    contents[*k].iter().map(|(at, v)| Some((*at, (*v)?))).collect();
                if let Some(mut held) = held.filter(|h| !h.is_empty()) {
                    held.sort_unstable();
                    by.entry(held).or_default().push(*k);
                }
            }
            by.into_values().filter(|same| same.len() > 1).collect()
        };
        let everyone = rng.random_bool(0.5);
        for same in &equal {
            let host = same[rng.random_range(0..same.len())];
            for k in same.iter().filter(|k| **k != host) {
                if everyone || rng.random_bool(0.5) {
                    sharing[*k] = Some((host, 0));
                }
            }
        }
        // One that lies inside another.
        for _ in 0..4 {
            let (k, host) =
                (group[rng.random_range(0..group.len())], group[rng.random_range(0..group.len())]);
            let room = places.places[host].len - places.places[k].len;
            let free = k != host
                && sharing[k].is_none()
                && sharing[host].is_none()
                && !sharing.iter().flatten().any(|s| s.0 == k || s.0 == host);
            if !free || room < 0 || places.places[k].len == 0 {
                continue;
            }
            let by = rng.random_range(0..=room);
            let shift = by + places.places[host].lo - places.places[k].lo;
            let dimension = self.placed_dimension(array);
            let meets = contents[k].iter().all(|(at, v)| {
                let mut there = *at;
                there[dimension] += shift;
                v.is_some() && contents[host].get(&there).is_none_or(|w| w == v)
            });
            if meets {
                sharing[k] = Some((host, by));
            }
        }
        Ok(sharing.iter().any(Option::is_some).then_some(sharing))
    }

    pub(in crate::run) fn placed_dimension(&self, array: FieldId) -> usize {
        match self.inverse.disciplines.get(&array) {
            Some(Discipline::Layout(layout)) => layout.dimension,
            _ => 0,
        }
    }

    /// Whether no segment of `array` gets different values for one of its elements.
    pub(super) fn segments_agree(&mut self, array: FieldId) -> Result<bool, RunError> {
        self.looking(|run| match run.places(array) {
            Ok(places) => Ok(run.contents(array, &places)?.is_some()),
            Err(RunError::Refused { .. }) => Ok(false),
            Err(e) => Err(e),
        })
    }

    /// What each segment will hold; `None` if that is too much to look at, not known, or
    /// different things at once.
    fn contents(
        &mut self,
        array: FieldId,
        places: &Places,
    ) -> Result<Option<Vec<Contents>>, RunError> {
        let mut out: Vec<Contents> = vec![Contents::default(); places.places.len()];
        let number: FxHashMap<(FieldId, usize), usize> =
            places.places.iter().enumerate().map(|(k, p)| (p.base, k)).collect();
        let dimension = self.placed_dimension(array);
        let inverse = self.inverse;
        let mut left = MOST_WRITES;
        for access in inverse.accesses.iter().filter(|a| a.field == array) {
            let given = |r: &Ref| {
                let base = |b: &(FieldId, usize)| b.0 == r.field;
                number.keys().any(base)
            };
            let Some((base, offset)) = derive::base(self.program, &access.index[dimension], &given)
            else {
                continue;
            };
            let mut walk = Held { access, base: &base, offset: &offset.to_expr(), dimension };
            match self.hold(&mut walk, 0, &number, &mut out, &mut left) {
                Ok(()) => {}
                Err(Stop::Unset(..)) => return Ok(None),
                Err(Stop::Error(e)) => return Err(e),
            }
            if left == 0 {
                return Ok(None);
            }
        }
        Ok(Some(out))
    }

    fn hold(
        &mut self,
        walk: &mut Held<'_>,
        depth: usize,
        number: &FxHashMap<(FieldId, usize), usize>,
        out: &mut [Contents],
        left: &mut usize,
    ) -> Result<(), Stop> {
        let Held { access, base, offset, dimension } = *walk;
        let span = access.span;
        if let Some(level) = access.nest.get(depth) {
            for k in 0..self.env().eval(&level.count, span)? {
                self.set_var(level.var, k);
                self.hold(walk, depth + 1, number, out, left)?;
                if *left == 0 {
                    break;
                }
            }
            return Ok(());
        }
        *left = left.saturating_sub(1);
        for guard in &access.guards {
            if !self.env().holds(guard, span)? {
                return Ok(());
            }
        }
        let at = self.env().locate(base, span)?;
        let Some(k) = number.get(&(base.field, at)) else { return Ok(()) };
        let mut index = [0i128; 3];
        for (d, (slot, e)) in index.iter_mut().zip(&access.index).enumerate() {
            *slot = self.env().eval(if d == dimension { offset } else { e }, span)?;
        }
        let value = self.written(access)?;
        if let Some(old) = out[*k].insert(index, value)
            && (value.is_none() || old != value)
        {
            *left = 0;
        }
        Ok(())
    }
}

/// A walk over the writes of one access.
struct Held<'a> {
    access: &'a Access,
    base: &'a Ref,
    offset: &'a Expr,
    dimension: usize,
}

/// Who shares with whom in given places: in physical order, a segment that meets one that
/// has a place of its own.
pub(in crate::run) fn found(places: &Places, physical: &[usize], starts: &[i128]) -> Sharing {
    let mut sharing: Sharing = vec![None; places.places.len()];
    let mut hosts: Vec<usize> = Vec::new();
    let end = |k: usize| starts[k] + places.places[k].len;
    let group = |k: usize| places.places[k].base.0;
    for &k in physical {
        if places.places[k].len == 0 {
            continue;
        }
        let host = hosts
            .iter()
            .copied()
            .find(|h| group(*h) == group(k) && starts[*h] <= starts[k] && starts[k] < end(*h));
        match host {
            Some(h) => sharing[k] = Some((h, starts[k] - starts[h])),
            None => hosts.push(k),
        }
    }
    sharing
}
