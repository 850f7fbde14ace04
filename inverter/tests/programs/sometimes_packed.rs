//@ incomplete: an encoder's streams are not enumerated
//@ y {"n": 5, "data": [1, 1, 1, 2, 3]}
//! A flag says whether bytes are packed; what the other way would have used is free.

pub struct Stored {
    n: u8,
    packed: u8,
    byte_count: u16,
    #[element("packed data")]
    stream: [u8; byte_count],
    raw: [u8],
}

pub struct Bytes {
    n: u8,
    data: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Bytes) {
    y.n = x.n;
    assume(x.packed <= 1);
    if x.packed == 1 {
        y.data = packbits(x.stream);
    } else {
        for i in 0..x.n {
            y.data[i] = x.raw[i];
        }
    }
}
