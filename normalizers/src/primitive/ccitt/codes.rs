//! The codes of runs: TIFF 6.0, section 10, tables 1 and 2 (those of ITU-T T.4).
//!
//! A run consists of any number of make-up codes, which represent parts of 64 to 2560, and one terminating code, which
//! represents the rest of 0 to 63.

use inverter::primitive::PrimitiveError;
use std::sync::LazyLock;

use super::stream::{Reader, Writer};

/// The maximum length of a code, in bits.
const LONGEST: u32 = 13;
/// The greatest length that a make-up code represents.
const LONGEST_PART: usize = 2560;

/// The codes of one colour.
pub struct Codes {
    /// The code and its length by run: 0 to 63, then 64, 128, and so on up to 2560.
    of: Vec<(u32, u32)>,
    /// The run and its code length, indexed by the next 13 bits; length 0 if they do not start with a code.
    begins: Vec<(u16, u8)>,
}

static WHITE: LazyLock<Codes> = LazyLock::new(|| Codes::new(&WHITE_ENDS, &WHITE_PARTS));
static BLACK: LazyLock<Codes> = LazyLock::new(|| Codes::new(&BLACK_ENDS, &BLACK_PARTS));

impl Codes {
    /// The codes of black runs or of white ones.
    pub fn of(black: bool) -> &'static Codes {
        if black { &BLACK } else { &WHITE }
    }

    fn new(ends: &[&str], parts: &[&str]) -> Codes {
        let mut codes = Codes { of: Vec::new(), begins: vec![(0, 0); 1 << LONGEST] };
        for (k, text) in ends.iter().chain(parts).chain(&LONG_PARTS).enumerate() {
            let run = if k < 64 { k } else { 64 * (k - 63) };
            let bits = text.bytes().fold(0, |bits, digit| bits << 1 | u32::from(digit == b'1'));
            let length = text.len() as u32;
            codes.of.push((bits, length));
            let free = LONGEST - length;
            for rest in 0..1 << free {
                codes.begins[(bits << free | rest) as usize] = (run as u16, length as u8);
            }
        }
        codes
    }

    /// Writes a run as T.4 does: make-up codes for 2560 as long as they fit, then the longest make-up code that fits,
    /// and the terminating code.
    pub fn write(&self, mut run: usize, out: &mut Writer) {
        while run >= 64 {
            let part = run.min(LONGEST_PART) / 64;
            let (bits, length) = self.of[63 + part];
            out.put(bits, length);
            run -= 64 * part;
        }
        let (bits, length) = self.of[run];
        out.put(bits, length);
    }

    /// Reads a run of at most `most`.
    pub fn read(&self, stored: &mut Reader, most: usize) -> Result<usize, PrimitiveError> {
        let mut run = 0;
        loop {
            let (part, length) = self.begins[stored.peek(LONGEST) as usize];
            if length == 0 {
                return Err(stored.wrong("no run begins"));
            }
            stored.skip(length.into())?;
            run += usize::from(part);
            if run > most {
                return Err(stored.wrong("a run ends past the end of its row"));
            }
            if part < 64 {
                return Ok(run);
            }
        }
    }
}

/// White runs of 0 to 63.
const WHITE_ENDS: [&str; 64] = [
    "00110101", "000111", "0111", "1000", "1011", "1100", "1110", "1111", "10011", "10100",
    "00111", "01000", "001000", "000011", "110100", "110101", "101010", "101011", "0100111",
    "0001100", "0001000", "0010111", "0000011", "0000100", "0101000", "0101011", "0010011",
    "0100100", "0011000", "00000010", "00000011", "00011010", "00011011", "00010010", "00010011",
    "00010100", "00010101", "00010110", "00010111", "00101000", "00101001", "00101010", "00101011",
    "00101100", "00101101", "00000100", "00000101", "00001010", "00001011", "01010010", "01010011",
    "01010100", "01010101", "00100100", "00100101", "01011000", "01011001", "01011010", "01011011",
    "01001010", "01001011", "00110010", "00110011", "00110100",
];

