//! Shards: the parts of a run that is divided among several machines.

use std::fmt;
use std::str::FromStr;

/// One part of a divided run. Work is divided by seed and client. Because a client's results do
/// not depend on other clients, all shards together have the results of the undivided run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// The number of the shard, from 1.
    pub index: usize,
    /// The number of shards.
    pub count: usize,
}

impl Shard {
    /// Returns all shards of a run that is divided into `count`.
    pub fn all(count: usize) -> impl Iterator<Item = Self> {
        (1..=count).map(move |index| Self { index, count })
    }

    /// The undivided run.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Returns true if this shard runs client number `client` of `clients` on the variants of seed
    /// number `seed`.
    pub fn takes(self, seed: usize, client: usize, clients: usize) -> bool {
        (seed * clients + client) % self.count == self.index - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(index, count)| {
            let shard = Self { index: index.parse().ok()?, count: count.parse().ok()? };
            (1..=shard.count).contains(&shard.index).then_some(shard)
        });
        parsed.ok_or_else(|| "it must be I/N, with I from 1 to N: 1/4".to_owned())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_is_in_one_part_and_parts_are_even() {
        let (seeds, clients, count) = (3, 5, 4);
        let mut sizes = vec![0; count];
        for (seed, client) in (0..seeds).flat_map(|s| (0..clients).map(move |c| (s, c))) {
            let parts: Vec<usize> = (1..=count)
                .filter(|index| Shard { index: *index, count }.takes(seed, client, clients))
                .collect();
            assert_eq!(parts.len(), 1);
            sizes[parts[0] - 1] += 1;
        }
        assert!(sizes.iter().all(|size| (3..=4).contains(size)), "{sizes:?}");
        assert!(Shard::WHOLE.takes(2, 4, 5));
    }

    #[test]
    fn only_parts_that_there_are_are_taken() {
        assert_eq!("2/3".parse(), Ok(Shard { index: 2, count: 3 }));
        for wrong in ["0/3", "4/3", "1", "1/0", "a/b", "1/2/3", "-1/2", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
