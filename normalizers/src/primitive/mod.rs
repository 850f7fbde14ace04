//! Primitives of the formats whose specs ship: decoders with nondeterministic encoders.
//!
//! | primitive | name | arguments | what it decodes |
//! |---|---|---|---|
//! | [`Lzw`] | `lzw` | none | TIFF's LZW (TIFF 6.0, section 13) |
//! | [`Deflate`] | `deflate` | none | a zlib stream (RFC 1950, RFC 1951) |
//! | [`Zstd`] | `zstd` | none | a Zstandard frame (RFC 8878) |
//! | [`Lzma`] | `lzma` | none | LZMA2 in an .xz stream |
//! | [`WebpLossless`] | `webp` | width, height, samples | a lossless WebP picture (RFC 9649) |

mod deflate;
mod habit;
mod lzma;
mod lzw;
mod webp;
mod zstd;

pub use deflate::Deflate;
pub use lzma::Lzma;
pub use lzw::Lzw;
pub use webp::WebpLossless;
pub use zstd::Zstd;
