//! Numbers below 255 are a byte, or that byte after a 255; the others follow as two more bytes.
//@ kind guard
//@ y {"n": 4, "value": [0, 254, 255, 65535]}
//@ y {"n": 4000, "value": {"cycle": [3, 200, 300, 65535, 254], "length": 4000}}

pub struct Stored {
    n: u16,
    short: [u8; n],
    long: [u16; n],
}

pub struct Numbers {
    n: u16,
    value: [u16; n],
}

pub fn normalize(x: &Stored, y: &mut Numbers) {
    y.n = x.n;
    for k in 0..x.n {
        if x.short[k] == 255 {
            y.value[k] = x.long[k];
        } else {
            y.value[k] = x.short[k];
        }
    }
}
