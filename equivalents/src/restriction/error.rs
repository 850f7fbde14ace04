//! Errors of restrictions.

/// The reason why a restriction does not apply to a seed, in one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RestrictionError {
    /// A glob with a mistake.
    #[error("`{glob}` is no glob: {why}")]
    Glob {
        /// The glob.
        glob: String,
        /// The mistake.
        why: String,
    },
    /// A name or glob that no dimension of the seed matches.
    #[error("no dimension of this seed matches `{name}`{hint}")]
    Unknown {
        /// The name or glob.
        name: String,
        /// The nearest name, or all names.
        hint: String,
    },
    /// A fixed value that is not of the form `NAME=VALUE`.
    #[error("`{0}` must be NAME=VALUE, such as orientation=6")]
    Form(String),
    /// A dimension with two fixed values, or one that is fixed and should vary.
    #[error("`{dimension}` cannot be {one} and also {other}")]
    Twice {
        /// The dimension.
        dimension: String,
        /// One demand.
        one: String,
        /// The other demand.
        other: String,
    },
    /// A fixed value that no file of the picture has, or that other values rule out, with the constraint that it
    /// violates.
    #[error("{0}")]
    Impossible(String),
    /// None of the dimensions that should vary exists in any file. Has the values with which one would exist.
    #[error("nothing would vary: {0}")]
    Nothing(String),
}
