//! The state of a run on unknown bytes: unknowns with their domains, cells, variables, and the assignments of the run.
//! All changes can be undone.

use fixedbitset::FixedBitSet;

use super::linear::{Linear, Unknown};
use crate::program::views::Form;
use crate::program::walk::Encoding;
use crate::program::{Cmp, FieldId, VarId};

/// The reason why a run does not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dead {
    /// A decision contradicts the program, or the canonical value.
    End,
    /// Too many statements were run.
    Spent,
}

/// The result of a part of a run.
pub type Step<T> = Result<T, Dead>;

/// The domain of an unknown.
#[derive(Debug, Clone)]
pub struct Domain {
    /// Its least value.
    pub lo: i128,
    /// Its greatest value.
    pub hi: i128,
    /// Values between these two that it cannot have.
    pub except: Vec<i128>,
    /// The sum that it equals, if it was split into parts.
    pub split: Option<Linear>,
    /// True if a choice has narrowed it, so that it does not follow from the canonical value.
    pub free: bool,
    /// The value that it should have if possible.
    pub preferred: Option<i128>,
}

/// A byte of an input array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// Nothing depends on it.
    Free,
    /// It has this value.
    Byte(u8),
    /// A byte of the encoding of an unknown, by its position in the encoding.
    Digit(Unknown, u8),
}

/// An input array of bytes.
#[derive(Debug)]
pub struct Bytes {
    /// The bytes that the run has reached.
    pub cells: Vec<Cell>,
    /// One past the last byte that the run has used.
    pub used: usize,
    /// The length.
    pub length: Unknown,
    /// The dimension of bytes that are read without a name.
    pub site: usize,
    /// The bytes themselves, for a known representation.
    pub known: Option<Vec<u8>>,
}

/// A number that was read.
#[derive(Debug, Clone)]
pub struct Made {
    /// The site of the statement that read it.
    pub site: usize,
    /// Its value.
    pub value: Linear,
    /// Its number of bytes, if it has variable length, and true if several are possible.
    pub width: Option<(usize, bool)>,
}

/// A checksum over bytes, which is computed when all of them are known.
#[derive(Debug, Clone)]
pub struct PendingSum {
    /// The number that equals the sum.
    pub number: Linear,
    /// The sum.
    pub sum: crate::program::codes::Sum,
    /// The array.
    pub array: FieldId,
    /// The first byte.
    pub start: Linear,
    /// One past the last byte.
    pub end: Linear,
}

/// A number whose place is not known yet.
#[derive(Debug, Clone)]
pub struct Deferred {
    /// The array.
    pub array: FieldId,
    /// The place.
    pub at: Linear,
    /// The number.
    pub number: Unknown,
    /// The encoding.
    pub form: Form,
}

/// A change, as it was before.
#[derive(Debug)]
enum Undo {
    Range(Unknown, i128, i128, bool),
    Except(Unknown),
    Split(Unknown),
    Unknown,
    Var(VarId, Linear),
    Cell(FieldId, usize, Cell),
    Used(FieldId, usize),
    Assigned(FieldId, usize),
    Copied(FieldId, usize, FieldId, usize, usize),
    Made,
    Rounds,
    Pending,
    Settled(usize),
    Sum,
    Deferred,
    Placed(usize),
}

/// The state of a run.
#[derive(Debug)]
pub struct State {
    /// The domains of the unknowns.
    pub domains: Vec<Domain>,
    /// The encodings of unknowns that are read from several bytes, and their numbers of bytes.
    pub encodings: Vec<Option<(Encoding, usize)>>,
    /// The input arrays, by field; `None` for the lengths, which are hidden scalars.
    pub arrays: Vec<Option<Bytes>>,
    /// The variables.
    pub vars: Vec<Linear>,
    /// The output elements that are assigned, by field.
    pub assigned: Vec<FixedBitSet>,
    /// The number of output elements that are not assigned yet, by field.
    pub left: Vec<usize>,
    /// The number of output elements assigned so far.
    pub count: usize,
    /// The numbers that were read.
    pub made: Vec<Made>,
    /// The number of numbers that were read, by site.
    pub ordinals: Vec<usize>,
    /// The rounds of walks: walk, number, and true if the number was a choice.
    pub rounds: Vec<(usize, usize, bool)>,
    /// Conditions on several unknowns, `sum cmp 0`, and whether they still have to be considered.
    pub pending: Vec<(Cmp, Linear, bool)>,
    /// Numbers whose places were unknown when they were read, and true until they are placed.
    pub deferred: Vec<(Deferred, bool)>,
    /// Sums to be computed.
    pub sums: Vec<PendingSum>,
    /// True while a choice is made.
    pub choosing: bool,
    trail: Vec<Undo>,
}

