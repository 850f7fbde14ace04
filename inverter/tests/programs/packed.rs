//@ incomplete: an encoder's streams are not enumerated
//@ y {"height": 2, "width": 3, "data": [7, 7, 7, 7, 0, 9]}
//! A picture as one PackBits stream, whose length nobody tells.

pub struct Packed {
    height: u8,
    width: u8,
    stream: [u8],
}

pub struct Picture {
    height: u8,
    width: u8,
    data: [u8; height * width],
}

pub fn normalize(x: &Packed, y: &mut Picture) {
    y.height = x.height;
    y.width = x.width;
    y.data = packbits(x.stream);
}
