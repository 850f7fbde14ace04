//! Describes the meaning of tags' values, for messages.

use super::Tag;

/// Returns the meaning of `value` as a value of `tag`: `LZW`.
pub fn meaning(tag: Tag, value: u64) -> Option<&'static str> {
    let list: &[(u64, &str)] = match tag {
        // TIFF 6.0, sections 8 to 11, 13 and 22; Adobe Photoshop TIFF technical notes.
        Tag::COMPRESSION => &[
            (1, "none"),
            (2, "CCITT modified Huffman"),
            (3, "CCITT Group 3 fax"),
            (4, "CCITT Group 4 fax"),
            (5, "LZW"),
            (6, "old-style JPEG"),
            (7, "JPEG"),
            (8, "Deflate"),
            (9, "JBIG, black and white"),
            (10, "JBIG, color"),
            (32766, "NeXT"),
            (32771, "CCITT modified Huffman, word-aligned"),
            (32773, "PackBits"),
            (32809, "ThunderScan"),
            (32908, "Pixar film"),
            (32909, "Pixar log"),
            (32946, "Deflate, old number"),
            (34661, "JBIG"),
            (34676, "SGI LogLuv"),
            (34677, "SGI LogLuv, 24 bits"),
            (34712, "JPEG 2000"),
            (34887, "LERC"),
            (34925, "LZMA"),
            (50000, "Zstandard"),
            (50001, "WebP"),
        ],
        // TIFF 6.0, sections 8, 16, 21 and 23; DNG.
        Tag::PHOTOMETRIC_INTERPRETATION => &[
            (0, "gray, white is 0"),
            (1, "gray, black is 0"),
            (2, "RGB"),
            (3, "palette"),
            (4, "transparency mask"),
            (5, "CMYK"),
            (6, "YCbCr"),
            (8, "CIE L*a*b*"),
            (9, "ICC L*a*b*"),
            (10, "ITU L*a*b*"),
            (32803, "color filter array"),
            (32844, "SGI LogL"),
            (32845, "SGI LogLuv"),
        ],
        // TIFF 6.0, section 8.
        Tag::PLANAR_CONFIGURATION => &[(1, "chunky"), (2, "planar")],
        Tag::EXTRA_SAMPLES => {
            &[(0, "unspecified"), (1, "associated alpha"), (2, "unassociated alpha")]
        }
        Tag::FILL_ORDER => &[(1, "high bit first"), (2, "low bit first")],
        // TIFF 6.0, section 14; Adobe Photoshop TIFF technical note 3.
        Tag::PREDICTOR => {
            &[(1, "none"), (2, "horizontal differencing"), (3, "floating point differencing")]
        }
        // TIFF 6.0, section 19.
        Tag::SAMPLE_FORMAT => &[
            (1, "unsigned"),
            (2, "signed"),
            (3, "floating point"),
            (4, "undefined"),
            (5, "complex integer"),
            (6, "complex floating point"),
        ],
        _ => &[],
    };
    list.iter().find(|row| row.0 == value).map(|row| row.1)
}

/// Describes a tag and its value: `Compression (259) = 5 (LZW)`.
pub fn describe(tag: Tag, value: u64) -> String {
    match meaning(tag, value) {
        Some(meaning) => format!("{tag} = {value} ({meaning})"),
        None => format!("{tag} = {value}"),
    }
}
