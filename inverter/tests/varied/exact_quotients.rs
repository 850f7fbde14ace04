//! Numbers as quotients of numbers and divisors.
//@ y {"n": SIZE, "v": "0..60000"}
//@ varies g 18

pub struct In { n: u16, g: [u8; n], w: [u32; n] }
pub struct Out { n: u16, v: [u16; n] }

fn fractions(x: &In, y: &mut Out) {
    y.n = x.n;
    for k in 0..x.n {
        assume(x.g[k] >= 1 && x.w[k] % x.g[k] == 0);
        y.v[k] = x.w[k] / x.g[k];
    }
}
