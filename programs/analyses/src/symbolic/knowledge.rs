//! The values that were seen at nodes, which other clients ask for.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use canonical::{Binary, FunctionId, NodeId};

use super::path::{Path, Value};
use super::term::{Condition, Term, TermKind};
use crate::numbers::Interval;
use crate::protocol::place::Segments;
use crate::protocol::{Dereference, Formula, Interpretation, Relation, Term as Value2};
use crate::unfold::CallEdge;

/// The key of paths to a node that are not distinguished.
pub type Key = (FunctionId, NodeId, Vec<CallEdge>);

/// The maximum number of descriptions of a node. If there are more, they are merged.
const APART: usize = 6;
/// The maximum number of values of a description.
const VALUES: usize = 64;

/// A description of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    values: BTreeMap<Dereference, Interval>,
    /// Pairs of values that are equal.
    equal: BTreeSet<(Dereference, Dereference)>,
}

impl Seen {
    /// The description of a path's memory at its node.
    pub fn of(path: &Path, segments: &Segments) -> Self {
        let bounds = bounds(&path.conditions);
        let mut seen = Self { values: BTreeMap::new(), equal: BTreeSet::new() };
        let mut first: HashMap<*const Term, Dereference> = HashMap::new();
        let Some(frame) = path.frames.last() else { return seen };
        let mut variables: Vec<_> = frame.variables.iter().chain(path.statics.iter()).collect();
        variables.sort_unstable();
        for (variable, object) in variables {
            let Some(segment) = segments.of(*variable) else { continue };
            for (at, (size, value)) in &path.objects[*object].cells {
                let Value::Int(term) = value else { continue };
                let Ok(at) = u64::try_from(*at) else { continue };
                if seen.values.len() >= VALUES || i128::from(term.ty.bits() / 8) != *size {
                    continue;
                }
                let bits = u8::try_from(term.ty.bits()).unwrap_or(64);
                let name =
                    Dereference::basic(segment, at, Interpretation::Int(bits, term.ty.signed));
                let same = first.entry(Arc::as_ptr(term)).or_insert_with(|| name.clone());
                if *same != name && term.constant().is_none() {
                    seen.equal.insert((same.clone(), name.clone()));
                }
                seen.values.insert(name, refined(term, &bounds, 0));
            }
        }
        seen
    }

    /// Returns true if all memories that this describes are described by the other.
    fn within(&self, other: &Self) -> bool {
        let values = other
            .values
            .iter()
            .all(|(name, b)| self.values.get(name).is_some_and(|a| a.within(*b)));
        values && other.equal.iter().all(|pair| self.equals(pair))
    }

    fn equals(&self, (a, b): &(Dereference, Dereference)) -> bool {
        let point =
            |name: &Dereference| self.values.get(name).filter(|v| v.lo == v.hi).map(|v| v.lo);
        self.equal.contains(&(a.clone(), b.clone())) || (point(a).is_some() && point(a) == point(b))
    }

    /// A description of the memories of both.
    fn join(&self, other: &Self) -> Self {
        let values = self.values.iter().filter_map(|(name, a)| {
            let b = other.values.get(name)?;
            Some((name.clone(), a.join(*b)))
        });
        let mut equal: BTreeSet<_> =
            self.equal.iter().filter(|pair| other.equals(pair)).cloned().collect();
        equal.extend(other.equal.iter().filter(|pair| self.equals(pair)).cloned());
        Self { values: values.collect(), equal }
    }

    fn formula(&self, wanted: &BTreeSet<&Dereference>) -> Formula {
        let mut parts = Vec::new();
        let name = |of: &Dereference| Value2::Dereference(of.clone());
        for (of, value) in self.values.iter().filter(|(of, _)| wanted.contains(of)) {
            let mut add = |relation, number| {
                parts.push(Formula::Compare(relation, name(of), Value2::Number(number)));
            };
            if value.lo == value.hi {
                add(Relation::Equal, value.lo);
                continue;
            }
            // Sums saturate at the bounds of 128 bits, which carry no information.
            if value.lo > i128::MIN {
                add(Relation::GreaterEqual, value.lo);
            }
            if value.hi < i128::MAX {
                add(Relation::LessEqual, value.hi);
            }
        }
        for (a, b) in self.equal.iter().filter(|(a, b)| wanted.contains(a) && wanted.contains(b)) {
            parts.push(Formula::Compare(Relation::Equal, name(a), name(b)));
        }
        Formula::and(parts)
    }
}

