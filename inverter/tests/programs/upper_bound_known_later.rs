//! A capacity that is checked only after it has been used.
//@ complete
//@ y {"n": 2, "data": [1, 2]}

pub struct Buffer {
    n: u8,
    capacity: u8,
    data: [u8; capacity],
}

pub struct Data {
    n: u8,
    data: [u8; n],
}

pub fn normalize(x: &Buffer, y: &mut Data) {
    y.n = x.n;
    for k in 0..x.n {
        y.data[k] = x.data[k];
    }
    assume(x.capacity <= 9 && x.capacity % 3 == 0);
}
