//! Bits packed into bytes, the first one least significant (RFC 1951, section 3.1.1).

/// A stream that is being written.
#[derive(Default)]
pub(super) struct Bits {
    /// The written bytes; fewer than 32 further bits are pending.
    pub(super) out: Vec<u8>,
    pending: u64,
    count: u32,
}

impl Bits {
    /// Writes the `count` least significant bits of `value`, at most 32; the others are zeros.
    pub(super) fn put(&mut self, value: u32, count: u32) {
        self.pending |= u64::from(value) << self.count;
        self.count += count;
        if self.count >= 32 {
            self.out.extend_from_slice(&(self.pending as u32).to_le_bytes());
            self.pending >>= 32;
            self.count -= 32;
        }
    }

    /// Fills the last byte with bits of `spare`, so that all written bits are in `out`.
    pub(super) fn align(&mut self, spare: u8) {
        let left = (8 - self.count % 8) % 8;
        self.put(u32::from(spare) & ((1 << left) - 1), left);
        while self.count > 0 {
            self.out.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }
}
