//! A header of two 16-bit words as bytes in either order; the mark says which.
//@ complete
//@ y {"height": 258, "width": 3}
//@ x {"mark": 73, "height_first": 2, "height_second": 1, "width_first": 3, "width_second": 0}

pub struct Header {
    mark: u8,
    height_first: u8,
    height_second: u8,
    width_first: u8,
    width_second: u8,
}

pub struct Sizes {
    height: u16,
    width: u16,
}

pub fn normalize(x: &Header, y: &mut Sizes) {
    assume(x.mark == b'I' || x.mark == b'M');
    if x.mark == b'M' {
        y.height = 256 * x.height_first + x.height_second;
        y.width = 256 * x.width_first + x.width_second;
    } else {
        y.height = x.height_first + 256 * x.height_second;
        y.width = x.width_first + 256 * x.width_second;
    }
}
