//! Nothing says that an entry is a place in the table.
//@ refuted symbolic x.a[x.t[k]] is inside: n = 1: x.a[1] is outside the array, whose length is 1
struct In { n: u8, t: [u8; n], a: [u8; n] }
struct Out { n: u8, v: [u8; n] }

fn normalize(x: &In, y: &mut Out) {
    y.n = x.n;
    for k in 0..x.n {
        y.v[k] = x.a[x.t[k]];
    }
}
