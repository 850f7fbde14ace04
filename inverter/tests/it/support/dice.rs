//! The decisions of random tests: from a seed, a fuzzer's bytes, or a list that is being shrunk.
//! In each, 0 is the simplest decision.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A source of decisions.
pub trait Dice {
    /// A number below `n`, which is at least 1.
    fn below(&mut self, n: u64) -> u64;

    /// True with this chance in a hundred.
    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) >= 100 - percent
    }

    /// A number from `lo` to `hi`, which are at most 64 bits apart.
    fn between(&mut self, lo: i128, hi: i128) -> i128 {
        let n = u64::try_from(hi - lo + 1).unwrap_or(u64::MAX);
        lo + i128::from(self.below(n))
    }

    /// One of these.
    fn of<T: Clone>(&mut self, items: &[T]) -> T
    where
        Self: Sized,
    {
        items[self.below(items.len() as u64) as usize].clone()
    }
}

impl Dice for ChaCha8Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.random_range(0..n)
    }
}

/// Decisions from a seed, written down.
pub struct Seeded {
    rng: ChaCha8Rng,
    /// The decisions made.
    pub tape: Vec<u64>,
}

impl Seeded {
    /// Those of `seed`.
    pub fn new(seed: u64) -> Self {
        Self { rng: ChaCha8Rng::seed_from_u64(seed), tape: Vec::new() }
    }
}

impl Dice for Seeded {
    fn below(&mut self, n: u64) -> u64 {
        let decision = self.rng.below(n);
        self.tape.push(decision);
        decision
    }
}

/// Decisions that were written down; 0 where the list ends.
pub struct Tape<'t> {
    tape: &'t [u64],
}

impl<'t> Tape<'t> {
    /// These decisions.
    pub fn new(tape: &'t [u64]) -> Self {
        Self { tape }
    }
}

impl Dice for Tape<'_> {
    fn below(&mut self, n: u64) -> u64 {
        match self.tape.split_first() {
            Some((first, rest)) => {
                self.tape = rest;
                first % n
            }
            None => 0,
        }
    }
}

/// A fuzzer's bytes; 0 where they end.
pub struct Bytes<'b> {
    bytes: &'b [u8],
}

impl<'b> Bytes<'b> {
    /// These bytes.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes }
    }
}

impl Dice for Bytes<'_> {
    fn below(&mut self, n: u64) -> u64 {
        // A byte a decision, more where a byte cannot say it.
        let width = if n <= 256 { 1 } else { 8 };
        let mut number = 0u64;
        for _ in 0..width {
            let (byte, rest) = self.bytes.split_first().map_or((0, &[][..]), |(b, r)| (*b, r));
            self.bytes = rest;
            number = number << 8 | u64::from(byte);
        }
        number % n
    }
}

/// A shorter and smaller list of decisions that still fails, by dropping runs of decisions
/// and lowering single ones, with at most `tries` tries.
pub fn shrink(tape: Vec<u64>, tries: usize, fails: &mut dyn FnMut(&[u64]) -> bool) -> Vec<u64> {
    let mut best = tape;
    let mut left = tries;
    let mut attempt = |candidate: Vec<u64>, best: &mut Vec<u64>| {
        if left == 0 || candidate == *best {
            return false;
        }
        left -= 1;
        let smaller = fails(&candidate);
        if smaller {
            *best = candidate;
        }
        smaller
    };
    let mut progress = true;
    while progress {
        progress = false;
        let mut size = best.len() / 2;
        while size > 0 {
            let mut at = 0;
            while at + size <= best.len() {
                let mut candidate = best.clone();
                candidate.drain(at..at + size);
                if attempt(candidate, &mut best) {
                    progress = true;
                } else {
                    at += size;
                }
            }
            size /= 2;
        }
        for at in 0..best.len() {
            for value in [0, best.get(at).map_or(0, |v| v / 2)] {
                if best.get(at).is_some_and(|v| *v > value) {
                    let mut candidate = best.clone();
                    candidate[at] = value;
                    progress |= attempt(candidate, &mut best);
                }
            }
        }
    }
    best
}
