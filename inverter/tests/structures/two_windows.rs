//! One window before another, on a ground of zeros.
//@ kind guard
//@ y {"w": 6, "v": [0, 1, 2, 3, 0, 0]}
//@ y {"w": 200, "v": {"cycle": [0, 5, 6, 0, 7], "length": 200}}

pub struct Stored {
    w: u8,
    near: u8,
    near_width: u8,
    far: u8,
    far_width: u8,
    front: [u8; near_width],
    back: [u8; far_width],
}

pub struct Line {
    w: u8,
    v: [u8; w],
}

pub fn normalize(x: &Stored, y: &mut Line) {
    y.w = x.w;
    assume(x.near + x.near_width <= x.w);
    assume(x.far + x.far_width <= x.w);
    for c in 0..x.w {
        if c >= x.near && c < x.near + x.near_width {
            y.v[c] = x.front[c - x.near];
        } else if c >= x.far && c < x.far + x.far_width {
            y.v[c] = x.back[c - x.far];
        } else {
            y.v[c] = 0;
        }
    }
}
