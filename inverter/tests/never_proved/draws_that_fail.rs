//! A stream that mostly cannot be as long as the spec demands.
//@ says draws fail

pub struct Stored {
    n: u8,
    stream: [u8; n],
}

pub struct Value {
    n: u8,
    data: [u8; 4],
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.n = x.n;
    assume(x.n <= 200);
    y.data = packbits(x.stream);
}
