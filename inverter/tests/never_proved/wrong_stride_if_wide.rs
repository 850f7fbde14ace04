//! Rows whose distance is wrong if they are wider than 500.
//@ says outside the array

pub struct Stored {
    h: u8,
    w: u16,
    d: [u8; h * w],
}

pub struct Value {
    h: u8,
    w: u16,
    v: [[u8; w]; h],
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.h = x.h;
    y.w = x.w;
    for r in 0..x.h {
        for c in 0..x.w {
            y.v[r][c] = x.d[r * max(x.w, 2 * x.w - 500) + c];
        }
    }
}
