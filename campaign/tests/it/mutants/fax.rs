//! CCITT modified Huffman, T.4 and T.6.

use std::convert::Infallible;

use ::fax::maps::{Mode, black, mode, white};
use ::fax::{BitReader, ByteReader};

use super::codec::Size;
use super::image::Image;
use super::{Failure, Fault, Faults, refused};

/// Decodes a segment. White is 0.
pub fn decode(
    stored: &[u8],
    image: &Image,
    size: Size,
    faults: &Faults,
) -> Result<Vec<u8>, Failure> {
    if image.compression == 4 && faults.has(Fault::T6Refused) {
        return refused("T.6");
    }
    // Codes may be looked up past the end.
    let bytes = stored.iter().copied().chain([0; 8]).map(Ok::<u8, Infallible>);
    let Ok(mut reader) = ByteReader::new(bytes);
    let (mut above, mut out) = (vec![false; size.columns], Vec::with_capacity(size.bytes));
    for _ in 0..size.rows {
        let two_dimensional = match image.compression {
            2 => {
                if !faults.has(Fault::RowsNotAligned) {
                    let spare = reader.bits_to_byte_boundary();
                    skip(&mut reader, spare);
                }
                false
            }
            3 => end_of_line(&mut reader, image, faults)?,
            _ => true,
        };
        above = match two_dimensional {
            true => two(&mut reader, &above)?,
            false => one(&mut reader, size.columns)?,
        };
        for bits in above.chunks(8) {
            let byte = bits.iter().enumerate().fold(0, |n, (k, bit)| n | u8::from(*bit) << (7 - k));
            out.push(byte);
        }
    }
    Ok(out)
}

fn skip(reader: &mut impl BitReader, bits: u8) {
    for _ in 0..bits {
        let _ = reader.consume(1);
    }
}

/// Skips an EOL, and returns true if a two-dimensional row follows.
fn end_of_line(
    reader: &mut impl BitReader,
    image: &Image,
    faults: &Faults,
) -> Result<bool, Failure> {
    let two_dimensional = image.t4_options & 1 == 1;
    if two_dimensional && faults.has(Fault::T4TwoDimensional) {
        return refused("two-dimensional T.4");
    }
    if faults.has(Fault::T4Fill) && reader.peek(12) != Some(1) {
        return refused("no EOL");
    }
    if reader.peek(11) == Some(0) {
        while reader.peek(1) == Some(0) {
            skip(reader, 1);
        }
        skip(reader, 1);
    }
    let mut follows = false;
    if two_dimensional {
        follows = reader.peek(1) == Some(0);
        skip(reader, 1);
    }
    Ok(follows)
}

/// Reads the length of a run.
fn run(reader: &mut impl BitReader, dark: bool) -> Result<usize, Failure> {
    let mut length = 0;
    loop {
        let code = if dark { black::decode(reader) } else { white::decode(reader) };
        match code {
            Some(n) => length += usize::from(n),
            None => return refused("no such run"),
        }
        if code < Some(64) {
            return Ok(length);
        }
    }
}

fn one(reader: &mut impl BitReader, columns: usize) -> Result<Vec<bool>, Failure> {
    let (mut row, mut dark) = (Vec::with_capacity(columns), false);
    while row.len() < columns {
        row.extend(std::iter::repeat_n(dark, run(reader, dark)?));
        dark = !dark;
    }
    if row.len() > columns { refused("a row is too long") } else { Ok(row) }
}

fn two(reader: &mut impl BitReader, above: &[bool]) -> Result<Vec<bool>, Failure> {
    let columns = above.len();
    let (mut row, mut dark): (Vec<bool>, bool) = (Vec::with_capacity(columns), false);
    // An imaginary white pixel precedes the row: a change at 0 counts.
    let mut begun = false;
    while row.len() < columns {
        let is_change = |k: usize| above[k] != (k > 0 && above[k - 1]);
        let from = row.len() + usize::from(begun);
        let b1 = (from..columns).find(|k| is_change(*k) && above[*k] != dark).unwrap_or(columns);
        let b2 = (b1 + 1..columns).find(|k| is_change(*k)).unwrap_or(columns);
        let (upto, next) = match mode::decode(reader) {
            Some(Mode::Pass) => (b2, dark),
            Some(Mode::Vertical(d)) => (b1.wrapping_add_signed(d.into()), !dark),
            Some(Mode::Horizontal) => {
                for dark in [dark, !dark] {
                    let length = run(reader, dark)?;
                    row.extend(std::iter::repeat_n(dark, length));
                }
                (row.len(), dark)
            }
            _ => return refused("no such mode"),
        };
        if upto > columns || upto < row.len() {
            return refused("a change outside its row");
        }
        row.resize(upto, dark);
        (begun, dark) = (true, next);
    }
    Ok(row)
}
