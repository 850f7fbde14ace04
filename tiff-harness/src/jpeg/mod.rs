//! JPEG streams as TIFF stores them (ITU-T T.81, annex B; TIFF technical note 2).
//!
//! A stream consists of marker segments and entropy-coded data. Much of it is a matter of form: where a
//! table is defined and how often, in which order and in which marker segment, by which number; comments;
//! fill bytes. [`JpegFile`] reads the streams of a picture to what counts, and writes the same in other forms.
//! Entropy-coded data is never decoded, and stays as it is.
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
