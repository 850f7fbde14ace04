//! TIFF 6.0, in stages: a file's strips, then the orientation.

use crate::Stage;

/// The strips of an uncompressed chunky picture of 8 bits a sample -> the stored picture.
pub static STRIPS: Stage = Stage::new("tiff/strips.rs", include_str!("../specs/tiff/strips.rs"));

/// The stored picture -> the picture as it is to be seen.
pub static ORIENTATION: Stage =
    Stage::new("tiff/orientation.rs", include_str!("../specs/tiff/orientation.rs"));
