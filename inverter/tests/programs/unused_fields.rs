//! A header with fields that nobody reads: anything may stand there.
//@ complete
//@ y {"width": 3}

pub struct Header {
    width: u8,
    author: [u8; 2],
    reserved: u8,
    comment: [u8],
}

pub struct Width {
    width: u8,
}

pub fn normalize(x: &Header, y: &mut Width) {
    y.width = x.width;
}
