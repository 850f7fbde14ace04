//! The kind of difference between the expected and the actual picture.
//!
//! Two failures of a program with the same cause differ in the same way, so the kind is part of a failure's
//! [signature](super::Signature). Kinds are tried from the most specific to the least, and the first one that holds for
//! *all* pixels is returned; only [`Part`](DifferenceKind::Part) and [`Shifted`](DifferenceKind::Shifted) concern some
//! of them.
//!
//! Several kinds may hold for flat, symmetric or two-colored pictures: an inverted checkerboard is also a mirrored one.
//! In such cases the order decides:
//!
//! | expected | actual | kind | would also be |
//! |---|---|---|---|
//! | symmetric | turned | the first turn that fits ([`Turn::ALL`]) | other turns |
//! | checkerboard | the other colors | a mirrored one | inverted, shifted |
//! | ramp | reversed | mirrored | inverted |
//! | white | black | inverted | blank |
//! | one color | the same, swapped | channels swapped | colors replaced |
//! | one color, any | black, white or transparent | blank | levels scaled |
//! | one color | another color | garbage | any change of colors |
//!
//! Each kind that a flat picture could satisfy by accident requires evidence that a flat picture lacks: `Blank`
//! requires an expected picture that is not blank, scaled levels require two levels, a displacement requires moving
//! content, and a partly right picture requires more than a right background. A failure may therefore have another kind
//! on a smaller picture. Reduction does not use such a picture, because it preserves the kind.
//!
//! The time is linear in the number of pixels: a pass for all relations of single samples, one
//! comparison for each turn, which ends at the first pixel that contradicts it, and at most six
//! passes for displacements.

use serde::{Deserialize, Serialize};
use tiff_harness::Picture;

use super::samples::{Area, Pixel, Samples};
use super::turn::Turn;
use super::{mapping, part, shift};

/// All samples with a difference in low bits differ by less than this: 1/128 of the full range.
const LOW: u16 = 512;

/// A kind of difference between two pictures, the most specific first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// The order of the rows is reversed.
    RowsMirrored,
    /// The order of the columns is reversed.
    ColumnsMirrored,
    /// The picture is rotated by 180°.
    RotatedHalf,
    /// The picture is mirrored along its main diagonal.
    Transposed,
    /// The picture is rotated by 90° clockwise.
    RotatedClockwise,
    /// The picture is rotated by 90° counter-clockwise.
    RotatedCounterclockwise,
    /// The picture is mirrored along its other diagonal.
    Transverse,
    /// Several of the above: a cause has examples of each. No two pictures have this difference.
    Turned,
    /// The picture has no pixels. No two pictures have this difference; it describes a client's reply.
    Empty,
    /// Width or height differ, and the picture is not a rotated one.
    Size,
    /// The channels are permuted.
    ChannelsSwapped,
    /// The two bytes of each color sample are exchanged.
    BytesSwapped,
    /// A large part is displaced by a constant number of pixels or rows.
    Shifted,
    /// All samples differ by less than 1/128 of the full range.
    LowBits,
    /// The colors are inverted, and alpha is as expected.
    Inverted,
    /// Channels are copies of others, black or full; or a colored picture is gray.
    PlanesLost,
    /// All pixels have the same value, unlike the expected ones.
    Blank,
    /// Alpha differs, or the colors of pixels that are not opaque do, for example because they are multiplied by alpha.
    Alpha,
    /// Levels are scaled by an increasing function.
    Depth,
    /// Each color is replaced by another one.
    Recolored,
    /// Only a part is as expected.
    Part,
    /// No other kind.
    Garbage,
}

impl DifferenceKind {
    /// All kinds, the most specific first.
    pub const ALL: [DifferenceKind; 22] = [
        DifferenceKind::RowsMirrored,
        DifferenceKind::ColumnsMirrored,
        DifferenceKind::RotatedHalf,
        DifferenceKind::Transposed,
        DifferenceKind::RotatedClockwise,
        DifferenceKind::RotatedCounterclockwise,
        DifferenceKind::Transverse,
        DifferenceKind::Turned,
        DifferenceKind::Empty,
        DifferenceKind::Size,
        DifferenceKind::ChannelsSwapped,
        DifferenceKind::BytesSwapped,
        DifferenceKind::Shifted,
        DifferenceKind::LowBits,
        DifferenceKind::Inverted,
        DifferenceKind::PlanesLost,
        DifferenceKind::Blank,
        DifferenceKind::Alpha,
        DifferenceKind::Depth,
        DifferenceKind::Recolored,
        DifferenceKind::Part,
        DifferenceKind::Garbage,
    ];

