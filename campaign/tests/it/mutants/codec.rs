//! Decodes the bytes of a segment to the bytes of its samples.

use std::io::Read;

use super::image::Image;
use super::{Failure, Fault, Faults, fax, refused};

/// The size of a decoded segment.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// The pixels of a row.
    pub columns: usize,
    /// The number of rows.
    pub rows: usize,
    /// The bytes of all rows.
    pub bytes: usize,
}

/// Decodes a segment.
pub fn decode(
    stored: &[u8],
    image: &Image,
    size: Size,
    faults: &Faults,
) -> Result<Vec<u8>, Failure> {
    let has = |fault| faults.has(fault);
    let bilevel = (2..=4).contains(&image.compression);
    let forgotten = has(Fault::FillOrderIgnored)
        || (image.tiled && has(Fault::FillOrderTiles))
        || (bilevel && has(Fault::FillOrderFax))
        || (bilevel && image.tiled && has(Fault::FillOrderFaxTiles));
    let reversed = image.reversed_bits && !forgotten;
    let stored: Vec<u8> = match reversed {
        true => stored.iter().map(|byte| byte.reverse_bits()).collect(),
        false => stored.to_vec(),
    };
    match image.compression {
        1 => Ok(stored),
        2..=4 => fax::decode(&stored, image, size, faults),
        5 if has(Fault::LzwRefused) => refused("LZW"),
        5 => lzw(&stored, size.bytes, faults),
        32946 if has(Fault::Deflate32946) => refused("compression 32946"),
        8 | 32946 => inflate(&stored, size.bytes, faults),
        32773 => {
            let planar = image.planar && has(Fault::PlanarPackBits);
            pack_bits(
                if planar { stored.get(1..).unwrap_or(&[]) } else { &stored },
                size.bytes,
                faults,
            )
        }
        n => refused(format!("compression {n}")),
    }
}

fn pack_bits(stored: &[u8], wanted: usize, faults: &Faults) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::with_capacity(wanted);
    let mut rest = stored;
    while let (true, [head, tail @ ..]) = (out.len() < wanted, rest) {
        rest = match *head {
            128 if !faults.has(Fault::PackBitsNoOp) => tail,
            n @ 0..=127 => {
                let (literal, tail) = tail.split_at(tail.len().min(usize::from(n) + 1));
                out.extend_from_slice(literal);
                tail
            }
            n => {
                let (byte, tail) = tail.split_first().unwrap_or((&0, &[]));
                out.extend(std::iter::repeat_n(*byte, 257 - usize::from(n)));
                tail
            }
        };
    }
    out.resize(out.len().max(wanted), 0);
    Ok(out)
}

const CLEAR: usize = 256;
const END: usize = 257;

fn lzw(stored: &[u8], wanted: usize, faults: &Faults) -> Result<Vec<u8>, Failure> {
    let start: Vec<Vec<u8>> =
        (0..258).map(|k| if k < 256 { vec![k as u8] } else { vec![] }).collect();
    let mut table = start.clone();
    let (mut out, mut last): (Vec<u8>, Option<usize>) = (Vec::new(), None);
    let (mut at, mut width) = (0, 9);
    loop {
        let code = bits(stored, at, width);
        at += width;
        let Some(code) = code else {
            // Many encoders omit the end code.
            if out.len() < wanted {
                return refused("LZW data without an end");
            }
            break;
        };
        match (code, last) {
            (END, _) if at.div_ceil(8) < stored.len() && faults.has(Fault::LzwEnd) => {
                return refused("bytes behind the end");
            }
            (END, _) => break,
            (CLEAR, _) => {
                if out.is_empty() || !faults.has(Fault::LzwClear) {
                    table.clone_from(&start);
                    width = 9;
                }
                last = None;
            }
            (code, None) if code < table.len() => {
                out.extend_from_slice(&table[code]);
                last = Some(code);
            }
            (code, Some(before)) if code <= table.len() => {
                let mut entry = table[before].clone();
                entry.push(if code < table.len() { table[code][0] } else { entry[0] });
                if table.len() < 4096 {
                    table.push(entry);
                }
                let Some(string) = table.get(code) else { return refused("LZW code") };
                out.extend_from_slice(string);
                last = Some(code);
            }
            _ => return refused("LZW code"),
        }
        // Codes grow one entry early (TIFF 6.0, section 13).
        if table.len() + 1 >= 1 << width && width < 12 {
            width += 1;
        }
    }
    Ok(out)
}

/// Returns the number in the `width` bits at bit `at`.
fn bits(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    (at + width <= bytes.len() * 8).then(|| {
        (at..at + width).fold(0, |n, k| n << 1 | usize::from(bytes[k / 8] >> (7 - k % 8) & 1))
    })
}

fn inflate(stored: &[u8], wanted: usize, faults: &Faults) -> Result<Vec<u8>, Failure> {
    let head = |k: usize| stored.get(k).copied().unwrap_or(0);
    if faults.has(Fault::DeflateWindow) && head(0) >> 4 != 7 {
        return refused("a small window");
    }
    if faults.has(Fault::DeflateStored) && head(2) >> 1 & 3 == 0 {
        return refused("a stored block");
    }
    let mut out = Vec::with_capacity(wanted);
    match flate2::read::ZlibDecoder::new(stored).take(1 << 26).read_to_end(&mut out) {
        Ok(_) => Ok(out),
        Err(error) => refused(error.to_string()),
    }
}
