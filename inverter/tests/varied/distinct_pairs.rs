//! Pairs that all differ, of 10 times 12.
//@ y {"n": SIZE, "v": "0..256"}
//@ sizes 4 10 40
//@ varies a 8
//@ varies b 8

pub struct In { n: u8, a: [u8; n], b: [u8; n], v: [u8; n] }
pub struct Out { n: u8, v: [u8; n] }

fn normalize(x: &In, y: &mut Out) {
    y.n = x.n;
    for i in 0..x.n {
        assume(x.a[i] < 10 && x.b[i] < 12);
        for j in 0..i { assume(x.a[i] != x.a[j] || x.b[i] != x.b[j]); }
        y.v[i] = x.v[i];
    }
}
