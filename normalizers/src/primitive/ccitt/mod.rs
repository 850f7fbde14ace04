//! CCITT bilevel coding: Modified Huffman, T.4 and T.6 (TIFF 6.0, sections 10 and 11).
//!
//! Data is rows of pixels, a bit each, the most significant first; a row begins at a byte.
//! 0 is white in the coding's sense: what it means is `PhotometricInterpretation`'s affair.
//! Bits that no pixel has are zero in what is decoded. What they are in what is encoded does
//! not matter: no stream can tell.
//!
//! A decoder reads the rows that are wanted and ignores what follows. It gives fewer if the
//! stream ends with a row or says that it ends. Damage is an error; nothing is guessed.
//! Uncompressed mode is refused.

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
