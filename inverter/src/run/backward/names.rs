//! The names of the dimensions of what an input is free in, put together once.

use crate::program::Field;

/// The names for one input.
#[derive(Debug)]
pub(super) struct Names {
    /// The physical order of the segments that it places.
    pub(super) order: String,
    /// Where these are among the others: of an array, and of a scalar.
    pub(super) places: String,
    pub(super) place: String,
    /// How far each is behind the one before it: of an array, and of a scalar.
    pub(super) gaps: String,
    pub(super) gap: String,
    /// Which of them share elements.
    pub(super) sharing: String,
    /// The values of those that place nothing.
    pub(super) unused: String,
    /// What elements get that mean nothing.
    pub(super) fill: String,
}

impl Names {
    /// Of an input.
    pub(super) fn of(f: &Field) -> Self {
        Self::with(f.dimension())
    }

    /// The same by the name of its dimension.
    pub(super) fn with(dimension: &str) -> Self {
        let name = |what: &str| format!("{dimension} {what}");
        Self {
            order: name("order"),
            places: name("places"),
            place: name("place"),
            gaps: name("gaps"),
            gap: name("gap"),
            sharing: name("sharing"),
            unused: name("unused"),
            fill: name("fill"),
        }
    }
}
