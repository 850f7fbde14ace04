//! An output is longer than it says.
//@ refuted symbolic y.v[k] is inside: n = 1: v[0] is outside the array, whose length there is 0
//@ refuted search y.v has each element assigned once
struct In { n: u8, a: [u8; n] }
struct Out { n: u8, v: [u8; n] }

fn normalize(x: &In, y: &mut Out) {
    y.n = x.n / 2;
    for k in 0..x.n {
        y.v[k] = x.a[k];
    }
}
