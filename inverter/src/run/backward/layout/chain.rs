//! Layouts whose constraints bound the distances of bases: chains of offsets, each of which has an exact or minimum
//! distance from another.
//!
//! Segments at fixed distances move as one *block*. Blocks are put in an order that the other constraints allow, and
//! each is placed at the first start that the earlier blocks allow, plus a gap. This takes time linear in the number of
//! segments and constraints. It finds no solution if every solution has segments between those of a block.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::program::{Atom, Cmp, Poly, Pred};
use crate::solve::draw::draw_gaps;
use crate::solve::layout::{Segment, Space};
use crate::solve::{Domain, Stream};

/// A base with the elements that lie relative to it.
#[derive(Debug, Clone)]
pub struct Item {
    /// The values that the base may have.
    pub values: Domain,
    /// The first element, relative to the base.
    pub lo: i128,
    /// The number of elements; 0 for a base that places nothing.
    pub len: i128,
}

/// A constraint: the base `after` exceeds the base `before` by at least `least`.
#[derive(Debug, Clone, Copy)]
struct Distance {
    before: usize,
    after: usize,
    least: i128,
}

/// Items at fixed distances from one another.
#[derive(Debug)]
struct Block {
    /// The elements from the first to the last, and the possible places of the first.
    segment: Segment,
    /// The items, with the distance of each base from the first element.
    members: Vec<(usize, i128)>,
    /// The constraints with other blocks, by their first elements: the block, and the least distance.
    before: Vec<(usize, i128)>,
    after: Vec<(usize, i128)>,
    /// Blocks from which this block has at most the given distance, if they are placed first.
    near: Vec<(usize, i128)>,
    /// Blocks from which this block has at least the given distance (a negative number), if they are placed first.
    far: Vec<(usize, i128)>,
}

/// Blocks that are to be placed.
#[derive(Debug)]
pub struct Chain {
    blocks: Vec<Block>,
    count: usize,
    /// True if some distances are fixed.
    pub rigid: bool,
}

