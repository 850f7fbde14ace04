//! Determines which pairs of classes can occur together at all, before rows are designed.
//!
//! It attempts the pairs that random samples did not show. Pairs are grouped, and one pair represents its group; the
//! more often random samples would have shown it, the fewer attempts it gets. Many pairs need no attempt: if one class
//! occurs only with some classes of a dimension and the other with none of these, they exclude each other.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;

use crate::attempt::{Attempt, attempt};
use crate::combinations::{ClassId, Combinations};
use crate::gap::{Gap, GapKind};
use crate::observations::Observations;
use crate::sources::Sources;
use inverter::solve::Choices;

/// The number of further passes over all pairs, as long as they reveal anything new.
const PASSES: usize = 3;

/// The number of attempts at a group in a further pass.
const AGAIN: usize = 2;

type Groups = BTreeMap<Group, (ClassId, ClassId)>;

/// Pairs that are given up together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// Two dimensions that were never both in the same choices.
    Dimensions(usize, usize),
    /// A class, and a dimension that never occurred with it.
    Class(ClassId, usize),
    /// Two classes whose dimensions did occur with them.
    Pair(ClassId, ClassId),
}

/// The outcome of the attempts at a group.
#[derive(Debug, Clone, Default)]
struct Tried {
    attempts: usize,
    /// The last refusal of given values of both classes. The flag is true if all refusals named the dimension of one of
    /// the classes.
    refused: Option<(String, bool)>,
    /// The outcomes that came out instead, with their numbers.
    instead: BTreeMap<String, usize>,
}

/// The pairs that were tried.
pub(crate) struct PairExplorer {
    tried: BTreeMap<Group, Tried>,
    /// Pairs that were given up.
    closed: Combinations,
    gaps: Vec<Gap>,
    /// The value of [`Observations::news`] and the number of classes when nothing was left to try.
    done: Option<(u64, usize)>,
    /// The number of passes done.
    passes: usize,
    /// The value of [`Observations::news`] when the last pass began.
    since: u64,
}

impl PairExplorer {
    /// An explorer that has tried nothing yet.
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

    /// The pairs that were given up, with reasons. Some may have turned up since.
    pub fn gaps(&self) -> &[Gap] {
        &self.gaps
    }

    /// Attempts at pairs that did not occur and were not given up: one for each group, at most `most`. Empty if nothing
    /// is left to try.
    pub fn attempts(
        &mut self,
        observed: &Observations,
        most: usize,
        rng: &mut ChaCha8Rng,
        sources: &mut Sources,
    ) -> Vec<(Group, Attempt)> {
        let state = Some((observed.news(), observed.tally.classes()));
        if self.done == state {
            return Vec::new();
        }
        let mut groups = self.next_groups(observed);
        if groups.is_empty() && self.passes < PASSES && self.since < observed.news() {
            // New pairs have been observed since the first pairs were given up.
            (self.passes, self.since) = (self.passes + 1, observed.news());
            self.tried.clear();
            self.closed = Combinations::new(2);
            self.gaps.clear();
            groups = self.next_groups(observed);
        }
        if groups.is_empty() {
            self.done = state;
        }
        let mut attempts = Vec::new();
        for (group, pair) in groups.into_iter().take(most) {
            let tried = self.tried.entry(group).or_default();
            let attempt = attempt(observed, pair, tried.attempts, rng, sources);
            attempts.push((group, attempt));
            tried.attempts += 1;
        }
        attempts
    }

    fn next_groups(&mut self, observed: &Observations) -> Groups {
        let (groups, later) = self.groups(observed);
        if groups.is_empty() { later } else { groups }
    }

    /// The open pairs by group, each group represented by its most frequent classes; and separately
    /// those that may be excluded by pairs that are still open themselves.
    fn groups(&mut self, observed: &Observations) -> (Groups, Groups) {
        let tally = &observed.tally;
        let always: Vec<usize> =
            (0..tally.width()).filter(|d| observed.present(*d) == observed.total()).collect();
        let (mut groups, mut later) = (Groups::new(), Groups::new());
        let mut follow = Vec::new();
        for b in 0..tally.classes() {
            for a in 0..b {
                if tally.dimension(a) == tally.dimension(b)
                    || observed.together(a).contains(b)
                    || self.closed.has(&[a, b])
                {
                    continue;
                }
                let into = match self.excluding(observed, a, b, &always) {
                    Some((dimension, true)) => {
                        follow.push((a, b, dimension));
                        continue;
                    }
                    Some(_) => &mut later,
                    None => &mut groups,
                };
                let weight = |(a, b): (ClassId, ClassId)| observed.times(a) * observed.times(b);
                let best = into.entry(group(observed, a, b)).or_insert((a, b));
                if weight((a, b)) > weight(*best) {
                    *best = (a, b);
                }
            }
        }
        for (a, b, dimension) in follow {
            self.close(observed, (a, b), GapKind::Excluded, excluded(observed, a, b, dimension));
        }
        (groups, later)
    }

