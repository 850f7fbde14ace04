//! The origins of a value, and their precedence.

use std::fmt;

/// The origins of a value, highest precedence first: a [`ChoiceSource`](super::ChoiceSource) takes
/// the value of the first origin that has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A given choice. If it does not fit, there is no variant.
    Given,
    /// The value that a [`Restriction`](super::Restriction) fixes, if it fits.
    Fixed,
    /// A value of the class that a soft constraint names, if any fits.
    SoftConstraint,
    /// A random value, if the dimension varies.
    Drawn,
    /// A default override, if it fits.
    Override,
    /// The baseline's value, translated to this variant, if it fits.
    Translated,
    /// The baseline's value, if it fits.
    Baseline,
    /// The simplest value.
    Simplest,
}

impl Origin {
    /// All origins, highest precedence first.
    pub const PRECEDENCE: [Self; 8] = [
        Self::Given,
        Self::Fixed,
        Self::SoftConstraint,
        Self::Drawn,
        Self::Override,
        Self::Translated,
        Self::Baseline,
        Self::Simplest,
    ];
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Given => "given",
            Self::Fixed => "fixed",
            Self::SoftConstraint => "soft constraint",
            Self::Drawn => "drawn",
            Self::Override => "default override",
            Self::Translated => "translated baseline",
            Self::Baseline => "baseline",
            Self::Simplest => "simplest",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_precedence_is_the_order_of_the_variants() {
        assert!(Origin::PRECEDENCE.is_sorted());
    }
}
