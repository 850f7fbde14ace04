//! Fields of a byte by masks and shifts.
//@ refused: bit operations; write `/` and `%`

pub struct Packed {
    byte: u8,
}

pub struct Fields {
    high: u8,
    low: u8,
}

pub fn normalize(x: &Packed, y: &mut Fields) {
    y.high = x.byte >> 4;
    y.low = x.byte & 15;
}
