struct X { n: u32, d: [u8; n] }
struct Y { n: u32, d: [u8; n] }
fn normalize(x: &X, y: &mut Y) {
    assume(x.n >= 200000000);
    y.n = x.n;
    for i in 0..x.n {
        y.d[i] = x.d[i];
    }
}
