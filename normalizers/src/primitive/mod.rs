//! Primitives of the formats whose specs ship: decoders with nondeterministic encoders.
//!
//! | primitive | name | arguments | what it decodes |
//! |---|---|---|---|
//! | [`Lzw`] | `lzw` | none | TIFF's LZW (TIFF 6.0, section 13) |
//! | [`Deflate`] | `deflate` | none | a zlib stream (RFC 1950, RFC 1951) |

mod deflate;
mod habit;
mod lzw;

pub use deflate::Deflate;
pub use lzw::Lzw;
