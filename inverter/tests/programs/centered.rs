//! A picture in the middle of a larger canvas, with the same border on both sides.
//@ complete
//@ y {"width": 2, "pixels": [1, 2]}
//@ y {"width": 1, "pixels": [1]}

pub struct Canvas {
    size: u8,
    border: u8,
    pixels: [u8; size],
}

pub struct Picture {
    width: u8,
    pixels: [u8; width],
}

pub fn normalize(x: &Canvas, y: &mut Picture) {
    assume(x.border <= 3);
    assume(x.size >= 2 * x.border);
    let width = x.size - 2 * x.border;
    y.width = width;
    for k in 0..width {
        y.pixels[k] = x.pixels[x.border + k];
    }
}