impl Chain {
    /// Returns the blocks of `items`; `None` if some constraints are not about distances, or if they contradict one
    /// another. `number` returns the item whose base is the given atom.
    pub fn new<'p>(
        items: &[Item],
        preds: impl Iterator<Item = &'p Pred>,
        number: &dyn Fn(&Atom) -> Option<usize>,
    ) -> Option<Self> {
        let mut distances = Vec::new();
        let mut fixed = Fixed::new(items.len());
        let mut rigid = false;
        for pred in preds {
            for (cmp, distance) in read(pred, number)? {
                let Distance { before, after, least } = distance;
                if cmp == Cmp::Eq {
                    rigid = true;
                    if !fixed.join(before, after, least) {
                        return None;
                    }
                } else {
                    distances.push(distance);
                }
            }
        }
        let (mut blocks, place) = blocks(items, &mut fixed)?;
        for Distance { before, after, least } in distances {
            let ((a, from), (b, to)) = (place[before], place[after]);
            // The minimum distance from the first element of `a` to that of `b`.
            let least = least + from - to;
            if a == b {
                if least > 0 {
                    return None;
                }
                continue;
            }
            let len = blocks[b].segment.len;
            if least > -len || (len == 0 && least >= 0) {
                blocks[b].before.push((a, least));
                blocks[a].after.push((b, least));
            } else {
                blocks[a].near.push((b, -least));
                blocks[b].far.push((a, least));
            }
        }
        Some(Self { blocks, count: items.len(), rigid })
    }

    /// Returns the values of all bases. The blocks come in the order of their first items in `order`, as far as the
    /// constraints allow it. `rng` draws gaps with a total of `slack` elements. If `preferred` has the value of a base,
    /// its block starts there or as soon as possible after it.
    pub fn place(
        &self,
        space: &Space,
        order: &[usize],
        preferred: &BTreeMap<usize, i128>,
        rng: Option<(&mut Stream, u64)>,
    ) -> Option<Vec<i128>> {
        let wanted: Vec<Option<i128>> = self
            .blocks
            .iter()
            .map(|b| b.members.iter().find_map(|(k, at)| Some(preferred.get(k)? - at)))
            .collect();
        let order = self.sorted(order, &wanted)?;
        let latest = self.latest(space, &order)?;
        let mut gaps = match rng {
            Some((rng, slack)) => draw_gaps(rng, self.blocks.len(), slack),
            None => vec![0; self.blocks.len()],
        };
        loop {
            if let Some(starts) = self.starts(space, &order, &latest, &wanted, &gaps) {
                let mut values = vec![0; self.count];
                for (block, start) in self.blocks.iter().zip(&starts) {
                    block.members.iter().for_each(|(k, at)| values[*k] = start + at);
                }
                return Some(values);
            }
            if gaps.iter().all(|gap| *gap == 0) {
                return None;
            }
            gaps.iter_mut().for_each(|gap| *gap /= 2);
        }
    }

    /// Returns the first items in an order that the constraints allow, following `order`, which contains all of them,
    /// where possible.
    pub fn allowed(&self, order: &[usize]) -> Option<Vec<usize>> {
        let blocks = self.sorted(order, &vec![None; self.blocks.len()])?;
        let items = blocks.into_iter().flat_map(|block| &self.blocks[block].members);
        Some(items.map(|(k, _)| *k).filter(|k| *k < order.len()).collect())
    }

    /// Returns the blocks in an order that the constraints allow.
    fn sorted(&self, order: &[usize], wanted: &[Option<i128>]) -> Option<Vec<usize>> {
        let mut rank = vec![usize::MAX; self.count];
        order.iter().enumerate().for_each(|(at, k)| rank[*k] = at);
        let all_wanted = wanted.iter().all(Option::is_some);
        let key = |k: usize| match wanted[k].filter(|_| all_wanted) {
            Some(start) => start,
            None => self.blocks[k].members.iter().map(|(m, _)| rank[*m] as i128).min().unwrap_or(0),
        };
        let mut waiting: Vec<usize> = self.blocks.iter().map(|b| b.before.len()).collect();
        let mut ready: BinaryHeap<Reverse<(i128, usize)>> = (0..self.blocks.len())
            .filter(|k| waiting[*k] == 0)
            .map(|k| Reverse((key(k), k)))
            .collect();
        let mut out = Vec::with_capacity(self.blocks.len());
        while let Some(Reverse((_, k))) = ready.pop() {
            out.push(k);
            for (next, _) in &self.blocks[k].after {
                waiting[*next] -= 1;
                if waiting[*next] == 0 {
                    ready.push(Reverse((key(*next), *next)));
                }
            }
        }
        (out.len() == self.blocks.len()).then_some(out)
    }

    /// Returns the last start of each block in this order.
    fn latest(&self, space: &Space, order: &[usize]) -> Option<Vec<i128>> {
        let mut latest = vec![space.limit(); self.blocks.len()];
        let mut upto = space.limit();
        for &k in order.iter().rev() {
            let Block { segment, after, .. } = &self.blocks[k];
            let own = if segment.len > 0 { upto - segment.len } else { space.limit() };
            let by = after.iter().map(|(next, least)| latest[*next] - least).fold(own, i128::min);
            latest[k] = space.down(segment, by)?;
            if segment.len > 0 {
                upto = latest[k];
            }
        }
        Some(latest)
    }

    /// Places the blocks in this order; `None` if one would be too late.
    fn starts(
        &self,
        space: &Space,
        order: &[usize],
        latest: &[i128],
        wanted: &[Option<i128>],
        gaps: &[i128],
    ) -> Option<Vec<i128>> {
        let mut starts = vec![0; self.blocks.len()];
        let mut done = vec![false; self.blocks.len()];
        let mut cursor = 0;
        for &k in order {
            let Block { segment, before, near, far, .. } = &self.blocks[k];
            let own = if segment.len > 0 { cursor } else { 0 };
            let placed = |of: &(usize, i128)| done[of.0].then(|| starts[of.0] + of.1);
            let from = before.iter().chain(far).filter_map(placed).fold(own, i128::max);
            let first = space.up(segment, from)?;
            let upto = near.iter().filter_map(placed).fold(latest[k], i128::min);
            let at = match wanted[k] {
                Some(wanted) => space.up(segment, wanted.max(first)),
                None if gaps[k] > 0 => space.up(segment, first.saturating_add(gaps[k])),
                None => Some(first),
            };
            // A gap that is too large is reduced here, not the gap of each block.
            let at = at.filter(|at| *at <= upto).or_else(|| space.down(segment, upto))?;
            if at < first {
                return None;
            }
            (starts[k], done[k]) = (at, true);
            if segment.len > 0 {
                cursor = at + segment.len;
            }
        }
        Some(starts)
    }
}

