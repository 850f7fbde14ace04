//! Numbered random choice sources of one seed.

use inverter::solve::ChoiceSource;

/// Provides each attempt with its own source.
#[derive(Debug)]
pub(crate) struct Sources {
    seed: u64,
    next: u64,
}

impl Sources {
    /// The sources of `seed`, starting with number 0.
    pub fn new(seed: u64) -> Self {
        Self { seed, next: 0 }
    }

    /// The next source: every dimension varies.
    pub fn next(&mut self) -> ChoiceSource {
        self.next += 1;
        ChoiceSource::seeded(self.seed, self.next - 1)
    }

    /// The number of sources handed out.
    pub fn count(&self) -> u64 {
        self.next
    }
}