/// Black runs of 0 to 63.
const BLACK_ENDS: [&str; 64] = [
    "0000110111",
    "010",
    "11",
    "10",
    "011",
    "0011",
    "0010",
    "00011",
    "000101",
    "000100",
    "0000100",
    "0000101",
    "0000111",
    "00000100",
    "00000111",
    "000011000",
    "0000010111",
    "0000011000",
    "0000001000",
    "00001100111",
    "00001101000",
    "00001101100",
    "00000110111",
    "00000101000",
    "00000010111",
    "00000011000",
    "000011001010",
    "000011001011",
    "000011001100",
    "000011001101",
    "000001101000",
    "000001101001",
    "000001101010",
    "000001101011",
    "000011010010",
    "000011010011",
    "000011010100",
    "000011010101",
    "000011010110",
    "000011010111",
    "000001101100",
    "000001101101",
    "000011011010",
    "000011011011",
    "000001010100",
    "000001010101",
    "000001010110",
    "000001010111",
    "000001100100",
    "000001100101",
    "000001010010",
    "000001010011",
    "000000100100",
    "000000110111",
    "000000111000",
    "000000100111",
    "000000101000",
    "000001011000",
    "000001011001",
    "000000101011",
    "000000101100",
    "000001011010",
    "000001100110",
    "000001100111",
];

/// White parts of 64 to 1728, in steps of 64.
const WHITE_PARTS: [&str; 27] = [
    "11011",
    "10010",
    "010111",
    "0110111",
    "00110110",
    "00110111",
    "01100100",
    "01100101",
    "01101000",
    "01100111",
    "011001100",
    "011001101",
    "011010010",
    "011010011",
    "011010100",
    "011010101",
    "011010110",
    "011010111",
    "011011000",
    "011011001",
    "011011010",
    "011011011",
    "010011000",
    "010011001",
    "010011010",
    "011000",
    "010011011",
];

/// Black parts of 64 to 1728, in steps of 64.
const BLACK_PARTS: [&str; 27] = [
    "0000001111",
    "000011001000",
    "000011001001",
    "000001011011",
    "000000110011",
    "000000110100",
    "000000110101",
    "0000001101100",
    "0000001101101",
    "0000001001010",
    "0000001001011",
    "0000001001100",
    "0000001001101",
    "0000001110010",
    "0000001110011",
    "0000001110100",
    "0000001110101",
    "0000001110110",
    "0000001110111",
    "0000001010010",
    "0000001010011",
    "0000001010100",
    "0000001010101",
    "0000001011010",
    "0000001011011",
    "0000001100100",
    "0000001100101",
];

/// Parts of 1792 to 2560 of either colour, in steps of 64.
const LONG_PARTS: [&str; 13] = [
    "00000001000",
    "00000001100",
    "00000001101",
    "000000010010",
    "000000010011",
    "000000010100",
    "000000010101",
    "000000010110",
    "000000010111",
    "000000011100",
    "000000011101",
    "000000011110",
    "000000011111",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_begins_another_and_none_looks_like_the_end_of_a_line() {
        for codes in [&*WHITE, &*BLACK] {
            let all = || codes.of.iter().enumerate();
            assert_eq!(codes.of.len(), 64 + 27 + 13);
            for (j, (a, long)) in all() {
                for (k, (b, short)) in all() {
                    assert!(j == k || short > long || a >> (long - short) != *b, "{j} {k}");
                }
                assert!(a >> long.saturating_sub(8) != 0, "{j}: 8 zeros or more");
            }
        }
    }

    #[test]
    fn runs_of_any_length() {
        for black in [false, true] {
            for run in [0, 1, 63, 64, 65, 1791, 1792, 2559, 2560, 2623, 2624, 5120, 9999] {
                let mut out = Writer::default();
                Codes::of(black).write(run, &mut out);
                let stored = out.finish();
                let mut reader = Reader::new(&stored);
                assert_eq!(Codes::of(black).read(&mut reader, run), Ok(run));
                assert!(
                    Codes::of(black).read(&mut Reader::new(&stored), run - run.min(1)).is_err()
                        || run == 0
                );
            }
        }
        let mut out = Writer::default();
        // The parts 2560, 2560, 64 and 2.
        Codes::of(true).write(5186, &mut out);
        assert_eq!(out.length(), 12 + 12 + 10 + 2);
    }
}
