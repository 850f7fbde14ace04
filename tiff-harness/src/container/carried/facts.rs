//! The facts of a file to which its tags may refer.

use crate::container::ByteOrder;

/// A fact of a file, as named by [`Rule::While`](super::table::Rule::While).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The order of the bytes of every number.
    ByteOrder,
    /// BitsPerSample.
    Bits,
    /// PhotometricInterpretation.
    Photometric,
    /// The meaning of palette indices: ColorMap. It also counts as different if a color occurs twice, because either
    /// index may represent it.
    Palette,
    /// The samples of a pixel: the number of colors, and ExtraSamples.
    Samples,
    /// PlanarConfiguration, if a pixel has several samples.
    Planar,
    /// Orientation.
    Orientation,
    /// ImageWidth and ImageLength.
    Size,
    /// Compression.
    Compression,
    /// Strips or tiles, and the width and length of tiles.
    Tiles,
    /// The pages: exactly those of the seed. If a tag depends on this fact, the tag's other facts must hold on every
    /// page.
    Pages,
    /// The values of the pixels. They are the same as the seed's in every variant, but not in the file of [another
    /// picture](crate::Seed::of_picture).
    Picture,
}

impl Fact {
    /// Returns the words for it in the documentation.
    pub fn words(self) -> &'static str {
        match self {
            Fact::ByteOrder => "byte order",
            Fact::Bits => "bits",
            Fact::Photometric => "photometric",
            Fact::Palette => "palette",
            Fact::Samples => "samples",
            Fact::Planar => "planar",
            Fact::Orientation => "orientation",
            Fact::Size => "size",
            Fact::Compression => "compression",
            Fact::Tiles => "tiles",
            Fact::Pages => "pages",
            Fact::Picture => "picture",
        }
    }

    /// Returns true if the fact is the same for a variant and its seed.
    pub fn holds(self, variant: &Facts, seed: &Facts) -> bool {
        let indexed = variant.is_palette() || seed.is_palette();
        match self {
            Fact::ByteOrder => variant.order == seed.order,
            Fact::Bits => variant.bits == seed.bits,
            Fact::Photometric => variant.photometric == seed.photometric,
            Fact::Palette => {
                !indexed
                    || variant.color_map == seed.color_map && has_different_colors(&seed.color_map)
            }
            Fact::Samples => {
                variant.colors() == seed.colors() && variant.extra_samples == seed.extra_samples
            }
            Fact::Planar => {
                variant.planar == seed.planar || variant.samples().max(seed.samples()) == 1
            }
            Fact::Orientation => variant.orientation == seed.orientation,
            Fact::Size => variant.size == seed.size,
            Fact::Compression => variant.compression == seed.compression,
            Fact::Tiles => variant.tile == seed.tile,
            Fact::Pages => {
                variant.pages == seed.pages && variant.other_pages + seed.other_pages == 0
            }
            Fact::Picture => true,
        }
    }
}

/// The facts of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The order of the bytes of every number.
    pub order: ByteOrder,
    /// BitsPerSample, the same for all samples.
    pub bits: u64,
    /// PhotometricInterpretation: 0 to 3.
    pub photometric: u64,
    /// ExtraSamples.
    pub extra_samples: Vec<u16>,
    /// ColorMap; empty if there is no palette.
    pub color_map: Vec<u16>,
    /// PlanarConfiguration.
    pub planar: u64,
    /// Orientation.
    pub orientation: u64,
    /// ImageWidth and ImageLength.
    pub size: [u64; 2],
    /// Compression.
    pub compression: u64,
    /// TileWidth and TileLength; `None` in strips.
    pub tile: Option<[u64; 2]>,
    /// The number of pages in the seed's canonical value: at least 1.
    pub pages: usize,
    /// The number of other directories in the chain, which come after these pages.
    pub other_pages: usize,
}

impl Facts {
    /// Returns true if samples are indices into a palette.
    pub fn is_palette(&self) -> bool {
        self.photometric == 3
    }

    /// Returns the number of samples of a pixel that are colors, or an index.
    pub fn colors(&self) -> usize {
        if self.photometric == 2 { 3 } else { 1 }
    }

    /// Returns the number of samples of a pixel.
    pub fn samples(&self) -> usize {
        self.colors() + self.extra_samples.len()
    }

    /// Returns the greatest value of a sample.
    pub fn max_sample(&self) -> u64 {
        (1 << self.bits.clamp(1, 63)) - 1
    }
}

/// Returns true if no color of a ColorMap (all reds, all greens, all blues) occurs twice.
fn has_different_colors(map: &[u16]) -> bool {
    let third = map.len() / 3;
    let mut colors: Vec<[u16; 3]> =
        (0..third).map(|k| [map[k], map[third + k], map[2 * third + k]]).collect();
    colors.sort_unstable();
    colors.windows(2).all(|pair| pair[0] != pair[1])
}
