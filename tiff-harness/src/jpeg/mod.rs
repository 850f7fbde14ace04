//! JPEG streams as TIFF stores them (ITU-T T.81, annex B; TIFF technical note 2).
//!
//! A stream consists of marker segments and entropy-coded data. Much of a stream is only a matter of form: the places,
//! repetitions, order, marker segments and numbers of table definitions; comments; fill bytes. [`JpegFile`] reduces the
//! streams of a picture to their meaning, and writes the same meaning in other forms. Entropy-coded data is never
//! decoded, and stays unchanged.
//!
//! A stream that this module does not understand (arithmetic coding, hierarchical frames, a number of
//! lines that follows the first scan, damage) leaves the picture's streams as they are stored.

mod choose;
mod file;
mod filler;
mod marker;
mod parse;
mod rearrangement;
mod stream;
mod table;
mod write;

pub use choose::class_of;
pub use file::JpegFile;
pub(crate) use table::huffman_length;
