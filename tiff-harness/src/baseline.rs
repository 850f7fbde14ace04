//! The baseline of a file: its own representation as choices. Variants keep these in the dimensions that do not vary.

use inverter::solve::Choices;

use crate::coding::{self, Coding, SampleContent, SampleLayout};
use crate::container::Tag;
use crate::container::choices;
use crate::dimension;
use crate::image::{Content, ImageFile, Layout};

/// Tags with a default that most writers leave out, because TIFF 6.0 does not list them among the required fields
/// (sections 3, 4 and 6).
const LEFT_OUT: [Tag; 8] = [
    Tag::NEW_SUBFILE_TYPE,
    Tag::SUBFILE_TYPE,
    Tag::THRESHHOLDING,
    Tag::FILL_ORDER,
    Tag::SAMPLE_FORMAT,
    Tag::MIN_SAMPLE_VALUE,
    Tag::MAX_SAMPLE_VALUE,
    Tag::PREDICTOR,
];

/// Returns the choices in which the plainest file of a picture of `height` rows is not the simplest one but follows
/// common writers: black is 0, one strip, offsets and counts of 32 bits, and no optional field. A choice that does not
/// apply to the picture has no effect.
pub fn plainest(height: u32) -> Choices {
    let mut plain = Choices::new();
    for (name, n) in [
        (dimension::PHOTOMETRIC, 1),
        (dimension::ROWS_PER_STRIP, i128::from(height)),
        (dimension::OFFSET_BYTES, 4),
        (dimension::COUNT_BYTES, 4),
    ] {
        plain.set(name, n);
    }
    for tag in LEFT_OUT {
        plain.set(&dimension::default_of(tag), "absent");
    }
    plain
}

/// Returns the choices of `file`, except for the places of its parts.
pub fn baseline(file: &ImageFile) -> Choices {
    let mut own = choices::baseline(file);
    // The seed's other tags are copied, and no tags are added.
    for name in choices::UNTRACED {
        own.set(name, if name == dimension::ENTRY_ORDER { "ascending" } else { "none" });
    }
    let mut number = |name: &str, n: u64| own.set(name, i128::from(n));
    number(dimension::ORIENTATION, file.orientation.into());
    number(dimension::BITS, file.bits.into());
    number(dimension::SAMPLES_PER_PIXEL, file.samples_per_pixel.into());
    number(dimension::PLANAR, file.planar.into());
    match file.layout {
        Layout::Strips { rows_per_strip } => {
            number(dimension::TILED, 0);
            number(dimension::ROWS_PER_STRIP, rows_per_strip.into());
        }
        Layout::Tiles { width, length } => {
            number(dimension::TILED, 1);
            number(dimension::TILE_WIDTH, width.into());
            number(dimension::TILE_LENGTH, length.into());
        }
    }
    if file.is_palette() {
        number(dimension::PALETTE_SIZE, 1 << file.bits);
    } else {
        number(dimension::PHOTOMETRIC, file.photometric.into());
        number(dimension::ALPHA, file.extra_samples.first().copied().unwrap_or(0).into());
    }
    own.set(dimension::PALETTE, if file.is_palette() { "yes" } else { "no" });
    let format = if file.sample_format == 1 { "unsigned" } else { "undefined" };
    own.set(dimension::SAMPLE_FORMAT, format);
    let counts = if file.count_type.is_some() { "told" } else { "left out" };
    own.set(dimension::BYTE_COUNTS, counts);
    if let Some(coding) = Coding::of(file) {
        let samples = SampleLayout {
            bits: file.bits,
            samples_per_pixel: file.samples_per_pixel,
            photometric: file.photometric,
            sample_format: file.sample_format,
            planar: file.planar == 2,
            content: match file.content {
                Content::Colors => SampleContent::Colors,
                _ => SampleContent::Numbers,
            },
        };
        for (name, value) in coding::baseline(&coding, samples).iter() {
            own.set(name, value.clone());
        }
    }
    own
}
