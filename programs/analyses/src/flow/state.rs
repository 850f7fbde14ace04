//! Abstract states: integers, pointers, and the values of elements of arrays.

use std::collections::{BTreeMap, BTreeSet};

use crate::numbers::{Interval, Linear, Numbers, Ranges};
use crate::unfold::memory::{CellId, Memory, ObjectId, Part};

/// The places to which a pointer may point.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// Memory without cells: the heap, strings, functions.
    Opaque,
    /// A part of an object.
    Part(ObjectId, Vec<Part>),
    /// Somewhere in an object.
    Whole(ObjectId),
}

/// The values of a pointer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pointer {
    /// True if it may be null.
    pub null: bool,
    /// All other values.
    pub targets: BTreeSet<Target>,
}

/// The maximum number of targets of a pointer. A pointer with more has any value.
const MOST: usize = 32;

impl Pointer {
    /// The null pointer.
    pub fn null() -> Self {
        Self { null: true, targets: BTreeSet::new() }
    }

    /// A pointer to one target.
    pub fn to(target: Target) -> Self {
        Self { null: false, targets: BTreeSet::from([target]) }
    }

    /// Returns the values of both; `None` represents any value.
    pub fn join(&self, other: &Self) -> Option<Self> {
        let targets: BTreeSet<_> = self.targets.union(&other.targets).cloned().collect();
        (targets.len() <= MOST).then_some(Self { null: self.null || other.null, targets })
    }
}

/// An abstract state. As far as is known, it represents at least one state of memory.
#[derive(Debug, Clone)]
pub struct State<N> {
    /// Pointers by cell. A cell without an entry has any value.
    pub pointers: BTreeMap<CellId, Pointer>,
    /// Integer cells of several elements. A cell without an entry has any value of its type.
    pub elements: BTreeMap<CellId, Interval>,
    /// The other integer cells.
    pub numbers: N,
}

impl<N: Numbers> State<N> {
    /// Returns the state that represents all memories.
    pub fn top() -> Self {
        Self { pointers: BTreeMap::new(), elements: BTreeMap::new(), numbers: N::top() }
    }

    /// Forgets the value of a cell.
    pub fn forget(&mut self, memory: &Memory, cell: CellId) {
        let about = memory.cell(cell);
        match (about.int, about.weak) {
            (None, _) => {
                self.pointers.remove(&cell);
            }
            (Some(_), true) => {
                self.elements.remove(&cell);
            }
            (Some(_), false) => self.numbers.forget(cell),
        }
    }

    /// Forgets all cells of an object.
    pub fn forget_object(&mut self, memory: &Memory, object: ObjectId) {
        for cell in memory.object(object).cells.clone() {
            self.forget(memory, CellId(cell));
        }
    }

    /// Forgets all cells into which a pointer with an unknown value may point.
    pub fn forget_escaped(&mut self, memory: &Memory) {
        for cell in memory.escaped() {
            self.forget(memory, cell);
        }
    }

    /// The integers that a cell may hold.
    pub fn interval(&self, memory: &Memory, ranges: &Ranges, cell: CellId) -> Interval {
        if memory.cell(cell).weak {
            return self.elements.get(&cell).copied().unwrap_or(ranges[cell.0 as usize]);
        }
        self.numbers.bounds(&Linear::cell(cell), ranges)
    }

    /// Stores an integer in a cell; `weakly` is true if the target may be another cell.
    pub fn store(
        &mut self,
        memory: &Memory,
        ranges: &Ranges,
        cell: CellId,
        value: &Linear,
        weakly: bool,
    ) {
        if memory.cell(cell).weak {
            let Some(known) = self.elements.get(&cell).copied() else { return };
            let all = ranges[cell.0 as usize];
            let value = self.numbers.bounds(value, ranges).meet(all).unwrap_or(all);
            self.elements.insert(cell, known.join(value));
        } else if weakly {
            let before = self.numbers.clone();
            self.numbers.assign(cell, value, ranges);
            self.numbers = self.numbers.join(&before, ranges);
        } else {
            self.numbers.assign(cell, value, ranges);
        }
    }

    /// Stores a pointer in a cell; `None` represents any value.
    pub fn store_pointer(
        &mut self,
        memory: &Memory,
        cell: CellId,
        value: Option<Pointer>,
        weakly: bool,
    ) {
        let stored = if weakly || memory.cell(cell).weak {
            match (self.pointers.get(&cell), &value) {
                (Some(known), Some(value)) => known.join(value),
                _ => None,
            }
        } else {
            value
        };
        match stored {
            Some(value) => self.pointers.insert(cell, value),
            None => self.pointers.remove(&cell),
        };
    }

    /// A state for the memories of both.
    #[must_use]
    pub fn join(&self, other: &Self, ranges: &Ranges) -> Self {
        self.merge(other, self.numbers.join(&other.numbers, ranges), |a, b| a.join(b))
    }

    /// Returns a state for the memories of both, by widening, so that chains of states end.
    #[must_use]
    pub fn widen(&self, other: &Self, thresholds: &[i128], ranges: &Ranges) -> Self {
        let numbers = self.numbers.widen(&other.numbers, thresholds, ranges);
        self.merge(other, numbers, |a, b| {
            let below = || thresholds.iter().rev().find(|t| **t <= b.lo).copied();
            let above = || thresholds.iter().find(|t| **t >= b.hi).copied();
            Interval {
                lo: if b.lo >= a.lo { a.lo } else { below().unwrap_or(i128::MIN) },
                hi: if b.hi <= a.hi { a.hi } else { above().unwrap_or(i128::MAX) },
            }
        })
        .clipped(ranges)
    }

    fn merge(
        &self,
        other: &Self,
        numbers: N,
        element: impl Fn(Interval, Interval) -> Interval,
    ) -> Self {
        let mut pointers = BTreeMap::new();
        for (cell, a) in &self.pointers {
            if let Some(joined) = other.pointers.get(cell).and_then(|b| a.join(b)) {
                pointers.insert(*cell, joined);
            }
        }
        let mut elements = BTreeMap::new();
        for (cell, a) in &self.elements {
            if let Some(b) = other.elements.get(cell) {
                elements.insert(*cell, element(*a, *b));
            }
        }
        Self { pointers, elements, numbers }
    }

    fn clipped(mut self, ranges: &Ranges) -> Self {
        for (cell, value) in &mut self.elements {
            let all = ranges[cell.0 as usize];
            *value = value.meet(all).unwrap_or(all);
        }
        self
    }

    /// Returns true if all memories of this state belong to another one.
    pub fn within(&self, other: &Self, ranges: &Ranges) -> bool {
        let pointers = other.pointers.iter().all(|(cell, b)| {
            self.pointers
                .get(cell)
                .is_some_and(|a| (!a.null || b.null) && a.targets.is_subset(&b.targets))
        });
        let elements = |(cell, b): (&CellId, &Interval)| {
            self.elements.get(cell).copied().unwrap_or(ranges[cell.0 as usize]).within(*b)
        };
        pointers
            && other.elements.iter().all(elements)
            && self.numbers.within(&other.numbers, ranges)
    }
}