impl State {
    /// A state in which nothing is known. `lengths` has the number of elements of each output.
    pub fn new(vars: usize, inputs: usize, sites: usize, lengths: &[usize]) -> Self {
        Self {
            domains: Vec::new(),
            encodings: Vec::new(),
            arrays: (0..inputs).map(|_| None).collect(),
            vars: vec![Linear::default(); vars],
            assigned: lengths.iter().map(|n| FixedBitSet::with_capacity(*n)).collect(),
            left: lengths.to_vec(),
            count: 0,
            made: Vec::new(),
            ordinals: vec![0; sites],
            rounds: Vec::new(),
            pending: Vec::new(),
            deferred: Vec::new(),
            sums: Vec::new(),
            choosing: false,
            trail: Vec::new(),
        }
    }

    /// Returns a mark to which later changes can be undone.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Undoes all changes since a mark.
    pub fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let Some(change) = self.trail.pop() else { return };
            match change {
                Undo::Range(u, lo, hi, free) => {
                    let d = &mut self.domains[u.0];
                    (d.lo, d.hi, d.free) = (lo, hi, free);
                }
                Undo::Except(u) => drop(self.domains[u.0].except.pop()),
                Undo::Split(u) => self.domains[u.0].split = None,
                Undo::Unknown => {
                    self.domains.pop();
                    self.encodings.pop();
                }
                Undo::Var(var, value) => self.vars[var.0] = value,
                Undo::Cell(array, at, cell) => {
                    if let Some(bytes) = &mut self.arrays[array.0] {
                        bytes.cells[at] = cell;
                    }
                }
                Undo::Used(array, used) => {
                    if let Some(bytes) = &mut self.arrays[array.0] {
                        bytes.used = used;
                    }
                }
                Undo::Assigned(field, at) => {
                    self.assigned[field.0].set(at, false);
                    self.left[field.0] += 1;
                    self.count -= 1;
                }
                Undo::Copied(field, start, array, at, n) => {
                    self.assigned[field.0].set_range(start..start + n, false);
                    self.left[field.0] += n;
                    self.count -= n;
                    if let Some(bytes) = &mut self.arrays[array.0] {
                        bytes.cells[at..at + n].fill(Cell::Free);
                    }
                }
                Undo::Made => {
                    if let Some(made) = self.made.pop() {
                        self.ordinals[made.site] -= 1;
                    }
                }
                Undo::Rounds => drop(self.rounds.pop()),
                Undo::Pending => drop(self.pending.pop()),
                Undo::Settled(at) => self.pending[at].2 = true,
                Undo::Sum => drop(self.sums.pop()),
                Undo::Deferred => drop(self.deferred.pop()),
                Undo::Placed(at) => self.deferred[at].1 = true,
            }
        }
    }

    /// Adds an unknown.
    pub fn unknown(&mut self, lo: i128, hi: i128, encoding: Option<(Encoding, usize)>) -> Unknown {
        let (except, split, free, preferred) = (Vec::new(), None, false, None);
        self.domains.push(Domain { lo, hi, except, split, free, preferred });
        self.encodings.push(encoding);
        self.trail.push(Undo::Unknown);
        Unknown(self.domains.len() - 1)
    }

    /// Narrows an unknown to a range.
    pub fn narrow(&mut self, u: Unknown, lo: i128, hi: i128) -> Step<()> {
        let choosing = self.choosing;
        let d = &mut self.domains[u.0];
        let (mut lo, mut hi) = (lo.max(d.lo), hi.min(d.hi));
        while lo <= hi && d.except.contains(&lo) {
            lo += 1;
        }
        while lo <= hi && d.except.contains(&hi) {
            hi -= 1;
        }
        if lo > hi {
            return Err(Dead::End);
        }
        if (lo, hi) != (d.lo, d.hi) {
            self.trail.push(Undo::Range(u, d.lo, d.hi, d.free));
            (d.lo, d.hi, d.free) = (lo, hi, d.free || choosing);
        }
        Ok(())
    }

    /// Takes a value from the domain of an unknown.
    pub fn exclude(&mut self, u: Unknown, value: i128) -> Step<()> {
        let d = &mut self.domains[u.0];
        if value < d.lo || value > d.hi || d.except.contains(&value) {
            return Ok(());
        }
        d.except.push(value);
        self.trail.push(Undo::Except(u));
        let (lo, hi) = (d.lo, d.hi);
        self.narrow(u, lo, hi)
    }

    /// Sets the sum that an unknown equals.
    pub fn split(&mut self, u: Unknown, sum: Linear) {
        self.domains[u.0].split = Some(sum);
        self.trail.push(Undo::Split(u));
    }

    /// Assigns a variable.
    pub fn set_var(&mut self, var: VarId, value: Linear) {
        let old = std::mem::replace(&mut self.vars[var.0], value);
        self.trail.push(Undo::Var(var, old));
    }

    /// Sets a byte.
    pub fn set_cell(&mut self, array: FieldId, at: usize, cell: Cell) {
        if let Some(bytes) = &mut self.arrays[array.0] {
            if bytes.cells.len() <= at {
                bytes.cells.resize(at + 1, Cell::Free);
            }
            let old = std::mem::replace(&mut bytes.cells[at], cell);
            self.trail.push(Undo::Cell(array, at, old));
        }
    }

    /// Returns a byte.
    pub fn cell(&self, array: FieldId, at: usize) -> Cell {
        let bytes = self.arrays[array.0].as_ref();
        bytes.and_then(|b| b.cells.get(at)).copied().unwrap_or(Cell::Free)
    }

    /// Marks the bytes up to `end` as used, so the array has at least this length.
    pub fn touch(&mut self, array: FieldId, end: usize) -> Step<()> {
        let Some(bytes) = &mut self.arrays[array.0] else { return Err(Dead::End) };
        let length = bytes.length;
        if end > bytes.used {
            self.trail.push(Undo::Used(array, bytes.used));
            bytes.used = end;
        }
        // The fact that an array is large enough for its content is not a choice.
        let choosing = std::mem::replace(&mut self.choosing, false);
        let narrowed = self.narrow(length, end as i128, i128::MAX);
        self.choosing = choosing;
        narrowed
    }

    /// Records that an output element is assigned; returns false if it already was.
    pub fn assign(&mut self, field: FieldId, at: usize) -> bool {
        if self.assigned[field.0].put(at) {
            return false;
        }
        self.left[field.0] -= 1;
        self.count += 1;
        self.trail.push(Undo::Assigned(field, at));
        true
    }

    /// Assigns output elements, starting at `start`, to free bytes, starting at `at`. Returns false if something is
    /// known about these bytes.
    pub fn copy(
        &mut self,
        (field, start): (FieldId, usize),
        (array, at): (FieldId, usize),
        values: &[u8],
    ) -> bool {
        let n = values.len();
        let Some(bytes) = &mut self.arrays[array.0] else { return false };
        if bytes.cells.len() < at + n {
            bytes.cells.resize(at + n, Cell::Free);
        }
        let cells = &mut bytes.cells[at..at + n];
        let assigned = self.assigned[field.0].contains_any_in_range(start..start + n);
        if assigned || bytes.known.is_some() || cells.iter().any(|cell| *cell != Cell::Free) {
            return false;
        }
        for (cell, value) in cells.iter_mut().zip(values) {
            *cell = Cell::Byte(*value);
        }
        self.assigned[field.0].set_range(start..start + n, true);
        self.left[field.0] -= n;
        self.count += n;
        self.trail.push(Undo::Copied(field, start, array, at, n));
        true
    }

    /// Records a number that was read.
    pub fn make(&mut self, made: Made) {
        self.ordinals[made.site] += 1;
        self.made.push(made);
        self.trail.push(Undo::Made);
    }

    /// Records the rounds of a walk.
    pub fn round(&mut self, walk: usize, rounds: usize, chosen: bool) {
        self.rounds.push((walk, rounds, chosen));
        self.trail.push(Undo::Rounds);
    }

    /// Adds a condition on several unknowns.
    pub fn pend(&mut self, cmp: Cmp, sum: Linear) {
        self.pending.push((cmp, sum, true));
        self.trail.push(Undo::Pending);
    }

    /// Marks a condition as one that holds.
    pub fn settle(&mut self, at: usize) {
        self.pending[at].2 = false;
        self.trail.push(Undo::Settled(at));
    }

    /// Adds a number whose place is not known yet.
    pub fn defer(&mut self, number: Deferred) {
        self.deferred.push((number, true));
        self.trail.push(Undo::Deferred);
    }

    /// Marks a deferred number as placed.
    pub fn placed(&mut self, at: usize) {
        self.deferred[at].1 = false;
        self.trail.push(Undo::Placed(at));
    }

    /// Adds a sum over bytes.
    pub fn sum(&mut self, sum: PendingSum) {
        self.sums.push(sum);
        self.trail.push(Undo::Sum);
    }
}
