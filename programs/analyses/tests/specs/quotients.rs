//! Bits in whole bytes and in whole words: quotients in lengths, and a remainder in an index.
//@ proved
struct In { bits: u16, bytes: [u8; div_ceil(bits, 32) * 4], mask: [u8; 8] }
struct Out { bits: u16, v: [u8; (bits + 7) / 8], w: [u8; bits] }

fn normalize(x: &In, y: &mut Out) {
    y.bits = x.bits;
    for b in 0..div_ceil(x.bits, 8) {
        y.v[b] = x.bytes[b];
    }
    for b in 0..x.bits {
        y.w[b] = x.mask[b % 8];
    }
}
