//! The budget of a run of code: the rounds of loops and the bytes of arrays that it may still use before it gives up,
//! as the interpreter would.

use super::halt::Irregular;
use crate::run::most_bytes;
use crate::run::room::Room;
use crate::run::steps::Steps;
use crate::run::store::{Record, Slot, Store};

/// The rounds that loops, and the bytes that arrays, may still use: the same bounds as the interpreter's.
#[derive(Debug)]
pub struct Budget {
    left: u64,
    used: u64,
    /// The number of elements of the data.
    cells: usize,
    room: Room,
}

impl Budget {
    /// The budget for data with this number of elements.
    pub fn of(cells: usize) -> Self {
        let steps = Steps::default();
        steps.allow(cells);
        Self { cells, ..Self::rounds_left(steps.left()) }
    }

    /// Returns the maximum number of bytes of an array.
    pub(super) fn most_bytes(&self) -> usize {
        most_bytes(self.cells)
    }

    /// Limits the bytes of arrays to this room.
    #[must_use]
    pub fn within(self, room: Room) -> Self {
        Self { room, ..self }
    }

    /// Takes the bytes of an array.
    ///
    /// # Errors
    ///
    /// Returns an error if fewer are left.
    pub(super) fn take_bytes(&mut self, bytes: usize) -> Result<(), Irregular> {
        if self.room.try_take(bytes as u64) { Ok(()) } else { Err(Irregular) }
    }

    /// The budget of `left` rounds.
    pub(super) fn rounds_left(left: u64) -> Self {
        Self { left, used: 0, cells: 0, room: Room::UNLIMITED }
    }

    /// Returns the number of rounds taken so far.
    pub(super) fn used(&self) -> u64 {
        self.used
    }

    /// The budget for a predicate over a value.
    pub fn over(store: &Store) -> Self {
        Self::of(store.slots.iter().map(Slot::cells).sum())
    }

    /// The budget for a representation.
    pub fn for_value(x: &Record) -> Self {
        Self::of(x.elements())
    }

    /// Adds the rounds that `cells` more elements may take.
    pub fn allow(&mut self, cells: usize) {
        self.left = self.left.saturating_add((cells as u64).saturating_mul(1024));
    }

    /// Takes `rounds` rounds.
    ///
    /// # Errors
    ///
    /// Returns an error if fewer are left.
    pub fn take(&mut self, rounds: u64) -> Result<(), Irregular> {
        self.used = self.used.checked_add(rounds).ok_or(Irregular)?;
        if self.used > self.left { Err(Irregular) } else { Ok(()) }
    }
}
