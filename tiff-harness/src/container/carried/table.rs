//! The table of tags that may become wrong. `docs/tiff.md` has the same rows, and a test compares them.

use super::facts::Fact::{
    self, Bits, ByteOrder, Compression, Orientation, Pages, Palette, Photometric, Picture, Planar,
    Samples, Size, Tiles,
};
use super::text::{DESCRIPTIONS, Kind, XMP};
use crate::container::Tag;

/// A value that a tag has for a sample that may be any number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extreme {
    /// 0.
    Least,
    /// The greatest number of BitsPerSample bits.
    Most,
}

/// The rule for a tag of the seed in its variants.
#[derive(Debug, Clone, Copy)]
pub enum Rule {
    /// The values are offsets in the seed's file, whatever their type; variants omit the tag.
    Offsets,
    /// The values contain offsets, or refer to parts that variants do not have; variants omit the tag.
    Never,
    /// The tag is part of streams, which keep it. Other variants omit it.
    Streams,
    /// The tag stays as it is while these facts are the seed's.
    While(&'static [Fact]),
    /// Bytes that some writers store with a multi-byte type, so that the file's byte order applies to them.
    Bytes,
    /// For each of these extremes, the tag has one value per sample of a pixel. If a sample may be any number, its
    /// value is the extreme. Values are adjusted with samples and bits.
    PerSample(&'static [Extreme]),
    /// Each value is a level, the same for all samples. Values are adjusted with bits and photometric.
    Levels,
    /// A text that is such a level, and is adjusted in the same way.
    LevelText,
    /// A text, which is kept while the facts that it mentions are the same as in the seed.
    Text(&'static [Kind]),
}

impl Rule {
    /// Returns its words in the documentation.
    pub fn words(&self) -> String {
        match self {
            Rule::Offsets => "never: offsets".to_owned(),
            Rule::Never => "never".to_owned(),
            Rule::Streams => "stays in streams, otherwise never".to_owned(),
            Rule::While(needs) => needs.iter().map(|f| f.words()).collect::<Vec<_>>().join(", "),
            Rule::Bytes => "byte order, unless the type has one byte".to_owned(),
            Rule::PerSample(_) => "changed along with samples and bits, or photometric".to_owned(),
            Rule::Levels | Rule::LevelText => {
                "changed along with bits and photometric, or palette".to_owned()
            }
            Rule::Text(_) => "by its text".to_owned(),
        }
    }
}

/// Tags that have the same rule for the same reason.
#[derive(Debug)]
pub struct Row {
    /// The tags, by number.
    pub tags: &'static [Tag],
    /// The rule for these tags.
    pub rule: Rule,
    /// The reason.
    pub reason: &'static str,
}

const fn row(tags: &'static [Tag], rule: Rule, reason: &'static str) -> Row {
    Row { tags, rule, reason }
}

/// The rows, by their first tags.
pub const ROWS: &[Row] = &[
    row(
        &[Tag::CELL_WIDTH, Tag::CELL_LENGTH],
        Rule::While(&[Orientation]),
        "the sides of the dithering matrix",
    ),
    row(
        &[Tag::IMAGE_DESCRIPTION],
        Rule::Text(DESCRIPTIONS),
        "some programs describe the file in it",
    ),
    row(
        &[Tag::X_POSITION, Tag::Y_POSITION],
        Rule::While(&[Orientation]),
        "the place of the stored first column and row on the page",
    ),
    row(
        &[
            Tag::GRAY_RESPONSE_CURVE,
            Tag::COLOR_RESPONSE_UNIT,
            Tag::TRANSFER_FUNCTION,
            Tag::TRANSFER_RANGE,
            Tag::REFERENCE_BLACK_WHITE,
            Tag::MD_FILE_TAG,
            Tag::MD_SCALE_PIXEL,
            Tag::MD_COLOR_TABLE,
            Tag::MD_FILE_UNITS,
            Tag::ICC_PROFILE,
            Tag::STO_NITS,
        ],
        Rule::While(&[Bits, Photometric]),
        "functions of the samples' levels, some with a value for each of 2^bits levels",
    ),
    row(
        &[Tag::PAGE_NUMBER, Tag::IPLAB, Tag::FRAME_COUNT, Tag::IMAGE_LAYER],
        Rule::While(&[Pages]),
        "the number of pictures, or the place among them",
    ),
    row(&[Tag::HALFTONE_HINTS], Rule::Levels, "two levels"),
    row(
        &[
            Tag::BAD_FAX_LINES,
            Tag::CLEAN_FAX_DATA,
            Tag::CONSECUTIVE_BAD_FAX_LINES,
            Tag::FAX_RECV_PARAMS,
            Tag::FAX_DCS,
        ],
        Rule::While(&[Compression, Orientation, Size]),
        "rows and coding of a fax as it was received",
    ),
    row(
        &[
            Tag::SUB_IFDS,
            Tag::GLOBAL_PARAMETERS_IFD,
            Tag::JPEG_INTERCHANGE_FORMAT,
            Tag::JPEG_Q_TABLES,
            Tag::JPEG_DC_TABLES,
            Tag::JPEG_AC_TABLES,
            Tag::KODAK_IFD,
            Tag::EXTENDED_TAGS_OFFSET,
            Tag::JPL_CARTO_IFD,
            Tag::EXIF_IFD,
            Tag::MAR_CCD,
            Tag::GPS_IFD,
            Tag::LEAF_SUB_IFD,
            Tag::TVIPS,
            Tag::INTEROPERABILITY_IFD,
            Tag::SAMSUNG_RAW_POINTERS_OFFSET,
            Tag::HD_IMAGE_OFFSET,
            Tag::HD_ALPHA_OFFSET,
            Tag::EXTRA_CAMERA_PROFILES,
            Tag::KDC_IFD,
        ],
        Rule::Offsets,
        "what they point to is not there",
    ),
    row(
        &[Tag::INK_NAMES, Tag::COMPONENTS_CONFIGURATION],
        Rule::While(&[Photometric, Samples]),
        "the samples by name",
    ),
    row(
        &[Tag::DOT_RANGE],
        Rule::PerSample(&[Extreme::Least, Extreme::Most]),
        "the levels of no ink and of all ink, of every sample",
    ),
    row(
        &[Tag::S_MIN_SAMPLE_VALUE],
        Rule::PerSample(&[Extreme::Least]),
        "the least level of every sample",
    ),
    row(
        &[Tag::S_MAX_SAMPLE_VALUE],
        Rule::PerSample(&[Extreme::Most]),
        "the greatest level of every sample",
    ),
    row(
        &[
            Tag::CLIP_PATH,
            Tag::X_CLIP_PATH_UNITS,
            Tag::Y_CLIP_PATH_UNITS,
            Tag::REFERENCE_POINTS,
            Tag::REGION_TACK_POINT,
            Tag::REGION_WARP_CORNERS,
            Tag::REGION_AFFINE,
            Tag::IMAGE_FULL_WIDTH,
            Tag::IMAGE_FULL_LENGTH,
            Tag::MATRIX_WORLD_TO_SCREEN,
            Tag::MATRIX_WORLD_TO_CAMERA,
            Tag::NIFF_ROTATION,
            Tag::EP_FOCAL_PLANE_X_RESOLUTION,
            Tag::EP_FOCAL_PLANE_Y_RESOLUTION,
            Tag::FOCAL_PLANE_X_RESOLUTION,
            Tag::FOCAL_PLANE_Y_RESOLUTION,
            Tag::OCE_IMAGE_LOGIC,
            Tag::USPTO_ROTATION_CODE,
        ],
        Rule::While(&[Orientation]),
        "coordinates or directions of the stored rows and columns",
    ),
    row(&[Tag::JPEG_TABLES, Tag::LERC_PARAMETERS], Rule::Streams, "the coding of the segments"),
    row(
        &[
            Tag::CODING_METHODS,
            Tag::T82_OPTIONS,
            Tag::IT8_RASTER_PADDING,
            Tag::IT8_BITS_PER_RUN_LENGTH,
            Tag::IT8_BITS_PER_EXTENDED_RUN_LENGTH,
            Tag::COMPRESSED_BITS_PER_PIXEL,
        ],
        Rule::While(&[Bits, Samples, Compression]),
        "the coding of the segments",
    ),
    row(
        &[
            Tag::DECODE,
            Tag::DEFAULT_IMAGE_COLOR,
            Tag::IT8_COLOR_TABLE,
            Tag::IT8_IMAGE_COLOR_INDICATOR,
            Tag::IT8_BACKGROUND_COLOR_INDICATOR,
            Tag::IT8_IMAGE_COLOR_VALUE,
            Tag::IT8_BACKGROUND_COLOR_VALUE,
            Tag::IT8_PIXEL_INTENSITY_RANGE,
            Tag::IT8_TRANSPARENCY_INDICATOR,
        ],
        Rule::While(&[Bits, Photometric, Palette, Samples]),
        "levels of each sample",
    ),
    row(
        &[
            Tag::JPEG_PROC,
            Tag::JPEG_INTERCHANGE_FORMAT_LENGTH,
            Tag::JPEG_RESTART_INTERVAL,
            Tag::JPEG_LOSSLESS_PREDICTORS,
            Tag::JPEG_POINT_TRANSFORMS,
        ],
        Rule::Never,
        "the coding of segments that no variant has: old-style JPEG",
    ),
    row(
        &[Tag::STRIP_ROW_COUNTS, Tag::NIFF_TILE_INDEX],
        Rule::Never,
        "a value for each strip or tile",
    ),
    row(&[Tag::XMP], Rule::Text(XMP), "its properties may repeat tags"),
    row(
        &[
            Tag::WANG_ANNOTATION,
            Tag::EP_SUBJECT_LOCATION,
            Tag::PIXEL_X_DIMENSION,
            Tag::PIXEL_Y_DIMENSION,
            Tag::SUBJECT_LOCATION,
            Tag::DEFAULT_SCALE,
            Tag::DEFAULT_CROP_ORIGIN,
            Tag::DEFAULT_CROP_SIZE,
            Tag::ACTIVE_AREA,
            Tag::MASKED_AREAS,
            Tag::DEFAULT_USER_CROP,
            Tag::PROFILE_GAIN_TABLE_MAP,
            Tag::MASK_SUB_AREA,
        ],
        Rule::While(&[Orientation, Size]),
        "parts of the stored picture",
    ),
    row(
        &[
            Tag::CFA_REPEAT_PATTERN_DIM,
            Tag::CFA_PATTERN,
            Tag::EXIF_CFA_PATTERN,
            Tag::CFA_PLANE_COLOR,
            Tag::CFA_LAYOUT,
            Tag::LINEARIZATION_TABLE,
            Tag::BLACK_LEVEL_REPEAT_DIM,
            Tag::BLACK_LEVEL,
            Tag::BLACK_LEVEL_DELTA_H,
            Tag::BLACK_LEVEL_DELTA_V,
            Tag::WHITE_LEVEL,
            Tag::OPCODE_LIST_1,
            Tag::OPCODE_LIST_2,
            Tag::OPCODE_LIST_3,
            Tag::NOISE_PROFILE,
        ],
        Rule::While(&[Bits, Photometric, Samples, Orientation, Size]),
        "levels of each sample, column or row of a sensor",
    ),
    row(
        &[
            Tag::MODEL_PIXEL_SCALE,
            Tag::INTERGRAPH_PACKET_DATA,
            Tag::INTERGRAPH_FLAGS,
            Tag::INTERGRAPH_MATRIX,
            Tag::MODEL_TIEPOINT,
            Tag::MODEL_TRANSFORMATION,
            Tag::RPC_COEFFICIENTS,
        ],
        Rule::While(&[Orientation]),
        "coordinates of the stored raster on a map",
    ),
    row(
        &[
            Tag::OLYMPUS_SIS,
            Tag::UIC1,
            Tag::UIC2,
            Tag::UIC3,
            Tag::UIC4,
            Tag::MM_USER_BLOCK,
            Tag::CZ_LSMINFO,
            Tag::MAKER_NOTE,
            Tag::SAMSUNG_RAW_POINTERS_LENGTH,
            Tag::HD_IMAGE_BYTE_COUNT,
            Tag::HD_ALPHA_BYTE_COUNT,
            Tag::DNG_PRIVATE_DATA,
            Tag::RAW_IMAGE_SEGMENTATION,
            Tag::ALIAS_LAYER_METADATA,
            Tag::OFFSET_SCHEMA,
        ],
        Rule::Never,
        "offsets inside of their values, or the parts that offsets lead to",
    ),
    row(&[Tag::IPTC], Rule::Bytes, "bytes, of type LONG in many files"),
    row(
        &[
            Tag::CZ_SEM,
            Tag::MM_HEADER,
            Tag::FEI_SFEG,
            Tag::FEI_HELIOS,
            Tag::FEI_TITAN,
            Tag::TVIPS1,
            Tag::TVIPS2,
            Tag::NIH_IMAGE_HEADER,
            Tag::IJ_METADATA_BYTE_COUNTS,
            Tag::IJ_METADATA,
            Tag::FIBICS_XML,
            Tag::MICRO_MANAGER_METADATA,
        ],
        Rule::While(&[ByteOrder, Bits, Photometric, Samples, Orientation, Size, Pages]),
        "records of a microscope or its program, which repeat sizes and counts in the file's byte order",
    ),
    row(
        &[Tag::PHOTOSHOP],
        Rule::While(&[Bits, Photometric, Palette, Samples, Orientation, Size]),
        "guides, slices, thumbnail, indices and the names of extra samples",
    ),
    row(
        &[Tag::IMAGE_SOURCE_DATA],
        Rule::While(&[ByteOrder, Bits, Photometric, Palette, Samples, Orientation, Size]),
        "layers of the same samples, in the file's byte order",
    ),
    row(
        &[Tag::GDAL_METADATA],
        Rule::While(&[Bits, Photometric, Palette, Samples, Picture]),
        "statistics, scales and names of each sample",
    ),
    row(&[Tag::GDAL_NODATA], Rule::LevelText, "the text of a level that means nothing"),
    row(
        &[Tag::RAW_IMAGE_DIGEST, Tag::NEW_RAW_IMAGE_DIGEST],
        Rule::While(&[Bits, Photometric, Palette, Samples, Orientation, Size, Picture]),
        "a digest of all samples",
    ),
    row(
        &[Tag::SUB_TILE_BLOCK_SIZE, Tag::ROW_INTERLEAVE_FACTOR],
        Rule::While(&[Orientation, Size, Tiles, Planar]),
        "the order of the stored rows and blocks",
    ),
];
