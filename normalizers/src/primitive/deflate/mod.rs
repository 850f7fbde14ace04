//! Deflate in a zlib stream (RFC 1950, RFC 1951), as in TIFF (Adobe's Photoshop TIFF technical notes, 2002).

use inverter::primitive::{EncodeError, Encoding, Primitive, PrimitiveError, Signature, of_length};
use inverter::solve::{ChoiceError, ChoiceSource};
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_COMPUTE_ADLER32, TINFL_FLAG_PARSE_ZLIB_HEADER,
    TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use super::padding::Padding;
use super::policy::{Policy, number};

mod bits;
mod blocks;
mod huffman;
mod matches;
pub(super) mod raw;
mod tables;

use bits::Bits;
use blocks::{CODING_WORDS, Writer};
use matches::{Finder, Odds, tokens};

/// `deflate(x.a)`.
///
/// | dimension | value | meaning |
/// |---|---|---|
/// | `window` | 8 to 15 | the base-2 logarithm of the window's size in bytes, which bounds distances |
/// | `level` | 0 to 3 | FLEVEL, which readers do not need |
/// | `matches` | `greedy` | copies the longest of a few equal strings |
/// | | `none` | literals only |
/// | | `random:N` | any legal copies and literals |
/// | `blocks` | `one` | one block, or as many as stored data needs |
/// | | `random:N` | up to 16 blocks that end anywhere, some without data, and the rest |
/// | `coding` | `dynamic`, `fixed`, `stored` | the coding of all blocks |
/// | | `random:N` | a random coding for each block |
/// | `tables` | `lean` | optimal codes in dynamic blocks, in their shortest form |
/// | | `plain` | optimal codes, written without repeat codes |
/// | | `full` | code lengths for all symbols, used or not |
/// | | `random:N` | codes that are not optimal, in any form |
/// | `spare bits` | `zeros`, `ones` | the unused bits before a byte boundary |
/// | | `random:N` | random bits |
///
/// A wrong checksum is refused. Bytes after it are ignored, and never written.
pub struct Deflate;

/// The choices of the encoder.
struct Policies {
    /// CINFO + 8 (RFC 1950, section 2.2).
    window: u32,
    level: u32,
    matches: Policy,
    blocks: Policy,
    coding: Policy,
    tables: Policy,
    spare: Padding,
}

impl Policies {
    fn choose(source: &mut ChoiceSource) -> Result<Self, ChoiceError> {
        // Both numbers are small.
        let window = number(source, "window", 8..=15, 15)? as u32;
        let level = number(source, "level", 0..=3, 2)? as u32;
        Ok(Self { window, level, ..Self::without_header(source)? })
    }

    /// Makes the choices for a stream whose header is fixed, or that has no header.
    fn without_header(source: &mut ChoiceSource) -> Result<Self, ChoiceError> {
        Ok(Self {
            window: 15,
            level: 2,
            matches: Policy::choose(source, "matches", &["greedy", "none"])?,
            blocks: Policy::choose(source, "blocks", &["one"])?,
            coding: Policy::choose(source, "coding", &CODING_WORDS)?,
            tables: Policy::choose(source, "tables", &["lean", "plain", "full"])?,
            spare: Padding::choose(source, "spare bits")?,
        })
    }

    fn write(&self, data: &[u8]) -> Vec<u8> {
        let mut bits = Bits::default();
        // CM 8, FDICT 0; the two bytes are a multiple of 31, CMF the more significant.
        let cmf = (self.window - 8) << 4 | 8;
        let flg = self.level << 6;
        bits.put(cmf, 8);
        bits.put(flg + (31 - (cmf << 8 | flg) % 31) % 31, 8);
        let mut stored = self.stream(data, bits).out;
        stored.extend(adler2::adler32_slice(data).to_be_bytes());
        stored
    }

    /// Appends the blocks of `data`.
    fn stream(&self, data: &[u8], bits: Bits) -> Bits {
        let finder = match (self.matches, self.matches.rng()) {
            (_, Some(rng)) => Finder::Random(Box::new(Odds::new(rng))),
            (Policy::Word(1), _) => Finder::None,
            _ => Finder::Greedy,
        };
        let tokens = tokens(data, finder, 1 << self.window);
        let mut writer = Writer::new(bits, self.blocks, self.coding, self.tables, self.spare);
        writer.write(data, &tokens);
        writer.bits
    }
}

/// Checks the header of a stream (RFC 1950, section 2.2).
fn has_header(stored: &[u8]) -> bool {
    match *stored {
        [cmf, flg, ..] => {
            cmf & 0x0F == 8 && cmf < 0x80 && u16::from_be_bytes([cmf, flg]).is_multiple_of(31)
        }
        _ => false,
    }
}

impl Primitive for Deflate {
    fn signature(&self) -> Signature<'_> {
        Signature::new("deflate").dimensions(&[
            "window",
            "level",
            "matches",
            "blocks",
            "coding",
            "tables",
            "spare bits",
        ])
    }

    fn decode(&self, stored: &[u8], _: &[i128], most: usize) -> Result<Vec<u8>, PrimitiveError> {
        let flags = TINFL_FLAG_PARSE_ZLIB_HEADER
            | TINFL_FLAG_COMPUTE_ADLER32
            | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        // Room for one byte more than expected: without it, the decoder stops before the end.
        let room = most.saturating_add(1);
        let mut out = vec![0; stored.len().saturating_mul(2).clamp(64, 1 << 24).min(room)];
        let mut state = Box::<DecompressorOxide>::default();
        let (mut at, mut length) = (0, 0);
        loop {
            let rest = stored.get(at..).unwrap_or_default();
            let (status, read, written) = decompress(&mut state, rest, &mut out, length, flags);
            at += read;
            length += written;
            match status {
                TINFLStatus::Done => break,
                TINFLStatus::HasMoreOutput if out.len() < room => {
                    out.resize(out.len().saturating_mul(2).min(room), 0);
                }
                TINFLStatus::HasMoreOutput => break,
                // Only data after the end of the stream is missing.
                TINFLStatus::FailedCannotMakeProgress if length >= most => break,
                TINFLStatus::FailedCannotMakeProgress => {
                    return Err(format!("the stream ends after {length} bytes of data").into());
                }
                TINFLStatus::Adler32Mismatch => return Err("the checksum is wrong".into()),
                _ if !has_header(stored) => return Err("the stream has no zlib header".into()),
                _ => {
                    return Err(
                        format!("the stream is damaged after {length} bytes of data").into()
                    );
                }
            }
        }
        out.truncate(length.min(most));
        Ok(out)
    }

    fn encode(
        &self,
        data: &[u8],
        Encoding { lengths, source, .. }: Encoding<'_>,
    ) -> Result<Vec<u8>, EncodeError> {
        of_length(Policies::choose(source)?.write(data), lengths)
    }
}

#[cfg(test)]
mod tests;
