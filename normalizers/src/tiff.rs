//! TIFF: the stages from the bytes of a file to the picture in display orientation.

use crate::compiled;
use crate::stage::Stage;

macro_rules! stage {
    ($file:literal, $compiled:ident) => {
        Stage::new(
            $file,
            include_str!(concat!("../specs/tiff/", $file)),
            &compiled::$compiled::COMPILED,
        )
    };
}

/// Segments, directories and values anywhere in a file -> the segments in order.
pub static PLACEMENT: Stage = stage!("placement.rs", placement);

/// Decoded strips or tiles -> the bytes of each sample of the stored picture.
pub static SEGMENTS: Stage = stage!("segments.rs", segments);

/// The bytes of each sample -> its level or index.
pub static SAMPLES: Stage = stage!("samples.rs", samples);

/// Levels -> red, green, blue, alpha.
pub static PHOTOMETRIC: Stage = stage!("photometric.rs", photometric);

/// The stored picture -> the picture in display orientation.
pub static ORIENTATION: Stage = stage!("orientation.rs", orientation);

/// The bytes of each sample -> the same, the most significant byte first.
pub static BYTE_ORDER: Stage = stage!("byte_order.rs", byte_order);

/// Stored pixels of any samples -> the pixels in display orientation.
pub static TURNED: Stage = stage!("turned.rs", turned);
