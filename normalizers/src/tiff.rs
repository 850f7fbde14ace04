//! TIFF: the stages from the bytes of a file to the picture in display orientation.

use crate::stage::Stage;

macro_rules! stage {
    ($file:literal) => {
        Stage::new($file, include_str!(concat!("../specs/tiff/", $file)))
    };
}

/// Segments, directories and values anywhere in a file -> the segments in order.
pub static PLACEMENT: Stage = stage!("placement.rs");

/// Decoded strips or tiles -> the bytes of each sample of the stored picture.
pub static SEGMENTS: Stage = stage!("segments.rs");

/// The bytes of each sample -> its level or index.
pub static SAMPLES: Stage = stage!("samples.rs");

/// Levels -> red, green, blue, alpha.
pub static PHOTOMETRIC: Stage = stage!("photometric.rs");

/// The stored picture -> the picture in display orientation.
pub static ORIENTATION: Stage = stage!("orientation.rs");

/// The bytes of each sample -> the same, the most significant byte first.
pub static BYTE_ORDER: Stage = stage!("byte_order.rs");

/// Stored pixels of any samples -> the pixels in display orientation.
pub static TURNED: Stage = stage!("turned.rs");
