//! Which two classes can occur together at all: found out before few choices are looked for,
//! by random ones first, then by attempts at each two that did not meet.
//!
//! Many of these need no attempt: where one class goes with some classes of a dimension only,
//! and the other with none of these, they cannot meet. Attempts are made at one pair of a
//! kind, most often at those that random choices would hardly have missed only once or twice.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;

use super::attempt::{Attempt, attempt};
use super::combos::{Combinations, Id};
use super::gap::{Gap, How};
use super::known::Known;
use crate::solve::{ChoiceSource, Choices};

/// After all was tried, how often it is tried once more, while that shows anything new.
const PASSES: usize = 3;

/// How many attempts are then made at a group.
const AGAIN: usize = 2;

type Groups = BTreeMap<Group, (Id, Id)>;

/// What is given up together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    /// Two dimensions that were never both in the same choices.
    Dimensions(usize, usize),
    /// A class, and a dimension that was never there with it.
    Class(Id, usize),
    /// Two classes of dimensions that were.
    Pair(Id, Id),
}

/// What came of the attempts at a group.
#[derive(Debug, Clone, Default)]
struct Tried {
    attempts: usize,
    /// The last refusal of both classes' values, both given; and whether all of these named
    /// either's dimension.
    refused: Option<(String, bool)>,
    /// What came out instead, and how often.
    instead: BTreeMap<String, usize>,
}

/// What was tried.
pub(super) struct Explorer {
    tried: BTreeMap<Group, Tried>,
    /// Pairs that were given up.
    closed: Combinations,
    gaps: Vec<Gap>,
    /// [`Known::news`] and classes when nothing was left to try.
    done: Option<(u64, usize)>,
    /// How often all was tried.
    passes: usize,
    /// [`Known::news`] when this began the last time.
    since: u64,
}

impl Explorer {
    pub fn new() -> Self {
        Self {
            tried: BTreeMap::new(),
            closed: Combinations::new(2),
            gaps: Vec::new(),
            done: None,
            passes: 0,
            since: 0,
        }
    }

    /// Pairs that were given up, and why. Those that turned up all the same are not among them.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// Attempts at pairs that did not meet and were not given up, one for each group and at
    /// most `most`; none when nothing is left to try.
    pub fn attempts(
        &mut self,
        known: &Known,
        most: usize,
        rng: &mut ChaCha8Rng,
        mut plain: impl FnMut() -> ChoiceSource,
    ) -> Vec<(Group, Attempt)> {
        let state = Some((known.news(), known.tally.classes()));
        if self.done == state {
            return Vec::new();
        }
        let mut groups = self.next_groups(known);
        if groups.is_empty() && self.passes < PASSES && self.since < known.news() {
            // More is known of what goes together than when the first were given up.
            (self.passes, self.since) = (self.passes + 1, known.news());
            self.tried.clear();
            self.closed = Combinations::new(2);
            self.gaps.clear();
            groups = self.next_groups(known);
        }
        if groups.is_empty() {
            self.done = state;
        }
        let mut attempts = Vec::new();
        for (group, pair) in groups.into_iter().take(most) {
            let tried = self.tried.entry(group).or_default();
            let attempt = attempt(known, pair, tried.attempts, rng, &mut plain);
            attempts.push((group, attempt));
            tried.attempts += 1;
        }
        attempts
    }

    fn next_groups(&mut self, known: &Known) -> Groups {
        let (groups, later) = self.groups(known);
        if groups.is_empty() { later } else { groups }
    }

    /// The open pairs by groups, of each the one whose classes are most frequent; and apart
    /// those that may follow from pairs which are open themselves.
    fn groups(&mut self, known: &Known) -> (Groups, Groups) {
        let tally = &known.tally;
        let always: Vec<usize> =
            (0..tally.width()).filter(|d| known.present(*d) == known.total()).collect();
        let (mut groups, mut later) = (Groups::new(), Groups::new());
        let mut follow = Vec::new();
        for b in 0..tally.classes() {
            for a in 0..b {
                if tally.dimension(a) == tally.dimension(b)
                    || known.together(a).contains(b)
                    || self.closed.has(&[a, b])
                {
                    continue;
                }
                let into = match self.needs(known, a, b, &always) {
                    Some((dimension, true)) => {
                        follow.push((a, b, dimension));
                        continue;
                    }
                    Some(_) => &mut later,
                    None => &mut groups,
                };
                let weight = |(a, b): (Id, Id)| known.times(a) * known.times(b);
                let best = into.entry(group(known, a, b)).or_insert((a, b));
                if weight((a, b)) > weight(*best) {
                    *best = (a, b);
                }
            }
        }
        for (a, b, dimension) in follow {
            self.close(known, (a, b), How::Excluded, excluded(known, a, b, dimension));
        }
        (groups, later)
    }

