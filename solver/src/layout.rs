//! Places disjoint intervals (segments) in a given order, each after the previous one, with optional gaps. Takes time
//! linear in the number of segments, because no pairs are compared.

use super::domain::Domain;

/// A segment to be placed.
#[derive(Debug, Clone)]
pub struct Segment {
    /// The number of elements.
    pub len: i128,
    /// The allowed positions of the first element.
    pub starts: Domain,
}

/// The space for segments: the elements from 0 to below `limit` that are not taken.
#[derive(Debug, Clone)]
pub struct Space {
    limit: i128,
    /// Taken intervals, disjoint and sorted: first element, one past the last.
    taken: Vec<(i128, i128)>,
}

/// Placed segments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Laid {
    /// The start of each segment.
    pub starts: Vec<i128>,
    /// For each segment, the distance of its start from the nearest possible start.
    pub gaps: Vec<i128>,
    /// True if a gap was too large and was reduced.
    pub cut: bool,
}

impl Space {
    /// Returns the number of elements that are not taken.
    pub fn room(&self) -> i128 {
        let below = |end: i128| end.clamp(0, self.limit.max(0));
        let taken: i128 = self.taken.iter().map(|(lo, hi)| below(*hi) - below(*lo)).sum();
        self.limit.max(0) - taken
    }

    /// The space below `limit` without `taken` (in any order; intervals may overlap).
    pub fn new(limit: i128, mut taken: Vec<(i128, i128)>) -> Self {
        taken.retain(|(lo, hi)| lo < hi);
        taken.sort_unstable();
        let mut merged: Vec<(i128, i128)> = Vec::with_capacity(taken.len());
        for (lo, hi) in taken {
            match merged.last_mut() {
                Some(last) if lo <= last.1 => last.1 = last.1.max(hi),
                _ => merged.push((lo, hi)),
            }
        }
        Self { limit, taken: merged }
    }

    /// One past the last element of the space.
    pub fn limit(&self) -> i128 {
        self.limit
    }

    /// The taken intervals: disjoint and sorted.
    pub fn taken(&self) -> &[(i128, i128)] {
        &self.taken
    }

    /// One past the last element taken.
    pub fn taken_end(&self) -> i128 {
        self.taken.last().map_or(0, |t| t.1)
    }

    /// The first start at or after `from` with room for the segment.
    pub fn up(&self, segment: &Segment, from: i128) -> Option<i128> {
        let mut at = segment.starts.at_least(from.max(0))?;
        let mut next = self.taken.partition_point(|t| t.1 <= at);
        while let Some(&(lo, hi)) = self.taken.get(next) {
            if segment.len == 0 || at + segment.len <= lo {
                break;
            }
            at = segment.starts.at_least(hi)?;
            next += 1;
        }
        (at + segment.len <= self.limit).then_some(at)
    }

    /// The last start at or before `upto` with room for the segment.
    pub fn down(&self, segment: &Segment, upto: i128) -> Option<i128> {
        let mut at = segment.starts.at_most(upto.min(self.limit - segment.len))?;
        let mut next = self.taken.partition_point(|t| t.0 < at + segment.len);
        while let Some(&(lo, hi)) = next.checked_sub(1).and_then(|k| self.taken.get(k)) {
            if segment.len == 0 || hi <= at {
                break;
            }
            at = segment.starts.at_most(lo - segment.len)?;
            next -= 1;
        }
        (at >= 0).then_some(at)
    }

    /// Returns the last start that each segment can have in this order; `None` if the order is
    /// impossible.
    pub fn latest(&self, segments: &[Segment], order: &[usize]) -> Option<Vec<i128>> {
        let mut latest = vec![0; segments.len()];
        let mut upto = self.limit;
        for &k in order.iter().rev() {
            let at = self.down(&segments[k], upto - segments[k].len)?;
            latest[k] = at;
            upto = at;
        }
        Some(latest)
    }