    /// Returns the kind that represents all kinds that one cause may have. A reader that ignores the orientation turns
    /// pictures in seven ways, and the wrong part of a picture depends on the layout of the file.
    #[must_use]
    pub fn family(self) -> Self {
        match self {
            DifferenceKind::RowsMirrored
            | DifferenceKind::ColumnsMirrored
            | DifferenceKind::RotatedHalf
            | DifferenceKind::Transposed
            | DifferenceKind::RotatedClockwise
            | DifferenceKind::RotatedCounterclockwise
            | DifferenceKind::Transverse => DifferenceKind::Turned,
            DifferenceKind::Part => DifferenceKind::Garbage,
            other => other,
        }
    }

    /// Returns its name in results, tables and the store.
    pub fn word(self) -> &'static str {
        match self {
            DifferenceKind::RowsMirrored => "rows-mirrored",
            DifferenceKind::ColumnsMirrored => "columns-mirrored",
            DifferenceKind::RotatedHalf => "rotated-half",
            DifferenceKind::Transposed => "transposed",
            DifferenceKind::RotatedClockwise => "rotated-clockwise",
            DifferenceKind::RotatedCounterclockwise => "rotated-counterclockwise",
            DifferenceKind::Transverse => "transverse",
            DifferenceKind::Turned => "turned",
            DifferenceKind::Empty => "empty",
            DifferenceKind::Size => "size",
            DifferenceKind::ChannelsSwapped => "channels-swapped",
            DifferenceKind::BytesSwapped => "bytes-swapped",
            DifferenceKind::Shifted => "shifted",
            DifferenceKind::LowBits => "low-bits",
            DifferenceKind::Inverted => "inverted",
            DifferenceKind::PlanesLost => "planes-lost",
            DifferenceKind::Blank => "blank",
            DifferenceKind::Alpha => "alpha",
            DifferenceKind::Depth => "depth",
            DifferenceKind::Recolored => "recolored",
            DifferenceKind::Part => "part",
            DifferenceKind::Garbage => "garbage",
        }
    }

    /// Returns a phrase that follows `wrong pixels:`.
    pub fn phrase(self) -> &'static str {
        match self {
            DifferenceKind::RowsMirrored => "rows mirrored, top to bottom",
            DifferenceKind::ColumnsMirrored => "columns mirrored, left to right",
            DifferenceKind::RotatedHalf => "rotated by 180°",
            DifferenceKind::Transposed => "mirrored along the main diagonal",
            DifferenceKind::RotatedClockwise => "rotated by 90° clockwise",
            DifferenceKind::RotatedCounterclockwise => "rotated by 90° counter-clockwise",
            DifferenceKind::Transverse => "mirrored along the other diagonal",
            DifferenceKind::Turned => "mirrored or rotated",
            DifferenceKind::Empty => "an empty picture",
            DifferenceKind::Size => "another size",
            DifferenceKind::ChannelsSwapped => "channels swapped",
            DifferenceKind::BytesSwapped => "bytes of samples swapped",
            DifferenceKind::Shifted => "shifted",
            DifferenceKind::LowBits => "low bits only",
            DifferenceKind::Inverted => "colours inverted",
            DifferenceKind::PlanesLost => "channels lost",
            DifferenceKind::Blank => "blank",
            DifferenceKind::Alpha => "alpha",
            DifferenceKind::Depth => "levels scaled",
            DifferenceKind::Recolored => "colours replaced",
            DifferenceKind::Part => "a part of the picture",
            DifferenceKind::Garbage => "no pattern",
        }
    }
}

/// A difference between two pictures, with its values. They are not part of its kind, because they depend on the size
/// and the content of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// The actual picture is the expected one, turned.
    Turned(Turn),
    /// [`DifferenceKind::Size`].
    Size,
    /// The index of the expected channel that each actual channel is.
    ChannelsSwapped([u8; 4]),
    /// [`DifferenceKind::BytesSwapped`].
    BytesSwapped,
    /// The number of pixels by which the sequence of pixels is displaced towards its end.
    Shifted(i64),
    /// The largest difference, out of 65535.
    LowBits(u16),
    /// [`DifferenceKind::Inverted`].
    Inverted,
    /// [`DifferenceKind::PlanesLost`].
    PlanesLost,
    /// The value of all actual pixels.
    Blank(Pixel),
    /// [`DifferenceKind::Alpha`].
    Alpha,
    /// [`DifferenceKind::Depth`].
    Depth,
    /// [`DifferenceKind::Recolored`].
    Recolored,
    /// The smallest rectangle with all differing pixels.
    Part(Area),
    /// [`DifferenceKind::Garbage`].
    Garbage,
}

