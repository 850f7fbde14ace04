//! The writer's table: the strings that codes stand for, as a tree.

use rand::RngExt;
use rand::distr::Bernoulli;
use rand_chacha::ChaCha8Rng;

use super::super::policy::one_in;
use super::codes::FIRST;

/// No entry.
const NONE: u16 = 0;
/// The number of codes.
const CODES: usize = 1 << 12;

/// An entry: the string of `prefix` with `byte` behind it.
struct Entry {
    prefix: u16,
    byte: u8,
    /// The entry of the same prefix that was added before this one.
    sibling: u16,
}

/// The table. A writer that does not take the longest match adds strings that the table already
/// has; each is an entry of its own.
pub(super) struct Table {
    /// From entry [`FIRST`] on.
    entries: Vec<Entry>,
    /// For each code, the last entry that it is the prefix of.
    children: Vec<u16>,
    /// The coin that decides between two entries.
    half: Bernoulli,
}

impl Default for Table {
    fn default() -> Self {
        Self { entries: Vec::new(), children: vec![NONE; CODES], half: one_in(2) }
    }
}

impl Table {
    /// Removes every entry.
    pub(super) fn clear(&mut self) {
        for entry in self.entries.drain(..) {
            self.children[usize::from(entry.prefix)] = NONE;
        }
    }

    /// Adds the string of `prefix` with `byte` behind it.
    pub(super) fn add(&mut self, prefix: u16, byte: u8) {
        // Below 4096: Clear is written in time.
        let code = (FIRST + self.entries.len()) as u16;
        let sibling = std::mem::replace(&mut self.children[usize::from(prefix)], code);
        self.entries.push(Entry { prefix, byte, sibling });
    }

    /// The entry of `prefix` with `byte` behind it; of several the last, or any.
    fn child(&self, prefix: u16, byte: u8, rng: &mut Option<&mut ChaCha8Rng>) -> Option<u16> {
        let mut found = None;
        let mut code = self.children[usize::from(prefix)];
        while code != NONE {
            let entry = &self.entries[usize::from(code) - FIRST];
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

    /// A code for a string that `first` and `rest` start with, and the string's length: the
    /// longest, or with `rng` often a shorter one.
    pub(super) fn pick(
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
            // Each length is as likely as the others.
            let take = longest || rng.as_mut().is_some_and(|rng| rng.random_range(0..length) == 0);
            if take {
                picked = (code, length);
            }
        }
        picked
    }
}
