//! A text with its length, and a zero behind it that must be there.
//@ complete
//@ y {"n": 2, "text": [65, 66]}
//@ y {"n": 0, "text": []}

pub struct Stored {
    n: u8,
    bytes: [u8; n + 1],
}

pub struct Text {
    n: u8,
    text: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Text) {
    y.n = x.n;
    assume(x.bytes[x.n] == 0);
    for k in 0..x.n {
        assume(x.bytes[k] != 0);
        y.text[k] = x.bytes[k];
    }
}
