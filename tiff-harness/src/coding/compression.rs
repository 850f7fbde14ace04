//! The compressions and their primitives.

use std::borrow::Cow;

use inverter::primitive::{EncodeError, Encoding, PackBits, Primitive, PrimitiveError};
use inverter::solve::ChoiceSource;

use normalizers::primitive::{Deflate, Lzma, Lzw, ModifiedHuffman, T4, T6, WebpLossless, Zstd};

use crate::container::Class;
use crate::image::Grid;

/// A lossless compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compression {
    /// 1: none (TIFF 6.0, section 3).
    None,
    /// 32773: PackBits, row by row (section 9).
    PackBits,
    /// 2: CCITT modified Huffman run lengths (section 10).
    CcittRle,
    /// 3: CCITT T.4, one- or two-dimensional (section 11).
    T4,
    /// 4: CCITT T.6 (section 11).
    T6,
    /// 5: LZW (section 13).
    Lzw,
    /// 8: Deflate (Adobe Photoshop TIFF technical notes).
    Deflate,
    /// 32946: Deflate, with its old number.
    OldDeflate,
    /// 50000: Zstandard, as in libtiff.
    Zstandard,
    /// 34925: LZMA, as in libtiff.
    Lzma,
    /// 50001: Lossless WebP, as in libtiff.
    WebP,
}

/// The name, code and class of each compression.
const TABLE: [(Compression, &str, u16, Class); 11] = [
    (Compression::None, "none", 1, Class::Baseline),
    (Compression::PackBits, "PackBits", 32773, Class::Baseline),
    (Compression::CcittRle, "CCITT RLE", 2, Class::Baseline),
    (Compression::T4, "CCITT T.4", 3, Class::Extension),
    (Compression::T6, "CCITT T.6", 4, Class::Extension),
    (Compression::Lzw, "LZW", 5, Class::Extension),
    (Compression::Deflate, "Deflate", 8, Class::Extension),
    (Compression::OldDeflate, "Deflate 32946", 32946, Class::Extension),
    (Compression::Zstandard, "Zstandard", 50000, Class::Questionable),
    (Compression::Lzma, "LZMA", 34925, Class::Questionable),
    (Compression::WebP, "WebP", 50001, Class::Questionable),
];

impl Compression {
    /// All compressions.
    pub const ALL: [Compression; TABLE.len()] = {
        let mut all = [Compression::None; TABLE.len()];
        let mut k = 0;
        while k < TABLE.len() {
            all[k] = TABLE[k].0;
            k += 1;
        }
        all
    };

    fn row(self) -> &'static (Compression, &'static str, u16, Class) {
        TABLE.iter().find(|row| row.0 == self).unwrap_or(&TABLE[0])
    }

    /// Returns the compression with this value of the tag Compression.
    pub fn of_code(code: u16) -> Option<Self> {
        TABLE.iter().find(|row| row.2 == code).map(|row| row.0)
    }

    /// Returns its value of the tag Compression.
    pub fn code(self) -> u16 {
        self.row().2
    }

    /// Returns its name in choices and reports.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// Returns the class of files with it.
    pub fn class(self) -> Class {
        self.row().3
    }

    /// Returns true if it is for bilevel pictures only.
    pub fn is_bilevel(self) -> bool {
        matches!(self, Compression::CcittRle | Compression::T4 | Compression::T6)
    }

    /// Returns true if it may compress differences of samples instead of samples (section 14, and later compressions).
    pub fn takes_predictor(self) -> bool {
        use Compression::{Deflate, Lzma, Lzw, OldDeflate, Zstandard};
        matches!(self, Lzw | Deflate | OldDeflate | Zstandard | Lzma)
    }

    /// Returns the primitive with its arguments for segments of `grid`; `None` for no compression.
    fn primitive(
        self,
        grid: &Grid,
        rows: u32,
        t4_options: u32,
    ) -> Option<(&'static dyn Primitive, Vec<i128>)> {
        let columns = i128::from(grid.columns());
        match self {
            Compression::None => None,
            Compression::PackBits => Some((&PackBits, Vec::new())),
            Compression::CcittRle => Some((&ModifiedHuffman, vec![columns])),
            Compression::T4 => Some((&T4, vec![columns, t4_options.into()])),
            Compression::T6 => Some((&T6, vec![columns, 0])),
            Compression::Lzw => Some((&Lzw, Vec::new())),
            Compression::Deflate | Compression::OldDeflate => Some((&Deflate, Vec::new())),
            Compression::Zstandard => Some((&Zstd, Vec::new())),
            Compression::Lzma => Some((&Lzma, Vec::new())),
            Compression::WebP => {
                let samples = grid.samples_per_pixel.into();
                Some((&WebpLossless, vec![columns, rows.into(), samples]))
            }
        }
    }

    /// Decodes `stream`, to at most `most` bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the stream is damaged.
    pub fn decode(
        self,
        stream: &[u8],
        grid: &Grid,
        rows: u32,
        t4_options: u32,
        most: usize,
    ) -> Result<Vec<u8>, PrimitiveError> {
        match self.primitive(grid, rows, t4_options) {
            None => Ok(stream[..stream.len().min(most)].to_vec()),
            Some((primitive, args)) => primitive.decode(stream, &args, most),
        }
    }

    /// Encodes `bytes`, the rows of a segment of `grid`, as `source` decides.
    ///
    /// # Errors
    ///
    /// Returns an error if no stream decodes to these bytes, or a given choice does not fit.
    pub fn encode<'s>(
        self,
        bytes: Cow<'s, [u8]>,
        grid: &Grid,
        rows: u32,
        t4_options: u32,
        source: &mut ChoiceSource,
    ) -> Result<Cow<'s, [u8]>, EncodeError> {
        let Some((primitive, args)) = self.primitive(grid, rows, t4_options) else {
            return Ok(bytes);
        };
        source.within(&format!("{} ", self.name()), |source| match self {
            // Section 9 requires that each row is packed separately.
            Compression::PackBits => {
                let rows = bytes.chunks(grid.row_bytes().max(1) as usize);
                let packed =
                    rows.map(|row| primitive.encode(row, Encoding::any_length(&args, source)));
                Ok(packed.collect::<Result<Vec<_>, _>>()?.concat().into())
            }
            _ => Ok(primitive.encode(&bytes, Encoding::any_length(&args, source))?.into()),
        })
    }
}
