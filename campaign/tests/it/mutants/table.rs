//! The table of faults: the dimensions that reveal each, and how it occurs in practice.

use std::collections::BTreeSet;

use campaign::oracle::Outcome;

use super::{Fault, Source};

/// Alternative sets of dimensions.
pub type Sets = &'static [&'static [&'static str]];

/// A planted fault.
#[derive(Debug, Clone, Copy)]
pub struct Planted {
    /// The fault.
    pub fault: Fault,
    /// A seed that has these dimensions.
    pub source: Source,
    /// The sets of dimensions that reveal it on the seed; any one of the sets suffices.
    pub dimensions: Sets,
    /// The sets that reveal it on the plainest file of the picture, which causes are reduced from,
    /// if these are others: the seed has strips of eight rows, and the plainest file has one strip.
    on_plainest: Option<Sets>,
    /// The sets of which one is needed in addition on the plainest file; none if there are no sets.
    needs: Sets,
    /// The outcome.
    pub outcome: Outcome,
    /// An origin of the fault in practice.
    pub why: &'static str,
}

impl Planted {
    /// Returns the number of dimensions that are needed.
    pub fn order(&self) -> usize {
        self.dimensions[0].len()
    }
    /// Returns true if `found` are exactly the dimensions that reveal it on the plainest file.
    pub fn is_revealed_by(&self, found: &[&str]) -> bool {
        let found: BTreeSet<&str> = found.iter().copied().collect();
        let sets = self.on_plainest.unwrap_or(self.dimensions);
        let needs = if self.needs.is_empty() { &[[].as_slice()] } else { self.needs };
        sets.iter().any(|set| {
            let is_all =
                |more: &&[&str]| set.iter().chain(*more).copied().collect::<BTreeSet<_>>() == found;
            needs.iter().any(is_all)
        })
    }
    /// This fault, if these sets reveal it on the plainest file.
    const fn on_plainest(self, sets: Sets) -> Self {
        Self { on_plainest: Some(sets), ..self }
    }
    /// This fault, if it needs one of these sets in addition on the plainest file.
    const fn with(self, needs: Sets) -> Self {
        Self { needs, ..self }
    }
    /// Returns its name as a client.
    pub fn name(&self) -> String {
        format!("{:?}", self.fault)
    }
}

const fn planted(
    fault: Fault,
    source: Source,
    dimensions: Sets,
    outcome: Outcome,
    why: &'static str,
) -> Planted {
    Planted { fault, source, dimensions, on_plainest: None, needs: &[], outcome, why }
}

/// The ways to store a picture in several segments. A number of rows may be all rows, unless the
/// picture is stored turned.
const SEVERAL_SEGMENTS: Sets = &[
    &["rows_per_strip"],
    &["rows_per_strip", "orientation"],
    &["tiled"],
    &["tile_width"],
    &["tile_length"],
    &["tile_width", "tile_length"],
    &["tile_width", "orientation"],
    &["tile_length", "orientation"],
    &["planar"],
    &["samples_per_pixel", "planar"],
    &["alpha", "planar"],
    &["alpha", "samples_per_pixel", "planar"],
];

/// As [`SEVERAL_SEGMENTS`], or the value field of a single SHORT: its other bytes are not zero, or it is
/// big-endian, so that it is not the same number as a LONG.
const NOT_ONE_PLAIN_SHORT: Sets = &[
    &["byte order"],
    &["spare value bytes"],
    &["rows_per_strip"],
    &["rows_per_strip", "orientation"],
    &["tiled"],
    &["tile_width"],
    &["tile_length"],
    &["tile_width", "tile_length"],
    &["tile_width", "orientation"],
    &["tile_length", "orientation"],
    &["planar"],
    &["samples_per_pixel", "planar"],
    &["alpha", "planar"],
    &["alpha", "samples_per_pixel", "planar"],
];

use Outcome::{Crash, Refused, Wrong};
use Source::{Bilevel, Deep, Gray, Rgb};

/// All faults.
#[rustfmt::skip]
pub const PLANTED: &[Planted] = &[
    // Of order 1.
    planted(Fault::BigEndianRefused, Gray, &[&["byte order"]], Refused,
        "written on a PC for files of PCs"),
    planted(Fault::BigTiffRefused, Gray, &[&["format"]], Refused,
        "knows version 42 only"),
    planted(Fault::BigTiffInline, Rgb, &[&["format"]], Refused,
        "takes values of more than 4 bytes for offsets in BigTIFF, too"),
    planted(Fault::DirectoryBeforeData, Gray, &[&["IFD place"], &["block places"]], Crash,
        "the length of the data is the directory's offset less the data's")
            // The plainest file has its directory first.
            .on_plainest(&[&[]]),
    planted(Fault::FloatTags, Gray, &[&["private tags"]], Refused,
        "refuses types that it does not know, though it would skip the tag"),
    planted(Fault::LastPage, Gray, &[&["further pages"]], Wrong,
        "each directory overwrites what the one before said"),
    planted(Fault::Thumbnail, Gray, &[&["sub-IFDs"]], Wrong,
        "takes SubIFDs for the full picture, as in raw files of cameras"),
    planted(Fault::CompressionMissing, Gray, &[&["default of Compression"]], Refused,
        "takes tags with a default for required"),
    planted(Fault::PlanarMissing, Gray, &[&["default of PlanarConfiguration"]], Refused,
        "the same"),
    planted(Fault::RowsOverflow, Gray, &[&["rows_per_strip"], &["rows_per_strip", "default of RowsPerStrip"]], Wrong,
        "(length + rows - 1) / rows in 32 bits: no strip at all")
            // The default is 2^32 - 1.
            .on_plainest(&[&["rows_per_strip"], &["default of RowsPerStrip"]]),
    planted(Fault::OffsetsAsLong, Gray, &[&["offset bytes"]], Refused,
        "takes StripOffsets for LONGs").with(NOT_ONE_PLAIN_SHORT),
    planted(Fault::CountsAsLong, Gray, &[&["count bytes"]], Refused,
        "takes StripByteCounts for LONGs").with(NOT_ONE_PLAIN_SHORT),
    planted(Fault::OffsetsSorted, Rgb, &[&["segment order"]], Wrong,
        "reads strips as they come in the file").with(SEVERAL_SEGMENTS),
    planted(Fault::WholeStrips, Rgb, &[&["rows_per_strip"]], Refused,
        "wants the last strip as long as the others"),
    planted(Fault::EdgeTilesCut, Rgb, &[&["tiled"]], Wrong,
        "takes tiles at the edge to be cut to the picture"),
    planted(Fault::WideTiles, Rgb, &[&["tile_width"], &["orientation", "tile_width"]], Wrong,
        "the row of a tile is at most as long as that of the picture (libtiff, RGBA of 16-bit gray)"),
    planted(Fault::TilesRefused, Rgb, &[&["tiled"]], Refused,
        "strips only"),
    planted(Fault::TallTiles, Rgb, &[&["tile_length"], &["orientation", "tile_length"]], Crash,
        "a buffer for the picture's rows, filled by the tile"),
    planted(Fault::TilesDownwards, Rgb, &[&["tiled"]], Wrong,
        "takes tiles to be in columns"),
    planted(Fault::PlanesInterleaved, Rgb, &[&["planar"]], Wrong,
        "takes the strips of one part of the picture to follow each other").with(SEVERAL_SEGMENTS),
    planted(Fault::OrientationIgnored, Rgb, &[&["orientation"]], Wrong,
        "many viewers"),
    planted(Fault::TurnedTheOtherWay, Rgb, &[&["orientation"]], Wrong,
        "6 and 8 are mistaken for each other"),
    planted(Fault::WhiteIgnored, Gray, &[&["photometric"]], Wrong,
        "WhiteIsZero is looked at for bilevel pictures only"),
    planted(Fault::PaletteAsGray, Gray, &[&["palette"]], Wrong,
        "shows indices"),
    planted(Fault::FourthIsAlpha, Rgb, &[&["samples_per_pixel"]], Wrong,
        "libtiff's RGBA interface, GraphicsMagick"),
    planted(Fault::AssociatedRefused, Rgb, &[&["alpha"]], Refused,
        "knows unassociated alpha only"),
    planted(Fault::ExtraSamplesSkipped, Rgb, &[&["samples_per_pixel"], &["alpha"]], Wrong,
        "a pixel is three samples, whatever SamplesPerPixel says"),
    planted(Fault::Bits32Refused, Gray, &[&["bits"]], Refused,
        "libtiff's RGBA interface"),
    planted(Fault::NotSwapped, Deep, &[&["byte order"]], Wrong,
        "takes samples as the machine has them"),
    planted(Fault::MirroredBytes, Deep, &[&["orientation"]], Wrong,
        "mirrors the bytes of a row"),
    planted(Fault::Nibbles, Bilevel, &[&["bits"]], Wrong,
        "the low half of a byte first"),
    planted(Fault::Bits2Refused, Bilevel, &[&["bits"]], Refused,
        "1, 4, 8 and 16 bits only"),
    planted(Fault::LzwRefused, Gray, &[&["compression"]], Refused,
        "left out for the patent"),
    planted(Fault::Deflate32946, Gray, &[&["compression"]], Refused,
        "knows Adobe's number only"),
    planted(Fault::FillOrderIgnored, Bilevel, &[&["fill order"]], Wrong,
        "few writers use it"),
    planted(Fault::T6Refused, Bilevel, &[&["compression"]], Refused,
        "fax only by Group 3"),
    planted(Fault::RowsNotAligned, Bilevel, &[&["compression"]], Refused,
        "rows of modified Huffman begin at any bit"),
    // Of order 2.
    planted(Fault::WholeField, Gray, &[&["spare value bytes", "file fill"]], Refused,
        "reads the whole field of a SHORT"),
    planted(Fault::BigTiffBigEndian, Gray, &[&["format", "byte order"]], Refused,
        "swaps 64 bits as two of 32"),
    planted(Fault::RowsMissing, Gray, &[&["rows_per_strip", "default of RowsPerStrip"]], Crash,
        "divides by the RowsPerStrip that is missing").on_plainest(&[&["default of RowsPerStrip"]]),
    planted(Fault::RowsAsShort, Gray, &[&["byte order", "type of RowsPerStrip"]], Refused,
        "reads RowsPerStrip as a SHORT: fine on little-endian files"),
    planted(Fault::SidesAsShort, Gray, &[&["byte order", "type of ImageWidth"], &["byte order", "type of ImageLength"]], Refused,
        "the same of ImageWidth and ImageLength"),
    planted(Fault::Long8AsLong, Gray, &[&["format", "offset bytes"]], Refused,
        "BigTIFF without LONG8").with(NOT_ONE_PLAIN_SHORT),
    planted(Fault::TileCountsAsLong, Rgb, &[&["tiled", "count bytes"]], Refused,
        "takes TileByteCounts for LONGs"),
    planted(Fault::PlanesInterleavedTiles, Rgb, &[&["tiled", "planar"]], Wrong,
        "as for strips, in the code for tiles"),
    planted(Fault::PlanarPackBits, Rgb, &[&["planar", "compression"]], Wrong,
        "the plane's first byte is taken for a header"),
    planted(Fault::TilesNotTurned, Rgb, &[&["orientation", "tiled"]], Wrong,
        "turns strips as it reads them, and does not turn tiles"),
    planted(Fault::OnePlaneTurned, Rgb, &[&["orientation", "planar"]], Wrong,
        "planes are joined after the turn"),
    planted(Fault::PaletteNotTurned, Gray, &[&["orientation", "palette"]], Wrong,
        "palette pictures take another way out"),
    planted(Fault::White16, Gray, &[&["photometric", "bits"]], Wrong,
        "WhiteIsZero is undone by 255 - v"),
    planted(Fault::WhiteAlpha, Gray, &[&["photometric", "alpha"]], Wrong,
        "inverts alpha as well"),
    planted(Fault::PaletteTilesAsGray, Gray, &[&["palette", "tiled"]], Wrong,
        "the palette is applied to strips"),
    planted(Fault::ThreePlanes, Rgb, &[&["samples_per_pixel", "planar"], &["alpha", "planar"]], Refused,
        "strips of a plane are a third of all")
            // Of one strip a plane, a third is the right number for less than six planes.
            .on_plainest(&[&["samples_per_pixel", "planar"], &["alpha", "samples_per_pixel", "planar"], &["samples_per_pixel", "planar", "rows_per_strip"], &["alpha", "planar", "rows_per_strip"], &["samples_per_pixel", "planar", "tiled"], &["alpha", "planar", "tiled"]]),
    planted(Fault::LzwClear, Gray, &[&["compression", "LZW clear"]], Refused,
        "expects one clear code"),
    planted(Fault::LzwEnd, Gray, &[&["compression", "LZW end"]], Refused,
        "wants the end code at the end"),
    planted(Fault::DeflateWindow, Gray, &[&["compression", "Deflate window"], &["compression", "Deflate 32946 window"]], Refused,
        "allows windows of 32 KiB only"),
    planted(Fault::DeflateStored, Gray, &[&["compression", "Deflate coding"], &["compression", "Deflate blocks"], &["compression", "Deflate 32946 blocks"], &["compression", "Deflate 32946 coding"]], Refused,
        "an inflater without stored blocks"),
    planted(Fault::PackBitsNoOp, Gray, &[&["compression", "PackBits no-ops"]], Wrong,
        "takes -128 for a run"),
    planted(Fault::PredictorIgnored, Gray, &[&["compression", "predictor"]], Wrong,
        "does not look at Predictor"),
    planted(Fault::PredictorOneSample, Rgb, &[&["compression", "predictor"]], Wrong,
        "takes the difference to the sample before, whatever its color"),
    planted(Fault::FillOrderFax, Bilevel, &[&["compression", "fill order"]], Refused,
        "FillOrder is undone in uncompressed data only"),
    planted(Fault::T4TwoDimensional, Bilevel, &[&["compression", "T.4 rows"]], Refused,
        "Group 3 of one dimension only"),
    planted(Fault::T4Fill, Bilevel, &[&["compression", "T.4 EOLs"], &["compression", "CCITT T.4 fill"]], Refused,
        "expects the EOL where the row ends"),
    planted(Fault::FaxIsWhite, Bilevel, &[&["compression", "photometric"]], Wrong,
        "takes fax for WhiteIsZero, whatever the file says")
            // The plainest file is BlackIsZero.
            .on_plainest(&[&["compression"]]),
    planted(Fault::FillOrderTiles, Bilevel, &[&["fill order", "tiled"]], Wrong,
        "FillOrder is undone in strips only"),
    planted(Fault::NotSwappedTiles, Deep, &[&["byte order", "tiled"]], Wrong,
        "swaps strips, not tiles"),
    planted(Fault::NotSwappedCompressed, Deep, &[&["byte order", "compression"]], Wrong,
        "takes what a codec gives for the machine's order"),
    planted(Fault::NotSwappedPlanar, Deep, &[&["byte order", "planar"]], Wrong,
        "swaps chunky samples, not planes"),
    // Of order 3.
    planted(Fault::Long8HalvesSwapped, Gray, &[&["format", "byte order", "offset bytes"]], Refused,
        "swaps LONG8 offsets as two LONGs"),
    planted(Fault::TileSidesAsShort, Rgb, &[&["tiled", "byte order", "type of TileWidth"], &["tiled", "byte order", "type of TileLength"]], Refused,
        "reads the sides of tiles as SHORTs"),
    planted(Fault::PlanarTilesPackBits, Rgb, &[&["tiled", "planar", "compression"]], Wrong,
        "takes the first plane's tiles for all"),
    planted(Fault::PlanarTilesNotTurned, Rgb, &[&["orientation", "tiled", "planar"]], Wrong,
        "the code for planes of tiles does not turn"),
    planted(Fault::White16Tiles, Gray, &[&["photometric", "bits", "tiled"]], Wrong,
        "WhiteIsZero is undone by 255 - v in tiles"),
    planted(Fault::PalettePredictor, Gray, &[&["palette", "compression", "predictor"]], Wrong,
        "takes indices to have no predictor"),
    planted(Fault::PredictorPlanar, Rgb, &[&["planar", "compression", "predictor"]], Wrong,
        "takes differences over SamplesPerPixel samples in planes, too"),
    planted(Fault::PredictorTiles, Gray, &[&["tiled", "compression", "predictor"]], Wrong,
        "undoes the predictor in strips only"),
    planted(Fault::PredictorBytes, Gray, &[&["bits", "compression", "predictor"]], Wrong,
        "adds bytes, and loses the carry in 16 bits"),
    planted(Fault::PredictorColors, Rgb, &[&["samples_per_pixel", "compression", "predictor"], &["alpha", "compression", "predictor"]], Wrong,
        "takes differences over three samples where there are four"),
    planted(Fault::FillOrderFaxTiles, Bilevel, &[&["compression", "fill order", "tiled"]], Refused,
        "FillOrder is undone before fax in strips only"),
    planted(Fault::NotSwappedCompressedTiles, Deep, &[&["byte order", "compression", "tiled"]], Wrong,
        "swaps in the code for strips and for plain tiles"),
    planted(Fault::SwappedTwice, Deep, &[&["byte order", "compression", "predictor"]], Wrong,
        "swaps before the predictor and after it"),
];
