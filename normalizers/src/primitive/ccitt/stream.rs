//! Streams of bits, the most significant of each byte first.

use inverter::primitive::PrimitiveError;

/// The bits of an end of line: eleven zeros and a one.
pub const EOL: (u32, u32) = (1, 12);
/// The number of zeros of an end of line.
const ZEROS: usize = 11;

/// Writes bits.
#[derive(Default)]
pub struct Writer {
    bytes: Vec<u8>,
    /// Bits that do not fill a byte yet, at the least significant end.
    pending: u32,
    /// The number of pending bits: 0 to 7.
    count: u32,
}

impl Writer {
    /// Adds the least significant `length` bits (at most 24) of `bits`.
    pub fn put(&mut self, bits: u32, length: u32) {
        self.pending = self.pending << length | bits;
        self.count += length;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.pending >> self.count) as u8);
            self.pending &= (1 << self.count) - 1;
        }
    }

    /// Adds bits of `filler` up to the end of a byte.
    pub fn align(&mut self, filler: u8) {
        let free = (8 - self.count) % 8;
        self.put(u32::from(filler) & ((1 << free) - 1), free);
    }

    /// The number of bits that are written to the last byte: 0 to 7.
    pub fn phase(&self) -> u32 {
        self.count
    }

    /// The number of bits.
    #[cfg(test)]
    pub fn length(&self) -> usize {
        8 * self.bytes.len() + self.count as usize
    }

    /// The bytes; unused bits of the last are zero.
    pub fn finish(mut self) -> Vec<u8> {
        self.align(0);
        self.bytes
    }
}

/// Reads bits. Peeking beyond the end returns zeros, but they cannot be consumed.
pub struct Reader<'a> {
    bytes: &'a [u8],
    /// The number of bits that were read.
    at: usize,
}

impl<'a> Reader<'a> {
    /// Reads from the first bit of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next `length` bits, at most 24.
    pub fn peek(&self, length: u32) -> u32 {
        let byte = |k: usize| u32::from(self.bytes.get(self.at / 8 + k).copied().unwrap_or(0));
        let window = (0..4).fold(0, |window, k| window << 8 | byte(k));
        window << (self.at % 8) >> (32 - length)
    }

    /// Takes `length` bits.
    pub fn skip(&mut self, length: usize) -> Result<(), String> {
        if length > self.left() {
            return Err("the stream ends inside a code".to_owned());
        }
        self.at += length;
        Ok(())
    }

    /// Consumes the rest of a partly read byte.
    pub fn align(&mut self) {
        self.at = self.at.next_multiple_of(8);
    }

    /// The number of bits that are left.
    pub fn left(&self) -> usize {
        (8 * self.bytes.len()).saturating_sub(self.at)
    }

    /// The number of zeros that come next; `None` if nothing else is left.
    fn zeros(&self) -> Option<usize> {
        let mut at = self.at;
        while let Some(byte) = self.bytes.get(at / 8) {
            let rest = byte << (at % 8);
            if rest != 0 {
                return Some(at + rest.leading_zeros() as usize - self.at);
            }
            at = (at / 8 + 1) * 8;
        }
        None
    }

    /// Returns true if only zeros, or nothing, are left.
    pub fn is_over(&self) -> bool {
        self.zeros().is_none()
    }

    /// Consumes an end of line with the fill before it; returns true if there was one.
    pub fn take_eol(&mut self) -> bool {
        let zeros = self.zeros().filter(|zeros| *zeros >= ZEROS);
        self.at += zeros.map_or(0, |zeros| zeros + 1);
        zeros.is_some()
    }

    /// Returns an error at this position.
    pub fn wrong(&self, what: &str) -> PrimitiveError {
        format!("{what} at bit {} of byte {}", self.at % 8, self.at / 8).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back() {
        let mut out = Writer::default();
        out.put(0b101, 3);
        out.put(0xABCDE, 20);
        out.align(0xFF);
        out.put(1, 1);
        let bytes = out.finish();
        assert_eq!(bytes, [0b1011_0101, 0b0111_1001, 0b1011_1101, 0x80]);
        let mut reader = Reader::new(&bytes);
        assert_eq!(reader.peek(3), 0b101);
        reader.skip(3).unwrap();
        assert_eq!(reader.peek(20), 0xABCDE);
        reader.skip(20).unwrap();
        reader.align();
        assert_eq!((reader.left(), reader.peek(13)), (8, 1 << 12));
        assert!(reader.skip(9).is_err() && !reader.is_over());
        reader.skip(1).unwrap();
        assert!(reader.is_over());
    }

    #[test]
    fn an_end_of_line_has_any_fill() {
        let mut reader = Reader::new(&[0, 0b0001_0000, 0, 0, 0b1000_0000, 0b0001_0000]);
        assert!(reader.take_eol() && reader.take_eol());
        assert_eq!(reader.left(), 15);
        assert!(!reader.take_eol(), "these are ten zeros");
    }
}
