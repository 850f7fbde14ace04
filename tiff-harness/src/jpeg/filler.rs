//! Drawn parts on which no decoder acts: comments, application data, and unused tables.

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::marker::COM;
use super::stream::{IDLE, Note};
use super::table::{Kind, Slot, Table};

/// The maximum number of bytes of a drawn comment.
const MOST: usize = 40;

/// Draws the bytes of a comment. Some of them look like markers, to mislead a reader that searches for markers instead
/// of following the lengths.
fn bytes(rng: &mut impl Rng) -> Vec<u8> {
    let len = rng.random_range(0..=MOST);
    let mut bytes: Vec<u8> = (0..len).map(|_| rng.random()).collect();
    for at in 1..bytes.len() {
        if rng.random_ratio(1, 8) {
            bytes[at - 1] = 0xFF;
            bytes[at] = rng.random_range(0xC0..=0xFE);
        }
    }
    bytes
}

/// Draws a comment.
pub(super) fn comment(rng: &mut impl Rng) -> Note {
    Note { marker: COM, parameters: bytes(rng) }
}

/// Draws application data unknown to all decoders: a name that ends with a NUL, and bytes.
pub(super) fn application_data(rng: &mut impl Rng) -> Note {
    let marker = IDLE[rng.random_range(0..IDLE.len())];
    let name = (0..rng.random_range(5..=8)).map(|_| rng.random_range(b'a'..=b'z'));
    let mut parameters: Vec<u8> = name.chain([0]).collect();
    parameters.extend(bytes(rng));
    Note { marker, parameters }
}

/// Draws a table for `slot`. It is valid but differs from those in use: with it, a picture looks different or cannot be
/// decoded.
pub(super) fn table(rng: &mut impl Rng, slot: Slot) -> Table {
    let values: Vec<u8> = match slot.kind {
        Kind::Quantization => (0..64).map(|_| rng.random_range(1..=255)).collect(),
        // 12 codes of 4 bits, for differences of up to 11 bits.
        Kind::Dc => huffman(rng, 4, (0..12).collect()),
        // 162 codes of 8 bits: end of block, 16 zeros, and each run with each size (T.81, annex F).
        Kind::Ac => {
            let pair = |run: u8| (1..=10).map(move |size| run << 4 | size);
            huffman(rng, 8, (0..16).flat_map(pair).chain([0x00, 0xF0]).collect())
        }
    };
    Table { slot, values: values.into() }
}

/// Returns a Huffman table of codes of one length, in a drawn order.
fn huffman(rng: &mut impl Rng, length: usize, mut symbols: Vec<u8>) -> Vec<u8> {
    symbols.shuffle(rng);
    let mut values = vec![0; 16];
    values[length - 1] = symbols.len() as u8;
    values.extend(symbols);
    values
}