    /// Places the segments in this order. Segment `k` starts `gaps[k]` after its nearest possible start after the
    /// previous segment, or at the first position from there that its domain and the taken intervals allow, but never
    /// after `latest[k]`.
    pub fn place(
        &self,
        segments: &[Segment],
        order: &[usize],
        latest: &[i128],
        gaps: &[i128],
    ) -> Laid {
        let none = vec![0; segments.len()];
        let mut laid = Laid { starts: none.clone(), gaps: none, cut: false };
        let mut cursor: i128 = 0;
        for &k in order {
            let near = self.up(&segments[k], cursor);
            let far = |near: i128| match gaps[k] {
                0 => Some(near),
                gap => self.up(&segments[k], near.saturating_add(gap)),
            };
            let at = match near.and_then(far) {
                Some(at) if at <= latest[k] => at,
                _ => {
                    laid.cut = true;
                    latest[k]
                }
            };
            laid.starts[k] = at;
            laid.gaps[k] = near.map_or(0, |near| (at - near).max(0));
            cursor = at + segments[k].len;
        }
        laid
    }

    /// Returns the gaps with which [`place`](Space::place) returns `starts`.
    pub fn gaps(&self, segments: &[Segment], order: &[usize], starts: &[i128]) -> Vec<i128> {
        let mut gaps = vec![0; segments.len()];
        let mut cursor = 0;
        for &k in order {
            let near = self.up(&segments[k], cursor).unwrap_or(starts[k]);
            gaps[k] = (starts[k] - near).max(0);
            cursor = starts[k] + segments[k].len;
        }
        gaps
    }

    /// Returns `order` stably sorted by deadline, earliest first. With equal lengths or nested domains, this order is
    /// possible if any is.
    pub fn by_deadline(&self, segments: &[Segment], order: &[usize]) -> Vec<usize> {
        let deadline = |k: &usize| {
            let s = &segments[*k];
            self.down(s, self.limit).map_or(-1, |at| at + s.len)
        };
        let mut sorted = order.to_vec();
        sorted.sort_by_cached_key(deadline);
        sorted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_segment() -> impl Strategy<Value = Segment> {
        (0i128..9, 0i128..30, 20i128..200, 1i128..4).prop_map(|(len, lo, hi, modulus)| {
            let residue = lo % modulus;
            Segment { len, starts: Domain { modulus, residue, ..Domain::range((lo, hi)) } }
        })
    }

    proptest! {
        #[test]
        fn places_are_disjoint_and_allowed(
            segments in prop::collection::vec(any_segment(), 0..8),
            taken in prop::collection::vec((0i128..120, 0i128..9), 0..4),
            gaps in prop::collection::vec(0i128..20, 8),
            limit in 40i128..200,
            seed in any::<u64>(),
        ) {
            let taken: Vec<_> = taken.into_iter().map(|(lo, n)| (lo, lo + n)).collect();
            let space = Space::new(limit, taken.clone());
            let mut order: Vec<usize> = (0..segments.len()).collect();
            order.sort_by_key(|k| (seed.rotate_left(7 * *k as u32)) % 97);
            let Some(latest) = space.latest(&segments, &order) else { return Ok(()) };
            let none = vec![0; 8];
            for gaps in [&gaps, &none] {
                let Laid { starts, gaps: actual, .. } = space.place(&segments, &order, &latest, gaps);
                prop_assert_eq!(&space.gaps(&segments, &order, &starts), &actual);
                prop_assert_eq!(&space.place(&segments, &order, &latest, &actual).starts, &starts);
                let mut end = 0;
                for &k in &order {
                    let (at, s) = (starts[k], &segments[k]);
                    prop_assert!(s.starts.contains(at));
                    prop_assert!(at >= end && at + s.len <= limit);
                    prop_assert!(s.len == 0 || taken.iter().all(|(lo, hi)| lo == hi || at >= *hi || at + s.len <= *lo));
                    end = at + s.len;
                }
            }
        }

        #[test]
        fn an_order_without_places_has_none(
            lens in prop::collection::vec(1i128..5, 1..5),
            limit in 1i128..14,
        ) {
            let segments: Vec<_> = lens.iter().map(|len| Segment { len: *len, starts: Domain::range((0, 99)) }).collect();
            let order: Vec<usize> = (0..segments.len()).collect();
            let fits = lens.iter().sum::<i128>() <= limit;
            prop_assert_eq!(Space::new(limit, vec![]).latest(&segments, &order).is_some(), fits);
        }
    }
}