    /// A dimension that is always there, and has no class that occurred with `a` and with
    /// `b`; and whether all the pairs that would be needed are given up.
    fn needs(&self, known: &Known, a: Id, b: Id, always: &[usize]) -> Option<(usize, bool)> {
        let tally = &known.tally;
        let apart = |d: &usize| {
            *d != tally.dimension(a)
                && *d != tally.dimension(b)
                && tally
                    .of(*d)
                    .iter()
                    .all(|c| !known.together(a).contains(*c) || !known.together(b).contains(*c))
        };
        let closed = |d: usize| {
            let is = |id: Id, c: Id| self.closed.has(&[id.min(c), id.max(c)]);
            tally.of(d).iter().all(|c| is(a, *c) || is(b, *c))
        };
        let mut open = None;
        for d in always.iter().copied().filter(apart) {
            if closed(d) {
                return Some((d, true));
            }
            open = Some((d, false));
        }
        open
    }

    /// What came of an attempt; the choices are known already.
    pub fn came(
        &mut self,
        known: &Known,
        group: Group,
        attempt: &Attempt,
        came: Result<&Choices, &str>,
    ) {
        let (a, b) = attempt.pair;
        let limit = self.limit(known, group);
        let tried = self.tried.entry(group).or_default();
        match came {
            Err(why) if attempt.given => {
                let names = |id| why.contains(&format!("`{}`", known.tally.name(id)));
                let always = tried.refused.as_ref().is_none_or(|(_, named)| *named);
                tried.refused = Some((why.to_owned(), always && (names(a) || names(b))));
            }
            Err(why) => *tried.instead.entry(format!("refused: {why}")).or_default() += 1,
            Ok(choices) => {
                for id in [a, b] {
                    if let Some(told) = instead(known, id, choices) {
                        *tried.instead.entry(told).or_default() += 1;
                    }
                }
            }
        }
        if known.together(a).contains(b) || tried.attempts < limit {
            return;
        }
        let n = tried.attempts;
        let (how, why) = match &tried.refused {
            Some((why, true)) => (How::Refused, why.clone()),
            Some((why, false)) => (How::NotFound, format!("{n} attempts, one refused: {why}")),
            None => {
                let most = tried.instead.iter().max_by_key(|(_, n)| **n);
                let most = most.map_or(String::new(), |(told, _)| format!(": {told}"));
                (How::NotFound, format!("{n} attempts came out otherwise{most}"))
            }
        };
        self.close_group(known, group, how, &why);
    }

    /// How many attempts are made at a group: the fewer, the more often its classes would have
    /// met by now if nothing kept them apart.
    fn limit(&self, known: &Known, group: Group) -> usize {
        if self.passes > 0 {
            return AGAIN;
        }
        let [one, other] = match group {
            Group::Dimensions(c, d) => [known.present(c), known.present(d)],
            Group::Class(id, d) => [known.times(id), known.present(d)],
            Group::Pair(a, b) => [known.times(a), known.times(b)],
        };
        match one * other / known.total().max(1) {
            12.. => 2,
            4.. => 4,
            _ => 10,
        }
    }

    fn close_group(&mut self, known: &Known, of: Group, how: How, why: &str) {
        let classes = |d: usize| known.tally.of(d).to_vec();
        let (ones, others) = match of {
            Group::Dimensions(c, d) => (classes(c), classes(d)),
            Group::Class(id, d) => (vec![id], classes(d)),
            Group::Pair(a, b) => (vec![a], vec![b]),
        };
        for &a in &ones {
            for &b in &others {
                let (a, b) = (a.min(b), a.max(b));
                if !known.together(a).contains(b) && !self.closed.has(&[a, b]) {
                    self.close(known, (a, b), how, why.to_owned());
                }
            }
        }
    }

    fn close(&mut self, known: &Known, (a, b): (Id, Id), how: How, why: String) {
        self.closed.insert(&[a, b]);
        let mut ids = [a, b];
        ids.sort_by_key(|id| known.tally.dimension(*id));
        self.gaps.push(Gap { classes: ids.map(|id| known.tally.told(id)).to_vec(), how, why });
    }
}

fn group(known: &Known, a: Id, b: Id) -> Group {
    let (c, d) = (known.tally.dimension(a), known.tally.dimension(b));
    if known.tally.of(c).iter().all(|id| !known.meets(*id, d)) {
        return Group::Dimensions(c.min(d), c.max(d));
    }
    if !known.meets(a, d) {
        return Group::Class(a, d);
    }
    if !known.meets(b, c) {
        return Group::Class(b, c);
    }
    Group::Pair(a, b)
}

/// What a class's dimension was in choices that do not have this class.
fn instead(known: &Known, id: Id, choices: &Choices) -> Option<String> {
    let name = known.tally.name(id);
    match choices.get(name) {
        None => Some(format!("there was no `{name}`")),
        Some(value) => {
            let class = known.class(name, value);
            (class != known.tally.class(id)).then(|| format!("`{name}` was {class}"))
        }
    }
}

/// In words, that `a` and `b` need different classes of `dimension`.
fn excluded(known: &Known, a: Id, b: Id, dimension: usize) -> String {
    let needs = |id: Id| {
        let with = known.tally.of(dimension).iter().filter(|c| known.together(id).contains(**c));
        let with: Vec<&str> = with.map(|c| known.tally.class(*c)).collect();
        format!(
            "`{}` {} only with {}",
            known.tally.name(id),
            known.tally.class(id),
            with.join(", ")
        )
    };
    let name = known.tally.of(dimension).first().map_or("", |id| known.tally.name(*id));
    format!("`{name}` would differ: {}; {}", needs(a), needs(b))
}
