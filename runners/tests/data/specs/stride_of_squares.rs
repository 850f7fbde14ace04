struct X { n: u16, w: u16, d: [u8] }
struct Y { n: u16, v: [u8; n] }
fn normalize(x: &X, y: &mut Y) {
    y.n = x.n;
    assume(x.n <= 5000);
    assume(x.w >= 1);
    for i in 0..x.n {
        y.v[i] = x.d[(i * i * x.w) % 4096];
    }
}