    /// A dimension that is always present and has no class that occurred with both `a` and `b`; true if all the pairs
    /// that this would need have been given up.
    fn excluding(
        &self,
        observed: &Observations,
        a: ClassId,
        b: ClassId,
        always: &[usize],
    ) -> Option<(usize, bool)> {
        let tally = &observed.tally;
        let apart = |d: &usize| {
            *d != tally.dimension(a)
                && *d != tally.dimension(b)
                && tally.of(*d).iter().all(|c| {
                    !observed.together(a).contains(*c) || !observed.together(b).contains(*c)
                })
        };
        let closed = |d: usize| {
            let is = |id: ClassId, c: ClassId| self.closed.has(&[id.min(c), id.max(c)]);
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

    /// Records the outcome of an attempt whose choices have already been observed.
    pub fn finish(
        &mut self,
        observed: &Observations,
        group: Group,
        attempt: &Attempt,
        outcome: Result<&Choices, &str>,
    ) {
        let (a, b) = attempt.pair;
        let limit = self.limit(observed, group);
        let tried = self.tried.entry(group).or_default();
        match outcome {
            Err(why) if attempt.given => {
                let names = |id| why.contains(&format!("`{}`", observed.tally.name(id)));
                let always = tried.refused.as_ref().is_none_or(|(_, named)| *named);
                tried.refused = Some((why.to_owned(), always && (names(a) || names(b))));
            }
            Err(why) => *tried.instead.entry(format!("refused: {why}")).or_default() += 1,
            Ok(choices) => {
                for id in [a, b] {
                    if let Some(found) = instead(observed, id, choices) {
                        *tried.instead.entry(found).or_default() += 1;
                    }
                }
            }
        }
        if observed.together(a).contains(b) || tried.attempts < limit {
            return;
        }
        let n = tried.attempts;
        let (how, why) = match &tried.refused {
            Some((why, true)) => (GapKind::Refused, why.clone()),
            Some((why, false)) => (GapKind::NotFound, format!("{n} attempts, one refused: {why}")),
            None => {
                let most = tried.instead.iter().max_by_key(|(_, n)| **n);
                let most = most.map_or(String::new(), |(found, _)| format!(": {found}"));
                (GapKind::NotFound, format!("{n} attempts came out otherwise{most}"))
            }
        };
        self.close_group(observed, group, how, &why);
    }

    /// The number of attempts at a group. It is smaller the more often its classes would have occurred together by now
    /// if they were independent.
    fn limit(&self, observed: &Observations, group: Group) -> usize {
        if self.passes > 0 {
            return AGAIN;
        }
        let [one, other] = match group {
            Group::Dimensions(c, d) => [observed.present(c), observed.present(d)],
            Group::Class(id, d) => [observed.times(id), observed.present(d)],
            Group::Pair(a, b) => [observed.times(a), observed.times(b)],
        };
        match one * other / observed.total().max(1) {
            12.. => 2,
            4.. => 4,
            _ => 10,
        }
    }

    fn close_group(&mut self, observed: &Observations, of: Group, how: GapKind, why: &str) {
        let classes = |d: usize| observed.tally.of(d).to_vec();
        let (ones, others) = match of {
            Group::Dimensions(c, d) => (classes(c), classes(d)),
            Group::Class(id, d) => (vec![id], classes(d)),
            Group::Pair(a, b) => (vec![a], vec![b]),
        };
        for &a in &ones {
            for &b in &others {
                let (a, b) = (a.min(b), a.max(b));
                if !observed.together(a).contains(b) && !self.closed.has(&[a, b]) {
                    self.close(observed, (a, b), how, why.to_owned());
                }
            }
        }
    }

    fn close(
        &mut self,
        observed: &Observations,
        (a, b): (ClassId, ClassId),
        how: GapKind,
        why: String,
    ) {
        self.closed.insert(&[a, b]);
        let mut ids = [a, b];
        ids.sort_by_key(|id| observed.tally.dimension(*id));
        self.gaps.push(Gap {
            classes: ids.map(|id| observed.tally.describe(id)).to_vec(),
            how,
            why,
        });
    }
}

fn group(observed: &Observations, a: ClassId, b: ClassId) -> Group {
    let (c, d) = (observed.tally.dimension(a), observed.tally.dimension(b));
    if observed.tally.of(c).iter().all(|id| !observed.meets(*id, d)) {
        return Group::Dimensions(c.min(d), c.max(d));
    }
    if !observed.meets(a, d) {
        return Group::Class(a, d);
    }
    if !observed.meets(b, c) {
        return Group::Class(b, c);
    }
    Group::Pair(a, b)
}

/// Describes the value that a class's dimension has instead, if it is of another class.
fn instead(observed: &Observations, id: ClassId, choices: &Choices) -> Option<String> {
    let name = observed.tally.name(id);
    match choices.get(name) {
        None => Some(format!("there was no `{name}`")),
        Some(value) => {
            let class = observed.class(name, value);
            (class != observed.tally.class(id)).then(|| format!("`{name}` was {class}"))
        }
    }
}

/// The message that `a` and `b` need different classes of `dimension`.
fn excluded(observed: &Observations, a: ClassId, b: ClassId, dimension: usize) -> String {
    let requires = |id: ClassId| {
        let with =
            observed.tally.of(dimension).iter().filter(|c| observed.together(id).contains(**c));
        let with: Vec<&str> = with.map(|c| observed.tally.class(*c)).collect();
        format!(
            "`{}` {} only with {}",
            observed.tally.name(id),
            observed.tally.class(id),
            with.join(", ")
        )
    };
    let name = observed.tally.of(dimension).first().map_or("", |id| observed.tally.name(*id));
    format!("`{name}` would differ: {}; {}", requires(a), requires(b))
}
