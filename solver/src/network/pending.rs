//! The constraints to visit: those that tie auxiliary unknowns to others first, the others in their order, up and down in
//! turn.
//!
//! Along a chain in either order of its constraints one way up and one down are enough, where a queue may need as many passes
//! as the chain is long.

/// Constraints, by number, each at most once.
#[derive(Debug, Clone)]
pub struct Pending {
    /// Those that are visited first, the last one before the others.
    urgent: Vec<u32>,
    /// A bit for each constraint: true if it is one of them.
    words: Vec<u64>,
    /// The number of bits that are true.
    count: usize,
    /// The constraint that was visited last, and true if greater ones are next.
    at: u32,
    up: bool,
}

impl Pending {
    /// Creates the empty set of a number of constraints.
    pub fn new(constraints: usize) -> Self {
        let words = vec![0; constraints.div_ceil(64)];
        Self { urgent: Vec::new(), words, count: 0, at: 0, up: true }
    }

    /// Adds a constraint.
    pub fn add(&mut self, k: u32, urgent: bool) {
        let (word, bit) = (&mut self.words[k as usize / 64], 1 << (k % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.count += 1;
            if urgent {
                self.urgent.push(k);
            }
        }
    }

    /// Removes the next one.
    pub fn next(&mut self) -> Option<u32> {
        if self.count == 0 {
            return None;
        }
        let next = match self.urgent.pop() {
            Some(k) => k,
            None => {
                if self.ahead().is_none() {
                    self.up = !self.up;
                }
                self.at = self.ahead()?;
                self.at
            }
        };
        self.words[next as usize / 64] &= !(1 << (next % 64));
        self.count -= 1;
        Some(next)
    }

    /// Returns the nearest one on the way.
    fn ahead(&self) -> Option<u32> {
        let (first, bit) = (self.at as usize / 64, self.at % 64);
        let number = |word: usize, bit: u32| word as u32 * 64 + bit;
        if self.up {
            let masked = |k: usize| self.words[k] & if k == first { !0 << bit } else { !0 };
            let found = (first..self.words.len()).find(|k| masked(*k) != 0)?;
            return Some(number(found, masked(found).trailing_zeros()));
        }
        let masked = |k: usize| self.words[k] & if k == first { !0 >> (63 - bit) } else { !0 };
        let found = (0..=first).rev().find(|k| masked(*k) != 0)?;
        Some(number(found, 63 - masked(found).leading_zeros()))
    }

    /// Removes all.
    pub fn clear(&mut self) {
        if self.count > 0 {
            self.urgent.clear();
            self.words.fill(0);
            self.count = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_come_up_and_down_in_turn_and_urgent_ones_first() {
        let mut pending = Pending::new(200);
        for k in [150, 3, 70, 199, 3] {
            pending.add(k, k == 150);
        }
        let next = |pending: &mut Pending| pending.next();
        assert_eq!([(); 3].map(|()| next(&mut pending)), [Some(150), Some(3), Some(70)]);
        pending.add(5, false);
        pending.add(64, false);
        pending.add(70, false);
        let rest = [Some(70), Some(199), Some(64), Some(5), None];
        assert_eq!([(); 5].map(|()| next(&mut pending)), rest);
        pending.add(5, true);
        pending.clear();
        assert_eq!(next(&mut pending), None);
    }
}
