//! An assumption rules an input out wherever it stands.
//@ proved
struct In { n: u8, m: u8, a: [u8; n] }
struct Out { m: u8, v: [u8; m] }

fn normalize(x: &In, y: &mut Out) {
    y.m = x.m;
    for k in 0..x.m {
        y.v[k] = x.a[k];
    }
    assume(x.m <= x.n);
}
