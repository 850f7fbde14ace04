//! The last element is not there, unless there is none.
//@ refuted symbolic x.a[k + 1] is inside: n = 1: x.a[1] is outside the array, whose length is 1
struct In { n: u8, a: [u8; n] }
struct Out { n: u8, v: [u8; n] }

fn normalize(x: &In, y: &mut Out) {
    y.n = x.n;
    for k in 0..x.n {
        y.v[k] = x.a[k + 1];
    }
}
