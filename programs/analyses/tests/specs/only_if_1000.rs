//! No small input is refused, and no proof may say that none is.
//@ not proved x.a[k + (k + 1) / 1000] is inside
struct In { n: u16, a: [u8; n] }
struct Out { n: u16, v: [u8; n] }

fn normalize(x: &In, y: &mut Out) {
    y.n = x.n;
    for k in 0..x.n {
        y.v[k] = x.a[k + (k + 1) / 1000];
    }
}