/// Returns the distances that a constraint bounds; a fixed distance is returned once, as `Eq`.
fn read(pred: &Pred, number: &dyn Fn(&Atom) -> Option<usize>) -> Option<Vec<(Cmp, Distance)>> {
    let (cmp, a, b) = match pred {
        Pred::And(all) => {
            let all: Option<Vec<_>> = all.iter().map(|p| read(p, number)).collect();
            return Some(all?.concat());
        }
        Pred::Const(true) => return Some(Vec::new()),
        Pred::Cmp(cmp, a, b) => (*cmp, a, b),
        _ => return None,
    };
    let difference = Poly::of(a).sub(&Poly::of(b));
    let (mut plus, mut minus) = (None, None);
    for (monomial, c) in difference.terms() {
        let before = match (&monomial[..], c) {
            ([], _) => continue,
            ([atom], 1) => plus.replace(number(atom)?),
            ([atom], -1) => minus.replace(number(atom)?),
            _ => return None,
        };
        if before.is_some() {
            return None;
        }
    }
    // plus - minus cmp to
    let (plus, minus, to) = (plus?, minus?, -difference.constant());
    let up = |least| Distance { before: minus, after: plus, least };
    let down = |least: i128| Distance { before: plus, after: minus, least };
    let found = match cmp {
        Cmp::Eq => (Cmp::Eq, up(to)),
        Cmp::Ge => (Cmp::Ge, up(to)),
        Cmp::Gt => (Cmp::Ge, up(to + 1)),
        Cmp::Le => (Cmp::Ge, down(-to)),
        Cmp::Lt => (Cmp::Ge, down(1 - to)),
        Cmp::Ne => return None,
    };
    Some(vec![found])
}

/// Returns the blocks, and for each item its block and the distance of its base from the first element.
#[expect(clippy::type_complexity, reason = "used once, right above")]
fn blocks(items: &[Item], fixed: &mut Fixed) -> Option<(Vec<Block>, Vec<(usize, i128)>)> {
    let mut members: BTreeMap<usize, Vec<(usize, i128)>> = BTreeMap::new();
    for k in 0..items.len() {
        let (root, distance) = fixed.root(k);
        members.entry(root).or_default().push((k, distance));
    }
    let mut place = vec![(0, 0); items.len()];
    let mut blocks = Vec::with_capacity(members.len());
    for (_, mut members) in members {
        let mut filled: Vec<(i128, i128)> = members
            .iter()
            .filter(|(k, _)| items[*k].len > 0)
            .map(|(k, at)| (at + items[*k].lo, at + items[*k].lo + items[*k].len))
            .collect();
        filled.sort_unstable();
        // If segments overlap, only a check of their contents decides.
        if filled.windows(2).any(|pair| pair[0].1 > pair[1].0) {
            return None;
        }
        let (lo, hi) = match (filled.first(), filled.last()) {
            (Some(first), Some(last)) => (first.0, last.1),
            _ => (0, 0),
        };
        let mut starts: Option<Domain> = None;
        for (k, at) in &mut members {
            *at -= lo;
            let own = items[*k].values.shifted(-*at);
            starts = Some(match starts {
                Some(all) => all.intersect(&own)?,
                None => own,
            });
            place[*k] = (blocks.len(), *at);
        }
        let segment = Segment { len: hi - lo, starts: starts? };
        blocks.push(Block {
            segment,
            members,
            before: Vec::new(),
            after: Vec::new(),
            near: Vec::new(),
            far: Vec::new(),
        });
    }
    Some((blocks, place))
}

