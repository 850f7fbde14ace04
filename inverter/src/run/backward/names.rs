//! The dimension names of each input field, built once per inverse.

use crate::program::Field;

/// The names of the dimensions that belong to one input field.
#[derive(Debug)]
pub struct Names {
    /// The physical order of the segments that the field places.
    pub order: String,
    /// The positions of these segments among the others, for an array of bases.
    pub places: String,
    /// The position of the segment of a scalar base.
    pub place: String,
    /// The gaps before these segments, for an array of bases.
    pub gaps: String,
    /// The gap before the segment of a scalar base.
    pub gap: String,
    /// The segments that share elements with others.
    pub sharing: String,
    /// The values of bases that place nothing.
    pub unused: String,
    /// The content of free elements.
    pub fill: String,
}

impl Names {
    /// Builds the names for an input field.
    pub fn of(f: &Field) -> Self {
        Self::with(f.dimension())
    }

    /// Builds the names for a field whose own dimension is `dimension`.
    pub fn with(dimension: &str) -> Self {
        let name = |suffix: &str| format!("{dimension} {suffix}");
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
