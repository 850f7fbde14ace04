//! A header's two words, high byte first, as four bytes of an array.
//@ complete
//@ values 3
//@ y {"height": 258, "width": 3}

pub struct Header {
    bytes: [u8; 4],
}

pub struct Sizes {
    height: u16,
    width: u16,
}

pub fn normalize(x: &Header, y: &mut Sizes) {
    y.height = 256 * x.bytes[0] + x.bytes[1];
    y.width = 256 * x.bytes[2] + x.bytes[3];
}
