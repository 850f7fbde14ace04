//! Tags, their names, and the names of their dimensions.

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
    /// The presence of an entry with the default.
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

        /// The names of each tag's dimensions, in the same order; with this table, no strings have to be built.
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
    COLOR_RESPONSE_UNIT 300 "ColorResponseUnit" "TIFF 4.0";
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
    BAD_FAX_LINES 326 "BadFaxLines" "TIFF class F";
    CLEAN_FAX_DATA 327 "CleanFaxData" "TIFF class F";
    CONSECUTIVE_BAD_FAX_LINES 328 "ConsecutiveBadFaxLines" "TIFF class F";
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
    CODING_METHODS 403 "CodingMethods" "RFC 2301, TIFF-FX";
    DECODE 433 "Decode" "RFC 2301, TIFF-FX";
    DEFAULT_IMAGE_COLOR 434 "DefaultImageColor" "RFC 2301, TIFF-FX";
    T82_OPTIONS 435 "T82Options" "RFC 2301, TIFF-FX";
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
    STRIP_ROW_COUNTS 559 "StripRowCounts" "RFC 2301, TIFF-FX";
    XMP 700 "XMP" "Adobe XMP specification, part 3";
    IMAGE_ID 32781 "ImageID" "Adobe PageMaker 6.0 TIFF technical notes";
    WANG_ANNOTATION 32932 "WangAnnotation" "Wang Imaging";
    REFERENCE_POINTS 32953 "ImageReferencePoints" "Island Graphics";
    REGION_TACK_POINT 32954 "RegionXformTackPoint" "Island Graphics";
    REGION_WARP_CORNERS 32955 "WarpQuadrilateral" "Island Graphics";
    REGION_AFFINE 32956 "AffineTransformMat" "Island Graphics";
    MATTEING 32995 "Matteing" "SGI, replaced by ExtraSamples";
    DATA_TYPE 32996 "DataType" "SGI, replaced by SampleFormat";
    IMAGE_DEPTH 32997 "ImageDepth" "SGI";
    TILE_DEPTH 32998 "TileDepth" "SGI";
    IMAGE_FULL_WIDTH 33300 "ImageFullWidth" "Pixar";
    IMAGE_FULL_LENGTH 33301 "ImageFullLength" "Pixar";
    MATRIX_WORLD_TO_SCREEN 33305 "MatrixWorldToScreen" "Pixar";
    MATRIX_WORLD_TO_CAMERA 33306 "MatrixWorldToCamera" "Pixar";
    CFA_REPEAT_PATTERN_DIM 33421 "CFARepeatPatternDim" "TIFF/EP";
    CFA_PATTERN 33422 "CFAPattern" "TIFF/EP";
    KODAK_IFD 33424 "KodakIFD" "Kodak";
    COPYRIGHT 33432 "Copyright" "TIFF 6.0, section 8";
    MD_FILE_TAG 33445 "MDFileTag" "Molecular Dynamics GEL";
    MD_SCALE_PIXEL 33446 "MDScalePixel" "Molecular Dynamics GEL";
    MD_COLOR_TABLE 33447 "MDColorTable" "Molecular Dynamics GEL";
    MD_FILE_UNITS 33452 "MDFileUnits" "Molecular Dynamics GEL";
    NIFF_ROTATION 33465 "NiffRotation" "NIFF";
    NIFF_TILE_INDEX 33467 "NiffTileIndex" "NIFF";
    MODEL_PIXEL_SCALE 33550 "ModelPixelScale" "GeoTIFF";
    OLYMPUS_SIS 33560 "OlympusSIS" "Olympus Soft Imaging Solutions";
    UIC1 33628 "UIC1Tag" "MetaMorph Stack";
    UIC2 33629 "UIC2Tag" "MetaMorph Stack";
    UIC3 33630 "UIC3Tag" "MetaMorph Stack";
    UIC4 33631 "UIC4Tag" "MetaMorph Stack";
    IPTC 33723 "IPTC" "IPTC-NAA";
    EXTENDED_TAGS_OFFSET 33858 "ExtendedTagsOffset" "DEFF";
    INTERGRAPH_PACKET_DATA 33918 "IntergraphPacketData" "Intergraph";
    INTERGRAPH_FLAGS 33919 "IntergraphFlagRegisters" "Intergraph";
    INTERGRAPH_MATRIX 33920 "IntergraphMatrix" "GeoTIFF, by Intergraph";
    MODEL_TIEPOINT 33922 "ModelTiepoint" "GeoTIFF";
    IT8_RASTER_PADDING 34019 "RasterPadding" "TIFF/IT";
    IT8_BITS_PER_RUN_LENGTH 34020 "BitsPerRunLength" "TIFF/IT";
    IT8_BITS_PER_EXTENDED_RUN_LENGTH 34021 "BitsPerExtendedRunLength" "TIFF/IT";
    IT8_COLOR_TABLE 34022 "ColorTable" "TIFF/IT";
    IT8_IMAGE_COLOR_INDICATOR 34023 "ImageColorIndicator" "TIFF/IT";
    IT8_BACKGROUND_COLOR_INDICATOR 34024 "BackgroundColorIndicator" "TIFF/IT";
    IT8_IMAGE_COLOR_VALUE 34025 "ImageColorValue" "TIFF/IT";
    IT8_BACKGROUND_COLOR_VALUE 34026 "BackgroundColorValue" "TIFF/IT";
    IT8_PIXEL_INTENSITY_RANGE 34027 "PixelIntensityRange" "TIFF/IT";
    IT8_TRANSPARENCY_INDICATOR 34028 "TransparencyIndicator" "TIFF/IT";
    CZ_SEM 34118 "CZ_SEM" "Zeiss SEM";
    IPLAB 34122 "IPLAB" "IPLab";
    FRAME_COUNT 34232 "FrameCount" "Texas Instruments";
    JPL_CARTO_IFD 34263 "JPLCartoIFD" "JPL";
    MODEL_TRANSFORMATION 34264 "ModelTransformation" "GeoTIFF";
    MM_HEADER 34361 "MM_Header" "Olympus FluoView";
    PHOTOSHOP 34377 "Photoshop" "Adobe Photoshop TIFF technical notes";
    MM_USER_BLOCK 34386 "MM_UserBlock" "Olympus FluoView";
    CZ_LSMINFO 34412 "CZ_LSMINFO" "Zeiss LSM";
    EXIF_IFD 34665 "ExifIFD" "Exif";
    ICC_PROFILE 34675 "ICCProfile" "ICC.1, embedding in TIFF";
    FEI_SFEG 34680 "FEI_SFEG" "FEI";
    FEI_HELIOS 34682 "FEI_HELIOS" "FEI";
    FEI_TITAN 34683 "FEI_TITAN" "FEI";
    MAR_CCD 34710 "MarCCD" "MarCCD";
    IMAGE_LAYER 34732 "ImageLayer" "RFC 2301, TIFF-FX";
    GPS_IFD 34853 "GPSIFD" "Exif";
    FAX_RECV_PARAMS 34908 "FaxRecvParams" "HylaFAX";
    FAX_DCS 34911 "FaxDCS" "HylaFAX";
    LEAF_SUB_IFD 34954 "LeafSubIFD" "Leaf";
    COMPONENTS_CONFIGURATION 37121 "ComponentsConfiguration" "Exif";
    COMPRESSED_BITS_PER_PIXEL 37122 "CompressedBitsPerPixel" "Exif";
    EP_FOCAL_PLANE_X_RESOLUTION 37390 "FocalPlaneXResolution" "TIFF/EP";
    EP_FOCAL_PLANE_Y_RESOLUTION 37391 "FocalPlaneYResolution" "TIFF/EP";
    EP_SUBJECT_LOCATION 37396 "SubjectLocation" "TIFF/EP; SubjectArea of Exif";
    STO_NITS 37439 "StoNits" "SGI";
    MAKER_NOTE 37500 "MakerNote" "Exif";
    TVIPS 37706 "TVIPS" "TVIPS";
    TVIPS1 37707 "TVIPS1" "TVIPS";
    TVIPS2 37708 "TVIPS2" "TVIPS";
    IMAGE_SOURCE_DATA 37724 "ImageSourceData" "Adobe Photoshop TIFF technical notes";
    PIXEL_X_DIMENSION 40962 "PixelXDimension" "Exif";
    PIXEL_Y_DIMENSION 40963 "PixelYDimension" "Exif";
    INTEROPERABILITY_IFD 40965 "InteroperabilityIFD" "Exif";
    SAMSUNG_RAW_POINTERS_OFFSET 40976 "SamsungRawPointersOffset" "Samsung";
    SAMSUNG_RAW_POINTERS_LENGTH 40977 "SamsungRawPointersLength" "Samsung";
    FOCAL_PLANE_X_RESOLUTION 41486 "FocalPlaneXResolution" "Exif";
    FOCAL_PLANE_Y_RESOLUTION 41487 "FocalPlaneYResolution" "Exif";
    SUBJECT_LOCATION 41492 "SubjectLocation" "Exif";
    EXIF_CFA_PATTERN 41730 "CFAPattern" "Exif";
    GDAL_METADATA 42112 "GDAL_METADATA" "GDAL";
    GDAL_NODATA 42113 "GDAL_NODATA" "GDAL";
    NIH_IMAGE_HEADER 43314 "NIHImageHeader" "NIH Image";
    HD_IMAGE_OFFSET 48320 "ImageOffset" "HD Photo";
    HD_IMAGE_BYTE_COUNT 48321 "ImageByteCount" "HD Photo";
    HD_ALPHA_OFFSET 48322 "AlphaOffset" "HD Photo";
    HD_ALPHA_BYTE_COUNT 48323 "AlphaByteCount" "HD Photo";
    OCE_IMAGE_LOGIC 50218 "OceImageLogicCharacteristics" "Oce";
    USPTO_ROTATION_CODE 50561 "USPTO_RotationCode" "US Patent Office";
    LERC_PARAMETERS 50674 "LercParameters" "Esri LERC";
    CFA_PLANE_COLOR 50710 "CFAPlaneColor" "Adobe DNG";
    CFA_LAYOUT 50711 "CFALayout" "Adobe DNG";
    LINEARIZATION_TABLE 50712 "LinearizationTable" "Adobe DNG";
    BLACK_LEVEL_REPEAT_DIM 50713 "BlackLevelRepeatDim" "Adobe DNG";
    BLACK_LEVEL 50714 "BlackLevel" "Adobe DNG";
    BLACK_LEVEL_DELTA_H 50715 "BlackLevelDeltaH" "Adobe DNG";
    BLACK_LEVEL_DELTA_V 50716 "BlackLevelDeltaV" "Adobe DNG";
    WHITE_LEVEL 50717 "WhiteLevel" "Adobe DNG";
    DEFAULT_SCALE 50718 "DefaultScale" "Adobe DNG";
    DEFAULT_CROP_ORIGIN 50719 "DefaultCropOrigin" "Adobe DNG";
    DEFAULT_CROP_SIZE 50720 "DefaultCropSize" "Adobe DNG";
    DNG_PRIVATE_DATA 50740 "DNGPrivateData" "Adobe DNG";
    RAW_IMAGE_SEGMENTATION 50752 "RawImageSegmentation" "Canon CR2";
    ALIAS_LAYER_METADATA 50784 "AliasLayerMetadata" "Alias Sketchbook";
    ACTIVE_AREA 50829 "ActiveArea" "Adobe DNG";
    MASKED_AREAS 50830 "MaskedAreas" "Adobe DNG";
    IJ_METADATA_BYTE_COUNTS 50838 "IJMetadataByteCounts" "ImageJ";
    IJ_METADATA 50839 "IJMetadata" "ImageJ";
    RPC_COEFFICIENTS 50844 "RPCCoefficients" "GeoTIFF, by Esri and others";
    EXTRA_CAMERA_PROFILES 50933 "ExtraCameraProfiles" "Adobe DNG";
    RAW_IMAGE_DIGEST 50972 "RawImageDigest" "Adobe DNG";
    SUB_TILE_BLOCK_SIZE 50974 "SubTileBlockSize" "Adobe DNG";
    ROW_INTERLEAVE_FACTOR 50975 "RowInterleaveFactor" "Adobe DNG";
    OPCODE_LIST_1 51008 "OpcodeList1" "Adobe DNG";
    OPCODE_LIST_2 51009 "OpcodeList2" "Adobe DNG";
    OPCODE_LIST_3 51022 "OpcodeList3" "Adobe DNG";
    FIBICS_XML 51023 "FibicsXML" "Fibics";
    NOISE_PROFILE 51041 "NoiseProfile" "Adobe DNG";
    NEW_RAW_IMAGE_DIGEST 51111 "NewRawImageDigest" "Adobe DNG";
    MICRO_MANAGER_METADATA 51123 "MicroManagerMetadata" "Micro-Manager";
    DEFAULT_USER_CROP 51125 "DefaultUserCrop" "Adobe DNG";
    PROFILE_GAIN_TABLE_MAP 52525 "ProfileGainTableMap" "Adobe DNG";
    MASK_SUB_AREA 52536 "MaskSubArea" "Adobe DNG";
    OFFSET_SCHEMA 59933 "OffsetSchema" "Microsoft, in Exif";
    KDC_IFD 65024 "KodakKDCPrivateIFD" "Kodak";
}

/// Tags that only messages mention: widely used private ones, TIFF/EP and Adobe DNG.
const OTHERS: &[(u16, &str)] = &[
    (33434, "ExposureTime"),
    (33437, "FNumber"),
    (34735, "GeoKeyDirectory"),
    (34736, "GeoDoubleParams"),
    (34737, "GeoAsciiParams"),
    (36867, "DateTimeOriginal"),
    (40961, "ColorSpace"),
    (50706, "DNGVersion"),
    (50707, "DNGBackwardVersion"),
    (50708, "UniqueCameraModel"),
    (50709, "LocalizedCameraModel"),
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
    (50741, "MakerNoteSafety"),
    (50778, "CalibrationIlluminant1"),
    (50779, "CalibrationIlluminant2"),
    (50780, "BestQualityScale"),
    (50781, "RawDataUniqueID"),
    (50827, "OriginalRawFileName"),
    (50828, "OriginalRawFileData"),
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
