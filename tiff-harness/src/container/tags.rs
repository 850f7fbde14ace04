//! Tags, their names, and the names of the dimensions that they have.

use std::borrow::Cow;
use std::fmt;

/// The tag of an entry (TIFF 6.0, section 2). It is displayed as `StripOffsets (273)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub u16);

impl Tag {
    /// Returns the name in the standard, if it has one.
    pub fn name(self) -> Option<&'static str> {
        let named = |list: &[(u16, &'static str)]| {
            list.binary_search_by_key(&self.0, |row| row.0).ok().map(|at| list[at].1)
        };
        named(NAMES).or_else(|| named(OTHERS))
    }

    /// Returns true if its values are offsets, whatever their type: they would point elsewhere in
    /// another layout. Returns false for the offsets of strips and tiles.
    pub fn is_pointer(self) -> bool {
        [
            Tag::SUB_IFDS,
            Tag::EXIF_IFD,
            Tag::GPS_IFD,
            Tag::INTEROPERABILITY_IFD,
            Tag::GLOBAL_PARAMETERS_IFD,
            Tag::JPEG_INTERCHANGE_FORMAT,
            Tag::JPEG_Q_TABLES,
            Tag::JPEG_DC_TABLES,
            Tag::JPEG_AC_TABLES,
        ]
        .contains(&self)
    }

    /// Returns the name of the dimension of a property: `type of ImageWidth`.
    pub(crate) fn dimension(self, property: TagProperty) -> Cow<'static, str> {
        match NAMES.binary_search_by_key(&self.0, |row| row.0) {
            Ok(at) => Cow::Borrowed(DIMENSIONS[at][property as usize]),
            Err(_) => Cow::Owned(format!("{} of {}", property.word(), self.label())),
        }
    }

    /// Returns the name, or `tag 40000` if there is none.
    pub fn label(self) -> String {
        self.name().map_or_else(|| format!("tag {}", self.0), str::to_owned)
    }
}

/// A property of a tag that a writer chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagProperty {
    /// The type of its values.
    Type,
    /// The presence of a default.
    Default,
    /// The number of its values.
    Count,
}

impl TagProperty {
    /// Returns the property with this word.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        let all = [TagProperty::Type, TagProperty::Default, TagProperty::Count];
        all.into_iter().find(|property| property.word() == word)
    }

    fn word(self) -> &'static str {
        match self {
            TagProperty::Type => "type",
            TagProperty::Default => "default",
            TagProperty::Count => "count",
        }
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({})", self.0),
            None => write!(f, "tag {}", self.0),
        }
    }
}

macro_rules! tags {
    ($($constant:ident $number:literal $name:literal $section:literal;)*) => {
        impl Tag {
            $(
                #[doc = concat!($name, " (", $number, "): ", $section, ".")]
                pub const $constant: Tag = Tag($number);
            )*
        }

        /// The names by number, for a binary search.
        const NAMES: &[(u16, &str)] = &[$(($number, $name)),*];

        /// The names of each tag's dimensions, in the same order: no string is built for them.
        const DIMENSIONS: &[[&str; 3]] = &[$([
            concat!("type of ", $name),
            concat!("default of ", $name),
            concat!("count of ", $name),
        ]),*];
    };
}

