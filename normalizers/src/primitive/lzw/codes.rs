//! Packs codes into bytes, each in the width that a reader expects at its position.

/// Empties the table.
pub(super) const CLEAR: u16 = 256;
/// Ends the stream.
pub(super) const EOI: u16 = 257;
/// The first entry that is added to the table.
pub(super) const FIRST: usize = 258;
/// The maximum number of codes after a Clear: the last of them adds entry 4094, and there is no room for another.
pub(super) const FULL: usize = 4094 - FIRST + 1;

/// A stream that is being written.
#[derive(Default)]
pub(super) struct Codes {
    out: Vec<u8>,
    /// Bits that do not fill a byte yet, the last one least significant.
    pending: u32,
    bits: u32,
    since_clear: usize,
}

impl Codes {
    /// The number of codes after the last Clear.
    pub(super) fn since_clear(&self) -> usize {
        self.since_clear
    }

    /// The width of the next code. It follows the reader's table, which is one entry behind the writer's, because the
    /// entry that a code adds is known only from the next code.
    fn width(&self) -> u32 {
        match FIRST + self.since_clear.saturating_sub(1) {
            0..511 => 9,
            511..1023 => 10,
            1023..2047 => 11,
            _ => 12,
        }
    }

    pub(super) fn put(&mut self, code: u16) {
        let width = self.width();
        self.pending = self.pending << width | u32::from(code);
        self.bits += width;
        while self.bits >= 8 {
            self.bits -= 8;
            self.out.push((self.pending >> self.bits) as u8);
        }
        self.since_clear = if code == CLEAR { 0 } else { self.since_clear + 1 };
    }

    /// Returns the bytes; the unused bits of the last one are those of `spare`.
    pub(super) fn finish(mut self, spare: u8) -> Vec<u8> {
        if self.bits > 0 {
            let last = (self.pending << (8 - self.bits)) as u8;
            self.out.push(last | (spare >> self.bits));
        }
        self.out
    }
}