/// All descriptions so far.
#[derive(Debug, Default)]
pub struct Knowledge {
    seen: BTreeMap<Key, Vec<Seen>>,
}

impl Knowledge {
    /// Adds a description; returns true if this is new knowledge.
    pub fn add(&mut self, key: Key, new: Seen) -> bool {
        let known = self.seen.entry(key).or_default();
        if known.iter().any(|old| new.within(old)) {
            return false;
        }
        known.retain(|old| !old.within(&new));
        known.push(new);
        if known.len() > APART {
            let joined = known.iter().skip(1).fold(known[0].clone(), |all, one| all.join(one));
            *known = vec![joined];
        }
        true
    }

    /// Returns all descriptions of a node, or those of paths through some calls.
    pub fn formula(
        &self,
        (function, node): (FunctionId, NodeId),
        calls: Option<&[CallEdge]>,
        wanted: &[Dereference],
    ) -> Formula {
        let wanted: BTreeSet<&Dereference> = wanted.iter().collect();
        let from = (function, node, Vec::new());
        let of_node =
            self.seen.range(from..).take_while(|(key, _)| (key.0, key.1) == (function, node));
        let of_calls = of_node.filter(|(key, _)| calls.is_none_or(|calls| key.2 == calls));
        Formula::or(of_calls.flat_map(|(_, seen)| seen).map(|seen| seen.formula(&wanted)).collect())
    }
}

/// Intervals of terms that conditions compare with numbers.
fn bounds(conditions: &[Condition]) -> HashMap<*const Term, Interval> {
    let mut found = HashMap::new();
    for condition in conditions {
        let (term, holds) = match condition {
            Condition::True(term) => (term, true),
            Condition::False(term) => (term, false),
            Condition::Fits(..) => continue,
        };
        let TermKind::Binary(operator, a, b) = &term.kind else { continue };
        let (term, number, operator) = match (a.constant(), b.constant()) {
            (None, Some(number)) => (a, number, *operator),
            (Some(number), None) => (b, number, operator.mirrored()),
            _ => continue,
        };
        let (lo, hi) = match (operator, holds) {
            (Binary::Equal, true) | (Binary::NotEqual, false) => (number, number),
            (Binary::Less, true) | (Binary::GreaterEqual, false) => {
                (i128::MIN, number.saturating_sub(1))
            }
            (Binary::LessEqual, true) | (Binary::Greater, false) => (i128::MIN, number),
            (Binary::Greater, true) | (Binary::LessEqual, false) => {
                (number.saturating_add(1), i128::MAX)
            }
            (Binary::GreaterEqual, true) | (Binary::Less, false) => (number, i128::MAX),
            _ => continue,
        };
        let entry = found.entry(Arc::as_ptr(term)).or_insert(term.interval);
        *entry = entry.meet(Interval { lo, hi }).unwrap_or(*entry);
    }
    found
}

/// An interval of a term under conditions.
fn refined(term: &Arc<Term>, bounds: &HashMap<*const Term, Interval>, depth: u32) -> Interval {
    let known = bounds.get(&Arc::as_ptr(term)).copied().unwrap_or(term.interval);
    if depth > 8 {
        return known;
    }
    let of = |term| refined(term, bounds, depth + 1);
    let exact = match &term.kind {
        TermKind::Binary(Binary::Add, a, b) => of(a).plus(of(b)),
        TermKind::Binary(Binary::Subtract, a, b) => of(a).subtract(of(b)),
        TermKind::Binary(Binary::Multiply, a, b) => of(a).multiply(of(b)),
        TermKind::Cast(a) => of(a),
        _ => return known,
    };
    let all = Interval::of(term.ty);
    // Results outside of an unsigned type wrap; results outside a signed type end the run, except for conversions.
    let wraps = !term.ty.signed || matches!(term.kind, TermKind::Cast(_));
    let exact = if wraps && !exact.within(all) { exact.convert(term.ty) } else { exact };
    exact.meet(known).unwrap_or(known)
}
