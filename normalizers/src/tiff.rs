//! TIFF: the stages from the bytes of a file to the picture as it is to be seen.

use crate::Stage;

/// Segments, directories and values anywhere in a file -> the segments in order.
pub static PLACEMENT: Stage =
    Stage::new("placement.rs", include_str!("../specs/tiff/placement.rs"));

/// Decoded strips or tiles -> the bytes of each sample of the stored picture.
pub static SEGMENTS: Stage = Stage::new("segments.rs", include_str!("../specs/tiff/segments.rs"));

/// The bytes of each sample -> its level or index.
pub static SAMPLES: Stage = Stage::new("samples.rs", include_str!("../specs/tiff/samples.rs"));

/// Levels -> red, green, blue, alpha.
pub static PHOTOMETRIC: Stage =
    Stage::new("photometric.rs", include_str!("../specs/tiff/photometric.rs"));

/// The stored picture -> the picture as it is to be seen.
pub static ORIENTATION: Stage =
    Stage::new("orientation.rs", include_str!("../specs/tiff/orientation.rs"));
