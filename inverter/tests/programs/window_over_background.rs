//! A frame inside a screen, whose other pixels have the background's color.
//@ complete
//@ y {"w": 3, "px": [0, 7, 0]}
//@ y {"w": 6, "px": [0, 0, 7, 8, 0, 0]}
//@ x {"w": 6, "left": 2, "fw": 2, "bg": 0, "f": [7, 8]}
//@ x {"w": 6, "left": 1, "fw": 5, "bg": 0, "f": [0, 7, 8, 0, 0]}

pub struct In {
    w: u8,
    left: u8,
    fw: u8,
    bg: u8,
    f: [u8; fw],
}

pub struct Out {
    w: u8,
    px: [u8; w],
}

pub fn normalize(x: &In, y: &mut Out) {
    y.w = x.w;
    assume(x.left + x.fw <= x.w);
    for c in 0..x.w {
        if c >= x.left && c < x.left + x.fw {
            y.px[c] = x.f[c - x.left];
        } else {
            y.px[c] = x.bg;
        }
    }
}
