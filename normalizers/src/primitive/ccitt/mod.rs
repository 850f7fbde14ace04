//! CCITT bilevel coding: Modified Huffman, T.4 and T.6 (TIFF 6.0, sections 10 and 11).
//!
//! Decoded data is rows of pixels, one bit each, the most significant first; a row begins at a byte. The codes call 0
//! white; `PhotometricInterpretation` decides its color. Decoders set the bits after a row's last pixel to zero.
//! Encoders ignore them, because no stream can store them.
//!
//! A decoder reads the requested rows and ignores everything after them. It returns fewer rows if the stream ends after
//! a row, or has an end mark at this point. Any damage is an error. Uncompressed mode is refused.

mod codes;
mod lines;
mod modified_huffman;
mod row;
mod stream;
mod t4;
mod t6;

pub use modified_huffman::ModifiedHuffman;
pub use t4::T4;
pub use t6::T6;
