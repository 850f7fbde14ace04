//! Times as hours, minutes and seconds, none of them bounded.
//@ y {"n": SIZE, "t": "20000..200000"}
//@ varies a 4
//@ varies b 15
//@ varies c 15

pub struct In { n: u16, a: [u8; n], b: [u16; n], c: [u16; n] }
pub struct Out { n: u16, t: [u32; n] }

fn times(x: &In, y: &mut Out) {
    y.n = x.n;
    for k in 0..x.n {
        y.t[k] = 3600 * x.a[k] + 60 * x.b[k] + x.c[k];
    }
}
