//! The value from which on a client fails.

/// Where a client begins to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Edge {
    /// From this number on; the one before is fine.
    From(i128),
    /// Up to this number; the one after is fine.
    UpTo(i128),
}

impl Edge {
    /// Whether `n` is where it fails.
    pub fn covers(self, n: i128) -> bool {
        match self {
            Edge::From(edge) => n >= edge,
            Edge::UpTo(edge) => n <= edge,
        }
    }
}
