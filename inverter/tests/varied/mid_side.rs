//! Left and right channels, or mid and side, by a mode.
//@ y {"n": SIZE, "left": "-99..99", "right": "-99..99"}
//@ varies mode 2

pub struct In { mode: u8, n: u8, a: [i32; n], b: [i32; n] }
pub struct Out { n: u8, left: [i16; n], right: [i16; n] }

fn mid_side(x: &In, y: &mut Out) {
    assume(x.mode <= 1);
    y.n = x.n;
    for k in 0..x.n {
        if x.mode == 0 {
            y.left[k] = x.a[k];
            y.right[k] = x.b[k];
        } else {
            y.left[k] = (2 * x.a[k] + x.b[k] % 2 + x.b[k]) / 2;
            y.right[k] = (2 * x.a[k] + x.b[k] % 2 - x.b[k]) / 2;
        }
    }
}
