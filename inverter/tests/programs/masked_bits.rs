//! Fields of a byte by masks and shifts.
//@ complete
//@ y {"high": 3, "low": 5, "middle": 48}
//@ x {"byte": 53}

pub struct Packed {
    byte: u8,
}

pub struct Fields {
    high: u8,
    low: u8,
    middle: u8,
}

const LOW: u8 = (1 << 4) - 1;

pub fn normalize(x: &Packed, y: &mut Fields) {
    y.high = x.byte >> 4;
    y.low = x.byte & LOW;
    y.middle = x.byte & 0x30;
}
