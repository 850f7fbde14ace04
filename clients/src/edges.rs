//! Edges: the branches of a client's own code that it took on a file, as counted by SanitizerCoverage.
//!
//! A worker that is linked with `clients/edges/repfuzz_edges.c` publishes them in a file: a byte for each edge of its
//! build, which is 1 if the run reached it. See `docs/edges.md`.

use fixedbitset::FixedBitSet;

/// The environment variable that names the file.
pub const VARIABLE: &str = "REPFUZZ_EDGES";

/// The maximum number of edges of a build that are read; larger builds are truncated.
pub const MOST_EDGES: u64 = 1 << 22;

/// A set of edges of one build of a client.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edges(FixedBitSet);

impl Edges {
    /// The edges of a published map, whose length is the number of edges of the build.
    pub fn from_map(map: &[u8]) -> Self {
        let mut set = FixedBitSet::with_capacity(map.len());
        let reached = map.iter().enumerate().filter(|(_, byte)| **byte != 0);
        reached.for_each(|(edge, _)| set.insert(edge));
        Self(set)
    }

    /// The map of these edges.
    pub fn to_map(&self) -> Vec<u8> {
        let mut map = vec![0; self.0.len()];
        self.0.ones().for_each(|edge| map[edge] = 1);
        map
    }

    /// The number of edges of the build.
    pub fn of_build(&self) -> usize {
        self.0.len()
    }

    /// The number of edges in the set.
    pub fn count(&self) -> usize {
        self.0.count_ones(..)
    }

    /// The edges, in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.ones()
    }

    /// Adds the edges of `other`, and returns the number of new ones.
    pub fn add(&mut self, other: &Self) -> usize {
        let before = self.count();
        self.0.union_with(&other.0);
        self.count() - before
    }

    /// Returns the edges that are not in `other`.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let mut rest = self.0.clone();
        rest.difference_with(&other.0);
        Self(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_and_its_set_are_the_same() {
        let map = [0, 1, 0, 7, 0];
        let edges = Edges::from_map(&map);
        assert_eq!((edges.of_build(), edges.count()), (5, 2));
        assert_eq!(edges.iter().collect::<Vec<_>>(), [1, 3]);
        assert_eq!(edges.to_map(), [0, 1, 0, 1, 0]);
        assert_eq!(Edges::from_map(&edges.to_map()), edges);
    }

    #[test]
    fn only_edges_that_are_new_count() {
        let mut all = Edges::from_map(&[1, 0, 0]);
        // A library that is loaded later has additional edges.
        let more = Edges::from_map(&[1, 1, 0, 1]);
        assert_eq!((all.add(&more), all.add(&more)), (2, 0));
        assert_eq!(all.of_build(), 4);
        assert_eq!(all.without(&Edges::from_map(&[1, 1])).iter().collect::<Vec<_>>(), [3]);
    }
}
