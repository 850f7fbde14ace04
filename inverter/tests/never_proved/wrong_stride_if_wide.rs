//! A stride that is one too large for rows of more than 500 pixels.
//@ says is outside the array

pub struct Stored {
    h: u16,
    w: u16,
    d: [u8; h * w],
}

pub struct Value {
    h: u16,
    w: u16,
    v: [[u8; w]; h],
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.h = x.h;
    y.w = x.w;
    for r in 0..x.h {
        for c in 0..x.w {
            y.v[r][c] = x.d[r * (x.w + x.w / 501) + c];
        }
    }
}