tags! {
    NEW_SUBFILE_TYPE 254 "NewSubfileType" "TIFF 6.0, section 8";
    SUBFILE_TYPE 255 "SubfileType" "TIFF 6.0, section 8";
    IMAGE_WIDTH 256 "ImageWidth" "TIFF 6.0, section 8";
    IMAGE_LENGTH 257 "ImageLength" "TIFF 6.0, section 8";
    BITS_PER_SAMPLE 258 "BitsPerSample" "TIFF 6.0, section 8";
    COMPRESSION 259 "Compression" "TIFF 6.0, section 8";
    PHOTOMETRIC_INTERPRETATION 262 "PhotometricInterpretation" "TIFF 6.0, section 8";
    THRESHHOLDING 263 "Threshholding" "TIFF 6.0, section 8";
    CELL_WIDTH 264 "CellWidth" "TIFF 6.0, section 8";
    CELL_LENGTH 265 "CellLength" "TIFF 6.0, section 8";
    FILL_ORDER 266 "FillOrder" "TIFF 6.0, section 8";
    DOCUMENT_NAME 269 "DocumentName" "TIFF 6.0, section 12";
    IMAGE_DESCRIPTION 270 "ImageDescription" "TIFF 6.0, section 8";
    MAKE 271 "Make" "TIFF 6.0, section 8";
    MODEL 272 "Model" "TIFF 6.0, section 8";
    STRIP_OFFSETS 273 "StripOffsets" "TIFF 6.0, section 8";
    ORIENTATION 274 "Orientation" "TIFF 6.0, section 8";
    SAMPLES_PER_PIXEL 277 "SamplesPerPixel" "TIFF 6.0, section 8";
    ROWS_PER_STRIP 278 "RowsPerStrip" "TIFF 6.0, section 8";
    STRIP_BYTE_COUNTS 279 "StripByteCounts" "TIFF 6.0, section 8";
    MIN_SAMPLE_VALUE 280 "MinSampleValue" "TIFF 6.0, section 8";
    MAX_SAMPLE_VALUE 281 "MaxSampleValue" "TIFF 6.0, section 8";
    X_RESOLUTION 282 "XResolution" "TIFF 6.0, section 8";
    Y_RESOLUTION 283 "YResolution" "TIFF 6.0, section 8";
    PLANAR_CONFIGURATION 284 "PlanarConfiguration" "TIFF 6.0, section 8";
    PAGE_NAME 285 "PageName" "TIFF 6.0, section 12";
    X_POSITION 286 "XPosition" "TIFF 6.0, section 12";
    Y_POSITION 287 "YPosition" "TIFF 6.0, section 12";
    FREE_OFFSETS 288 "FreeOffsets" "TIFF 6.0, section 8";
    FREE_BYTE_COUNTS 289 "FreeByteCounts" "TIFF 6.0, section 8";
    GRAY_RESPONSE_UNIT 290 "GrayResponseUnit" "TIFF 6.0, section 8";
    GRAY_RESPONSE_CURVE 291 "GrayResponseCurve" "TIFF 6.0, section 8";
    T4_OPTIONS 292 "T4Options" "TIFF 6.0, section 11";
    T6_OPTIONS 293 "T6Options" "TIFF 6.0, section 11";
    RESOLUTION_UNIT 296 "ResolutionUnit" "TIFF 6.0, section 8";
    PAGE_NUMBER 297 "PageNumber" "TIFF 6.0, section 12";
    TRANSFER_FUNCTION 301 "TransferFunction" "TIFF 6.0, section 20";
    SOFTWARE 305 "Software" "TIFF 6.0, section 8";
    DATE_TIME 306 "DateTime" "TIFF 6.0, section 8";
    ARTIST 315 "Artist" "TIFF 6.0, section 8";
    HOST_COMPUTER 316 "HostComputer" "TIFF 6.0, section 8";
    PREDICTOR 317 "Predictor" "TIFF 6.0, section 14";
    WHITE_POINT 318 "WhitePoint" "TIFF 6.0, section 20";
    PRIMARY_CHROMATICITIES 319 "PrimaryChromaticities" "TIFF 6.0, section 20";
    COLOR_MAP 320 "ColorMap" "TIFF 6.0, section 8";
    HALFTONE_HINTS 321 "HalftoneHints" "TIFF 6.0, section 17";
    TILE_WIDTH 322 "TileWidth" "TIFF 6.0, section 15";
    TILE_LENGTH 323 "TileLength" "TIFF 6.0, section 15";
    TILE_OFFSETS 324 "TileOffsets" "TIFF 6.0, section 15";
    TILE_BYTE_COUNTS 325 "TileByteCounts" "TIFF 6.0, section 15";
    SUB_IFDS 330 "SubIFDs" "Adobe PageMaker 6.0 TIFF technical notes, note 1";
    INK_SET 332 "InkSet" "TIFF 6.0, section 16";
    INK_NAMES 333 "InkNames" "TIFF 6.0, section 16";
    NUMBER_OF_INKS 334 "NumberOfInks" "TIFF 6.0, section 16";
    DOT_RANGE 336 "DotRange" "TIFF 6.0, section 16";
    TARGET_PRINTER 337 "TargetPrinter" "TIFF 6.0, section 16";
    EXTRA_SAMPLES 338 "ExtraSamples" "TIFF 6.0, section 8";
    SAMPLE_FORMAT 339 "SampleFormat" "TIFF 6.0, section 19";
    S_MIN_SAMPLE_VALUE 340 "SMinSampleValue" "TIFF 6.0, section 19";
    S_MAX_SAMPLE_VALUE 341 "SMaxSampleValue" "TIFF 6.0, section 19";
    TRANSFER_RANGE 342 "TransferRange" "TIFF 6.0, section 20";
    CLIP_PATH 343 "ClipPath" "Adobe PageMaker 6.0 TIFF technical notes, note 2";
    X_CLIP_PATH_UNITS 344 "XClipPathUnits" "Adobe PageMaker 6.0 TIFF technical notes, note 2";
    Y_CLIP_PATH_UNITS 345 "YClipPathUnits" "Adobe PageMaker 6.0 TIFF technical notes, note 2";
    INDEXED 346 "Indexed" "Adobe PageMaker 6.0 TIFF technical notes, note 3";
    JPEG_TABLES 347 "JPEGTables" "Adobe Photoshop TIFF technical notes; TIFF technical note 2";
    OPI_PROXY 351 "OPIProxy" "Adobe PageMaker 6.0 TIFF technical notes";
    GLOBAL_PARAMETERS_IFD 400 "GlobalParametersIFD" "RFC 2301, TIFF-FX";
    JPEG_PROC 512 "JPEGProc" "TIFF 6.0, section 22";
    JPEG_INTERCHANGE_FORMAT 513 "JPEGInterchangeFormat" "TIFF 6.0, section 22";
    JPEG_INTERCHANGE_FORMAT_LENGTH 514 "JPEGInterchangeFormatLength" "TIFF 6.0, section 22";
    JPEG_RESTART_INTERVAL 515 "JPEGRestartInterval" "TIFF 6.0, section 22";
    JPEG_LOSSLESS_PREDICTORS 517 "JPEGLosslessPredictors" "TIFF 6.0, section 22";
    JPEG_POINT_TRANSFORMS 518 "JPEGPointTransforms" "TIFF 6.0, section 22";
    JPEG_Q_TABLES 519 "JPEGQTables" "TIFF 6.0, section 22";
    JPEG_DC_TABLES 520 "JPEGDCTables" "TIFF 6.0, section 22";
    JPEG_AC_TABLES 521 "JPEGACTables" "TIFF 6.0, section 22";
    YCBCR_COEFFICIENTS 529 "YCbCrCoefficients" "TIFF 6.0, section 21";
    YCBCR_SUB_SAMPLING 530 "YCbCrSubSampling" "TIFF 6.0, section 21";
    YCBCR_POSITIONING 531 "YCbCrPositioning" "TIFF 6.0, section 21";
    REFERENCE_BLACK_WHITE 532 "ReferenceBlackWhite" "TIFF 6.0, section 21";
    XMP 700 "XMP" "Adobe XMP specification, part 3";
    IMAGE_ID 32781 "ImageID" "Adobe PageMaker 6.0 TIFF technical notes";
    MATTEING 32995 "Matteing" "SGI, replaced by ExtraSamples";
    DATA_TYPE 32996 "DataType" "SGI, replaced by SampleFormat";
    IMAGE_DEPTH 32997 "ImageDepth" "SGI";
    TILE_DEPTH 32998 "TileDepth" "SGI";
    COPYRIGHT 33432 "Copyright" "TIFF 6.0, section 8";
    PHOTOSHOP 34377 "Photoshop" "Adobe Photoshop TIFF technical notes";
    EXIF_IFD 34665 "ExifIFD" "Exif";
    ICC_PROFILE 34675 "ICCProfile" "ICC.1, embedding in TIFF";
    GPS_IFD 34853 "GPSIFD" "Exif";
    STO_NITS 37439 "StoNits" "SGI LogLuv";
    IMAGE_SOURCE_DATA 37724 "ImageSourceData" "Adobe Photoshop TIFF technical notes";
    INTEROPERABILITY_IFD 40965 "InteroperabilityIFD" "Exif";
    LERC_PARAMETERS 50674 "LercParameters" "LERC, by libtiff";
}

