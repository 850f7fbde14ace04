//! Primitives of the formats whose specs ship: decoders with nondeterministic encoders.
//!
//! | primitive | name | arguments | what it decodes |
//! |---|---|---|---|
//! | [`Predictor`] | `predictor` | samples of a row, stride, bytes, big-endian | horizontal differences (TIFF 6.0, section 14) |
//! | [`FloatPredictor`] | `float_predictor` | samples of a row, stride, bytes, big-endian | differences of bytes of floating point numbers (Adobe Photoshop TIFF Technical Note 3) |
//! | [`PackedBits`] | `packed_bits` | bits, samples of a row | samples of 1 to 64 bits (TIFF 6.0, sections 3, 4, 8 and 19) |
//! | [`ModifiedHuffman`] | `ccitt_rle` | columns | compression 2 (TIFF 6.0, section 10) |
//! | [`T4`] | `ccitt_t4` | columns, `T4Options` | compression 3 (TIFF 6.0, section 11) |
//! | [`T6`] | `ccitt_t6` | columns, `T6Options` | compression 4 (TIFF 6.0, section 11) |
//! | [`Lzw`] | `lzw` | none | TIFF's LZW (TIFF 6.0, section 13) |
//! | [`Deflate`] | `deflate` | none | a zlib stream (RFC 1950, RFC 1951) |
//! | [`Zstd`] | `zstd` | none | a Zstandard frame (RFC 8878) |
//! | [`Lzma`] | `lzma` | none | LZMA2 in an .xz stream |
//! | [`NetcdfClassic`] | `netcdf_classic` | none | files of netCDF's classic formats |
//! | [`StringTable`] | `string_table` | count | strings that are found by their places in a table |
//! | [`ZipEntries`] | `zip_entries` | none | the files of ZIP archives |
//! | [`NpyHeader`] | `npy_header` | none | the header of NumPy's npy |
//! | [`DbfTable`] | `dbf_table` | none | tables of dBASE |
//! | [`AiffChunks`] | `aiff_chunks` | none | the chunks of AIFF and AIFF-C files |
//! | [`Chunks`] | `iff_chunks`, `riff_chunks`, `crc_chunks`, `mp4_boxes` | start, items | chunks of any format |
//! | [`Pixels`] | `pixels` | bits, width, colours, four masks | places in a palette, and fields of bits |
//! | [`BmpRle`] | `bmp_rle` | compression, unchanged bytes, width | run lengths of BMP files |
//! | [`GifBlocks`] | `gif_blocks` | none | the blocks of GIF files |
//! | [`GifLzw`] | `gif_lzw` | code size | GIF's LZW (GIF89a, appendix F) |
//! | [`Levels`] | `levels` | the greatest sample | samples, scaled to levels of 8 bits |
//! | [`Pcm`] | `pcm` | bytes, valid bits | samples of sound, widened to 32 bits |
//! | [`PngChunks`] | `png_chunks` | none | the chunks of PNG files |
//! | [`PngFilters`] | `png_filters` | width, height, bits, interlaced | the filters of PNG's rows |
//! | [`PnmText`] | `pnm_text` | none | the numbers in the text of PBM, PGM, PPM and PAM |
//! | [`RunLengths`] | `run_lengths` | bytes of a count, bytes of a value, big-endian, shortest run | pairs of a count and a value |
//! | [`TarEntries`] | `tar_entries` | none | the regular files of a tar archive |
//! | [`TgaRuns`] | `tga_runs` | none | run lengths of TGA files |
//! | [`Varints`] | `leb128`, `sleb128`, `vlq` | bytes, longest form | integers of variable length |
//! | [`WaveChunks`] | `wave_chunks` | none | the chunks of WAVE files |
//! | [`WebpLossless`] | `webp` | width, height, samples | a lossless WebP picture (RFC 9649) |

mod aiff_chunks;
mod bits;
mod bmp_rle;
pub mod ccitt;
mod chunks;
mod dbf;
mod deflate;
mod float_predictor;
mod gif_blocks;
mod gif_lzw;
mod levels;
mod lzma;
mod lzw;
mod netcdf;
mod npy;
mod padding;
mod pcm;
mod pixels;
mod png_chunks;
mod png_filters;
mod pnm;
mod policy;
mod predictor;
mod run_lengths;
mod string_table;
mod tar;
mod tga_runs;
mod varints;
mod wave_chunks;
mod webp;
mod zip;
mod zstd;

pub use aiff_chunks::AiffChunks;
pub use bits::PackedBits;
pub use bmp_rle::BmpRle;
pub use ccitt::{ModifiedHuffman, T4, T6};
pub use chunks::Chunks;
pub use dbf::DbfTable;
pub use deflate::Deflate;
pub use float_predictor::FloatPredictor;
pub use gif_blocks::GifBlocks;
pub use gif_lzw::GifLzw;
pub use levels::Levels;
pub use lzma::Lzma;
pub use lzw::Lzw;
pub use netcdf::NetcdfClassic;
pub use npy::NpyHeader;
pub use pcm::Pcm;
pub use pixels::Pixels;
pub use png_chunks::PngChunks;
pub use png_filters::PngFilters;
pub use pnm::PnmText;
pub use predictor::Predictor;
pub use run_lengths::RunLengths;
pub use string_table::StringTable;
pub use tar::TarEntries;
pub use tga_runs::TgaRuns;
pub use varints::Varints;
pub use wave_chunks::WaveChunks;
pub use webp::WebpLossless;
pub use zip::ZipEntries;
pub use zstd::Zstd;
