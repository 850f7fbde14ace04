//! Finite unions of integer intervals: the closed form of the solutions of most ensures.

use smallvec::{SmallVec, smallvec};

/// Inline storage for one interval: nearly every set is one.
type Spans = SmallVec<[(i128, i128); 1]>;

/// A set of integers, held as sorted, disjoint, non-adjacent closed intervals.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IntervalSet {
    spans: Spans,
}

impl IntervalSet {
    /// The empty set.
    pub fn empty() -> Self {
        Self::default()
    }

    /// All integers from `lo` to `hi`, inclusive; empty if `lo > hi`.
    pub fn range(lo: i128, hi: i128) -> Self {
        let spans = if lo <= hi { smallvec![(lo, hi)] } else { Spans::new() };
        Self { spans }
    }

    /// Only `value`.
    pub fn point(value: i128) -> Self {
        Self::range(value, value)
    }

    /// The union of closed intervals, in any order; empty ones are dropped.
    pub fn from_spans(spans: impl IntoIterator<Item = (i128, i128)>) -> Self {
        let mut spans: Spans = spans.into_iter().filter(|(lo, hi)| lo <= hi).collect();
        if spans.len() <= 1 {
            return Self { spans };
        }
        spans.sort_unstable();
        let mut merged = Spans::with_capacity(spans.len());
        for (lo, hi) in spans {
            match merged.last_mut() {
                Some(last) if lo <= last.1.saturating_add(1) => last.1 = last.1.max(hi),
                _ => merged.push((lo, hi)),
            }
        }
        Self { spans: merged }
    }

    /// The intervals, in ascending order.
    pub fn spans(&self) -> &[(i128, i128)] {
        &self.spans
    }

    /// Returns true if the set has no members.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The smallest member.
    pub fn min(&self) -> Option<i128> {
        self.spans.first().map(|s| s.0)
    }

    /// The largest member.
    pub fn max(&self) -> Option<i128> {
        self.spans.last().map(|s| s.1)
    }

    /// The number of members, saturating at `u128::MAX`.
    pub fn len(&self) -> u128 {
        self.spans
            .iter()
            .fold(0u128, |n, (lo, hi)| n.saturating_add(hi.abs_diff(*lo)).saturating_add(1))
    }

    /// Returns true if `value` is a member.
    pub fn contains(&self, value: i128) -> bool {
        let at = self.spans.partition_point(|s| s.1 < value);
        self.spans.get(at).is_some_and(|s| s.0 <= value)
    }

    /// The `n`-th member in ascending order, from 0.
    pub fn nth(&self, mut n: u128) -> Option<i128> {
        for (lo, hi) in &self.spans {
            let size = hi.abs_diff(*lo).saturating_add(1);
            if n < size {
                return lo.checked_add_unsigned(n);
            }
            n -= size;
        }
        None
    }

    /// Members of both.
    pub fn intersect(&self, other: &Self) -> Self {
        let (mut i, mut j) = (0, 0);
        // The result is sorted and disjoint, as both sets are.
        let mut out = Spans::new();
        while let (Some(a), Some(b)) = (self.spans.get(i), other.spans.get(j)) {
            let (lo, hi) = (a.0.max(b.0), a.1.min(b.1));
            if lo <= hi {
                out.push((lo, hi));
            }
            if a.1 < b.1 {
                i += 1;
            } else {
                j += 1;
            }
        }
        Self { spans: out }
    }

    /// Members of either.
    pub fn union(&self, other: &Self) -> Self {
        Self::from_spans(self.spans.iter().chain(&other.spans).copied())
    }

    /// Members that are not in `other`.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let all = (self.min().unwrap_or(0), self.max().unwrap_or(-1));
        self.intersect(&other.complement(all))
    }

    /// Members of `within` (an interval) that are not in this set.
    pub fn complement(&self, within: (i128, i128)) -> Self {
        let mut out = Vec::new();
        let mut next = within.0;
        for (lo, hi) in &self.spans {
            if *lo > within.1 {
                break;
            }
            if *lo > next {
                out.push((next, lo - 1));
            }
            next = next.max(hi.saturating_add(1));
        }
        out.push((next, within.1));
        Self::from_spans(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_set() -> impl Strategy<Value = IntervalSet> {
        prop::collection::vec((-20i128..20, 0i128..6), 0..6)
            .prop_map(|v| IntervalSet::from_spans(v.into_iter().map(|(lo, n)| (lo, lo + n))))
    }

    proptest! {
        #[test]
        fn set_operations_agree_with_membership(a in any_set(), b in any_set()) {
            let (and, or, not) = (a.intersect(&b), a.union(&b), a.complement((-30, 30)));
            for v in -30..=30 {
                prop_assert_eq!(and.contains(v), a.contains(v) && b.contains(v));
                prop_assert_eq!(or.contains(v), a.contains(v) || b.contains(v));
                prop_assert_eq!(not.contains(v), !a.contains(v));
            }
        }

        #[test]
        fn nth_enumerates_the_members(a in any_set()) {
            let members: Vec<i128> = (0..a.len()).map(|n| a.nth(n).unwrap()).collect();
            let expected: Vec<i128> = (-30..=30).filter(|v| a.contains(*v)).collect();
            prop_assert_eq!(members, expected);
            prop_assert_eq!(a.nth(a.len()), None);
        }
    }
}
