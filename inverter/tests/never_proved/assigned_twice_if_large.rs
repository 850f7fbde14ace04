//! An element that is assigned twice in pictures of more than 300 x 300 pixels.
//@ says is assigned twice

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
            y.v[r][c] = x.d[r * x.w + c];
        }
    }
    if x.h > 300 && x.w > 300 {
        y.v[5][7] = 1;
    }
}
