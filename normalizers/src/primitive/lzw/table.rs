//! The writer's table: the strings that codes represent, as a tree.

use rand::RngExt;
use rand::distr::Bernoulli;
use rand_chacha::ChaCha8Rng;

use super::super::policy::one_in;

/// No entry.
const NONE: u16 = 0;
/// The number of codes.
const CODES: usize = 1 << 12;

/// An entry: the string of `prefix` followed by `byte`.
struct Entry {
    prefix: u16,
    byte: u8,
    /// The previous entry with the same prefix.
    sibling: u16,
}

/// The table. A writer that does not take the longest match adds strings that the table already has; each becomes a
/// separate entry.
pub(in super::super) struct Table {
    /// The first entry that is added.
    first: usize,
    /// The entries, starting with `first`.
    entries: Vec<Entry>,
    /// For each code, the last entry of which it is the prefix.
    children: Vec<u16>,
    /// The coin that decides between two entries.
    half: Bernoulli,
}

impl Table {
    /// Returns an empty table, whose first entry will be `first`.
    pub(in super::super) fn new(first: usize) -> Self {
        Self { first, entries: Vec::new(), children: vec![NONE; CODES], half: one_in(2) }
    }

    /// Returns true if there is no room for another entry.
    pub(in super::super) fn is_full(&self) -> bool {
        self.first + self.entries.len() == CODES
    }

    /// Removes every entry.
    pub(in super::super) fn clear(&mut self) {
        for entry in self.entries.drain(..) {
            self.children[usize::from(entry.prefix)] = NONE;
        }
    }

    /// Adds the string of `prefix` followed by `byte`. The table must not be full.
    pub(in super::super) fn add(&mut self, prefix: u16, byte: u8) {
        let code = (self.first + self.entries.len()) as u16;
        let sibling = std::mem::replace(&mut self.children[usize::from(prefix)], code);
        self.entries.push(Entry { prefix, byte, sibling });
    }

    /// Returns the entry of `prefix` followed by `byte`. If there are several, this is the last one or, with `rng`, any
    /// of them.
    fn child(&self, prefix: u16, byte: u8, rng: &mut Option<&mut ChaCha8Rng>) -> Option<u16> {
        let mut found = None;
        let mut code = self.children[usize::from(prefix)];
        while code != NONE {
            let entry = &self.entries[usize::from(code) - self.first];
            if entry.byte == byte {
                found = Some(code);
                if rng.as_mut().is_none_or(|rng| rng.sample(self.half)) {
                    break;
                }
            }
            code = entry.sibling;
        }
        found
    }

    /// Returns the code of a string with which the bytes `first`, `rest` begin, and the string's length. It is the
    /// longest string or, with `rng`, often a shorter one.
    pub(in super::super) fn pick(
        &self,
        first: u8,
        rest: &[u8],
        mut rng: Option<&mut ChaCha8Rng>,
    ) -> (u16, usize) {
        let longest = rng.as_mut().is_none_or(|rng| rng.sample(self.half));
        let mut picked = (u16::from(first), 1);
        let mut code = picked.0;
        for (length, byte) in (2..).zip(rest) {
            let Some(child) = self.child(code, *byte, &mut rng) else { break };
            code = child;
            // All lengths are equally likely.
            let take = longest || rng.as_mut().is_some_and(|rng| rng.random_range(0..length) == 0);
            if take {
                picked = (code, length);
            }
        }
        picked
    }
}