impl Difference {
    /// Describes the difference of two pictures; `None` if they are equal.
    pub fn between(expected: &Picture, got: &Picture) -> Option<Self> {
        if expected == got {
            return None;
        }
        if let Some(turn) = Turn::between(expected, got) {
            return Some(Difference::Turned(turn));
        }
        if (expected.width(), expected.height()) != (got.width(), got.height()) {
            return Some(Difference::Size);
        }
        let samples = Samples::compare(expected, got)?;
        Some(Self::of_colors(expected, got, &samples))
    }

    /// Describes the difference of two pictures of the same size, neither of which is a turned version of the other.
    fn of_colors(expected: &Picture, got: &Picture, samples: &Samples) -> Self {
        if let Some(permutation) = samples.permutation() {
            return Difference::ChannelsSwapped(permutation);
        }
        if samples.bytes_swapped && samples.same_alpha() {
            return Difference::BytesSwapped;
        }
        let blank = samples.blank();
        if blank.is_none()
            && let Some(k) = shift::displacement(expected, got, samples.span)
        {
            return Difference::Shifted(k);
        }
        if samples.most < LOW {
            return Difference::LowBits(samples.most);
        }
        if samples.inverted && samples.same_alpha() {
            return Difference::Inverted;
        }
        if samples.planes_lost() {
            return Difference::PlanesLost;
        }
        match blank {
            Some(pixel) if !samples.flat() => return Difference::Blank(pixel),
            _ if samples.alpha => return Difference::Alpha,
            Some(pixel) if is_empty(pixel) => return Difference::Blank(pixel),
            Some(_) => return Difference::Garbage,
            None => {}
        }
        if samples.same_alpha() && mapping::scales_levels(expected, got) {
            return Difference::Depth;
        }
        if mapping::replaces_colors(expected, got) {
            return Difference::Recolored;
        }
        match part::is_partly_right(expected, got, samples.area) {
            true => Difference::Part(samples.area),
            false => Difference::Garbage,
        }
    }

    /// Returns its kind.
    pub fn kind(self) -> DifferenceKind {
        match self {
            Difference::Turned(turn) => match turn {
                Turn::TopToBottom => DifferenceKind::RowsMirrored,
                Turn::LeftToRight => DifferenceKind::ColumnsMirrored,
                Turn::Half => DifferenceKind::RotatedHalf,
                Turn::Transposed => DifferenceKind::Transposed,
                Turn::Clockwise => DifferenceKind::RotatedClockwise,
                Turn::Counterclockwise => DifferenceKind::RotatedCounterclockwise,
                Turn::Transverse => DifferenceKind::Transverse,
            },
            Difference::Size => DifferenceKind::Size,
            Difference::ChannelsSwapped(_) => DifferenceKind::ChannelsSwapped,
            Difference::BytesSwapped => DifferenceKind::BytesSwapped,
            Difference::Shifted(_) => DifferenceKind::Shifted,
            Difference::LowBits(_) => DifferenceKind::LowBits,
            Difference::Inverted => DifferenceKind::Inverted,
            Difference::PlanesLost => DifferenceKind::PlanesLost,
            Difference::Blank(_) => DifferenceKind::Blank,
            Difference::Alpha => DifferenceKind::Alpha,
            Difference::Depth => DifferenceKind::Depth,
            Difference::Recolored => DifferenceKind::Recolored,
            Difference::Part(_) => DifferenceKind::Part,
            Difference::Garbage => DifferenceKind::Garbage,
        }
    }
}

/// Returns the kind of difference between two pictures that are not equal.
pub fn classify(expected: &Picture, got: &Picture) -> DifferenceKind {
    Difference::between(expected, got).map_or(DifferenceKind::Garbage, Difference::kind)
}

/// Returns true for black, white and transparent pixels.
fn is_empty([r, g, b, a]: Pixel) -> bool {
    a == 0 || [r, g, b] == [0; 3] || [r, g, b] == [u16::MAX; 3]
}

#[cfg(test)]
mod tests;
