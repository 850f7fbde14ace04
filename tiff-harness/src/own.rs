//! How a file is stored, as choices: what variants keep where they do not vary.

use inverter::solve::Choices;

use crate::coding::{self, Coding};
use crate::container::choices;
use crate::image::{ImageFile, Layout};
use crate::palette::PALETTE;

/// The dimension of directories and values at odd offsets: `yes`, or `no`, which is
/// questionable (TIFF 6.0, section 2: "must begin on a word boundary").
pub const WORD_ALIGNMENT: &str = "word alignment";
/// The dimension of StripByteCounts or TileByteCounts: `told`, or `left out`, which is
/// questionable (section 8: required).
pub const BYTE_COUNTS: &str = "byte counts";
/// The dimension of SampleFormat: `unsigned` (1), or `undefined` (4), which is questionable
/// (section 19).
pub const SAMPLE_FORMAT: &str = "sample format";
/// The dimensions of equal segments and blocks in one place, which is questionable (section 7,
/// "No Duplicate Pointers").
pub const SHARING: [&str; 2] = ["segment sharing", "block sharing"];

/// How `file` is stored, but for the places of everything.
pub fn own_choices(file: &ImageFile) -> Choices {
    let mut own = choices::own_choices(file);
    // What else is in the file is carried along: nothing is drawn on top.
    for name in choices::UNTOLD {
        own.set(name, if name == choices::ENTRY_ORDER { "ascending" } else { "none" });
    }
    let mut number = |name: &str, n: u64| own.set(name, i128::from(n));
    number("orientation", file.orientation.into());
    number("bits", file.bits.into());
    number("samples_per_pixel", file.samples_per_pixel.into());
    number("planar", file.planar.into());
    match file.layout {
        Layout::Strips { rows_per_strip } => {
            number("tiled", 0);
            number("rows_per_strip", rows_per_strip.into());
        }
        Layout::Tiles { width, length } => {
            number("tiled", 1);
            number("tile_width", width.into());
            number("tile_length", length.into());
        }
    }
    if file.is_palette() {
        number("palette size", 1 << file.bits);
    } else {
        number("photometric", file.photometric.into());
        number("alpha", file.extra_samples.first().copied().unwrap_or(0).into());
    }
    own.set(PALETTE, if file.is_palette() { "yes" } else { "no" });
    own.set(SAMPLE_FORMAT, if file.sample_format == 1 { "unsigned" } else { "undefined" });
    own.set(BYTE_COUNTS, if file.count_type.is_some() { "told" } else { "left out" });
    if let Some(coding) = Coding::of(file) {
        let picture = coding::Picture {
            bits: file.bits,
            samples_per_pixel: file.samples_per_pixel,
            photometric: file.photometric,
            planar: file.planar == 2,
        };
        for (name, value) in coding::own_choices(&coding, picture).iter() {
            own.set(name, value.clone());
        }
    }
    own
}