/// Tags that only messages name: widely used private ones, TIFF/EP and Adobe DNG.
const OTHERS: &[(u16, &str)] = &[
    (33421, "CFARepeatPatternDim"),
    (33422, "CFAPattern"),
    (33434, "ExposureTime"),
    (33437, "FNumber"),
    (33550, "ModelPixelScale"),
    (33723, "IPTC"),
    (33922, "ModelTiepoint"),
    (34264, "ModelTransformation"),
    (34735, "GeoKeyDirectory"),
    (34736, "GeoDoubleParams"),
    (34737, "GeoAsciiParams"),
    (36867, "DateTimeOriginal"),
    (37500, "MakerNote"),
    (40961, "ColorSpace"),
    (42112, "GDAL_METADATA"),
    (42113, "GDAL_NODATA"),
    (50706, "DNGVersion"),
    (50707, "DNGBackwardVersion"),
    (50708, "UniqueCameraModel"),
    (50709, "LocalizedCameraModel"),
    (50710, "CFAPlaneColor"),
    (50711, "CFALayout"),
    (50712, "LinearizationTable"),
    (50713, "BlackLevelRepeatDim"),
    (50714, "BlackLevel"),
    (50715, "BlackLevelDeltaH"),
    (50716, "BlackLevelDeltaV"),
    (50717, "WhiteLevel"),
    (50718, "DefaultScale"),
    (50719, "DefaultCropOrigin"),
    (50720, "DefaultCropSize"),
    (50721, "ColorMatrix1"),
    (50722, "ColorMatrix2"),
    (50723, "CameraCalibration1"),
    (50724, "CameraCalibration2"),
    (50725, "ReductionMatrix1"),
    (50726, "ReductionMatrix2"),
    (50727, "AnalogBalance"),
    (50728, "AsShotNeutral"),
    (50729, "AsShotWhiteXY"),
    (50730, "BaselineExposure"),
    (50731, "BaselineNoise"),
    (50732, "BaselineSharpness"),
    (50733, "BayerGreenSplit"),
    (50734, "LinearResponseLimit"),
    (50735, "CameraSerialNumber"),
    (50736, "LensInfo"),
    (50737, "ChromaBlurRadius"),
    (50738, "AntiAliasStrength"),
    (50739, "ShadowScale"),
    (50740, "DNGPrivateData"),
    (50741, "MakerNoteSafety"),
    (50778, "CalibrationIlluminant1"),
    (50779, "CalibrationIlluminant2"),
    (50780, "BestQualityScale"),
    (50781, "RawDataUniqueID"),
    (50827, "OriginalRawFileName"),
    (50828, "OriginalRawFileData"),
    (50829, "ActiveArea"),
    (50830, "MaskedAreas"),
    (50831, "AsShotICCProfile"),
    (50832, "AsShotPreProfileMatrix"),
    (50833, "CurrentICCProfile"),
    (50834, "CurrentPreProfileMatrix"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_for_the_search() {
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(OTHERS.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn dimensions_have_the_names_of_tags() {
        for property in [TagProperty::Type, TagProperty::Default, TagProperty::Count] {
            for tag in NAMES.iter().map(|row| Tag(row.0)).chain([Tag(50706), Tag(65000)]) {
                let name = format!("{} of {}", property.word(), tag.label());
                assert_eq!(tag.dimension(property), name);
            }
        }
    }

    #[test]
    fn tags_are_shown_by_name_and_number() {
        assert_eq!(Tag::STRIP_OFFSETS.to_string(), "StripOffsets (273)");
        assert_eq!(Tag(50706).to_string(), "DNGVersion (50706)");
        assert_eq!(Tag(65000).to_string(), "tag 65000");
    }
}
