//! Facts of a file, and libtiff's answers about it.

use super::value::{Mark, Value};

/// A file as described by its tags: one page of one size without compression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// BitsPerSample.
    pub bits: i128,
    /// PhotometricInterpretation.
    pub photometric: i128,
    /// SamplesPerPixel.
    pub samples: i128,
    /// ExtraSamples; empty if absent.
    pub extra: Vec<i128>,
    /// PlanarConfiguration.
    pub planar: i128,
    /// Orientation.
    pub orientation: i128,
    /// True if pixels are in tiles, otherwise in strips.
    pub tiled: bool,
}

impl Facts {
    /// Gray of 8 bits.
    pub const GRAY: Self = Self {
        bits: 8,
        photometric: 1,
        samples: 1,
        extra: Vec::new(),
        planar: 1,
        orientation: 1,
        tiled: false,
    };

    /// Red, green and blue of 8 bits.
    pub const RGB: Self = Self {
        bits: 8,
        photometric: 2,
        samples: 3,
        extra: Vec::new(),
        planar: 1,
        orientation: 1,
        tiled: false,
    };

    /// Gray with extra samples of these kinds.
    pub fn gray_with(extra: &[i128]) -> Self {
        let samples = 1 + i128::try_from(extra.len()).unwrap_or(0);
        Self { samples, extra: extra.to_vec(), ..Self::GRAY }
    }

    /// Returns the values that libtiff returns for a tag, in the order of its arguments.
    pub fn tag(&self, tag: i128) -> Answer {
        let one = |value, mark| Answer::Present(vec![Value::of(value, mark)]);
        match tag {
            // A full-resolution image.
            254 => one(0, Mark::NONE),
            // Sizes and offsets may have any value.
            256 | 257 | 273 | 278 | 279 => Answer::Present(vec![Value::ANY]),
            258 => one(self.bits, Mark::BITS),
            259 | 266 | 317 | 339 => one(1, Mark::NONE),
            262 => one(self.photometric, Mark::PHOTOMETRIC),
            274 => one(self.orientation, Mark::ORIENTATION),
            277 => one(self.samples, Mark::SAMPLES),
            284 => one(self.planar, Mark::PLANAR),
            320 | 330 | 332 | 347 | 529 | 530 | 32995 => Answer::Absent,
            322 | 323 if self.tiled => Answer::Present(vec![Value::ANY]),
            322 | 323 => Answer::Absent,
            338 if self.extra.is_empty() => Answer::Absent,
            338 => Answer::Extra,
            _ => Answer::Unknown,
        }
    }
}

/// An answer of libtiff about a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The tag is there, with these values.
    Present(Vec<Value>),
    /// There are extra samples: their number, and a pointer to their kinds.
    Extra,
    /// The tag is absent.
    Absent,
    /// The tag may be present, with any value.
    Unknown,
}
