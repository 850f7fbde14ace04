struct X { k: u8, v: u8 }
struct Y { v: u8 }
fn normalize(x: &X, y: &mut Y) {
    y.v = x.v;
    if x.k < 300 {
        assume(x.k > 300);
    }
}