/// Items with fixed distances, as a union of sets.
struct Fixed {
    /// For each item, another item of its set, or itself, and the distance from that item.
    up: Vec<(usize, i128)>,
}

impl Fixed {
    fn new(count: usize) -> Self {
        Self { up: (0..count).map(|k| (k, 0)).collect() }
    }

    /// Returns the root of an item's set, and the item's distance from it.
    fn root(&mut self, k: usize) -> (usize, i128) {
        let mut path = Vec::new();
        let mut at = k;
        while self.up[at].0 != at {
            path.push(at);
            at = self.up[at].0;
        }
        let mut distance = 0;
        for &step in path.iter().rev() {
            distance += self.up[step].1;
            self.up[step] = (at, distance);
        }
        (at, distance)
    }

    /// States that `after` is `distance` more than `before`; returns false if this contradicts known distances.
    fn join(&mut self, before: usize, after: usize, distance: i128) -> bool {
        let ((a, from), (b, to)) = (self.root(before), self.root(after));
        if a == b {
            return to - from == distance;
        }
        self.up[b] = (a, from + distance - to);
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::program::{Expr, FieldId, Op, Ref, Side, Span};

    fn base(k: usize) -> Expr {
        Expr::Ref(Ref {
            side: Side::Input,
            field: FieldId(k),
            index: Vec::new(),
            span: Span::default(),
        })
    }

    proptest! {
        /// Drawn steps between offsets, exact or minimum distances, are kept, and segments are disjoint.
        #[test]
        fn distances_are_kept(
            lens in prop::collection::vec(0i128..9, 1..8),
            steps in prop::collection::vec((0i128..6, any::<bool>()), 8),
            seed in any::<u64>(),
        ) {
            let items: Vec<Item> = lens
                .iter()
                .map(|len| Item { values: Domain::range((0, 500)), lo: 1, len: *len })
                .collect();
            let preds: Vec<Pred> = (1..items.len())
                .map(|k| {
                    let (more, exact) = steps[k];
                    let cmp = if exact { Cmp::Eq } else { Cmp::Ge };
                    let step = Expr::Int(lens[k - 1] + more);
                    Pred::cmp(cmp, base(k), Expr::bin(Op::Add, base(k - 1), step))
                })
                .collect();
            let number = |atom: &Atom| match atom {
                Atom::Ref(_, field, _) => Some(field.0),
                _ => None,
            };
            let chain = Chain::new(&items, preds.iter(), &number).unwrap();
            let space = Space::new(600, vec![(0, 5), (40, 43)]);
            let order: Vec<usize> = (0..items.len()).rev().collect();
            let mut rng = <Stream as rand::SeedableRng>::seed_from_u64(seed);
            let values = chain.place(&space, &order, &BTreeMap::new(), Some((&mut rng, 64))).unwrap();
            for (k, value) in values.iter().enumerate() {
                let start = value + 1;
                let clear = |(lo, hi): &(i128, i128)| start >= *hi || start + lens[k] <= *lo;
                prop_assert!(lens[k] == 0 || space.taken().iter().all(clear));
                if k > 0 {
                    let (more, exact) = steps[k];
                    let step = value - values[k - 1] - lens[k - 1];
                    let apart = if exact { step == more } else { step >= more };
                    prop_assert!(apart);
                }
            }
            // The values are found again from themselves.
            let own: BTreeMap<usize, i128> = values.iter().copied().enumerate().collect();
            prop_assert_eq!(chain.place(&space, &order, &own, None), Some(values));
        }
    }
}
