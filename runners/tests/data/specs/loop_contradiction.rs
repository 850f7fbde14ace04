struct X { n: u8, a: [u8; n] }
struct Y { n: u8, a: [u8; n] }
fn normalize(x: &X, y: &mut Y) {
    assume(x.n >= 2);
    y.n = x.n;
    for i in 0..x.n {
        assume(x.a[i] > 5);
        assume(x.a[i] < 3);
        y.a[i] = x.a[i];
    }
}
