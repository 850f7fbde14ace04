//! Random streams: each use of a dimension has its own, keyed by numbers.
//!
//! The key is a hash of (run seed, variant index, whole name, purpose), computed in a few multiplications, so a stream
//! costs nothing until it is drawn from. It is the same on every machine.

use rand::SeedableRng;

use super::dimension::DimensionId;

/// The generator of a stream.
pub type Stream = rand::rngs::Xoshiro256PlusPlus;

/// The purpose of a dimension's stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Its value.
    Value,
    /// The decision whether to draw the dimension, if only a share of the dimensions is drawn.
    Varies,
    /// A value that satisfies its soft constraint.
    Wished,
    /// The decision to let writes overlap.
    Meets,
    /// The decision to let segments share their places.
    Shares,
    /// The choice among a small number of solutions.
    Few,
    /// The choice of elements whose writes agree.
    Agreeing,
    /// The choice of elements one by one, instead of the bases of segments.
    OneByOne,
    /// The halves in which its value is searched for.
    Halves,
    /// One element in a search over runs, in the start of this number.
    Element([i128; 3], u64),
}

impl Purpose {
    /// Returns a word that no other purpose has.
    fn word(self) -> u64 {
        match self {
            Self::Value => 0,
            Self::Varies => 1,
            Self::Wished => 2,
            Self::Meets => 3,
            Self::Shares => 4,
            Self::Few => 5,
            Self::Agreeing => 7,
            Self::OneByOne => 8,
            Self::Halves => 9,
            Self::Element(index, start) => {
                index.iter().fold((2 << 32) + start, |key, k| mixed(key, *k as u64))
            }
        }
    }
}

/// Creates the stream of a dimension, for a purpose, in variant `index` of a run.
pub(super) fn stream(seed: u64, index: u64, id: DimensionId, purpose: Purpose) -> Stream {
    let words = [seed, index, id.hash(), purpose.word()];
    Stream::seed_from_u64(words.into_iter().fold(0, mixed))
}

/// Mixes a word into a key, by the finalizer of SplitMix64 (Steele, Lea and Flood, 2014): for a given key, different
/// words have different results.
fn mixed(key: u64, word: u64) -> u64 {
    let z = key.wrapping_add(0x9E37_79B9_7F4A_7C15) ^ word;
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::RngExt;

    use super::*;

    #[test]
    fn streams_are_the_same_on_every_machine() {
        let mut stream = stream(7, 3, DimensionId::new("strip gaps"), Purpose::Few);
        let expected =
            [6_569_983_817_346_903_459, 4_671_750_581_011_217_118, 16_095_910_581_196_958_991];
        assert_eq!([0; 3].map(|_| stream.random::<u64>()), expected);
    }

    #[test]
    fn each_seed_index_name_and_purpose_has_a_stream_of_its_own() {
        let purposes = [
            Purpose::Value,
            Purpose::Varies,
            Purpose::Wished,
            Purpose::Meets,
            Purpose::Shares,
            Purpose::Few,
            Purpose::Agreeing,
            Purpose::OneByOne,
            Purpose::Halves,
            Purpose::Element([0; 3], 0),
            Purpose::Element([0; 3], 1),
            Purpose::Element([0, 0, 1], 0),
            Purpose::Element([0, 1, 0], 0),
        ];
        let mut first: BTreeSet<u64> = BTreeSet::new();
        for (seed, index) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            for name in ["a", "b", "ab", "ba", ""] {
                let id = DimensionId::new(name);
                first.extend(purposes.map(|of| stream(seed, index, id, of).random::<u64>()));
            }
        }
        assert_eq!(first.len(), 4 * 5 * purposes.len());
    }
}
