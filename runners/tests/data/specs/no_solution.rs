struct X { a: u32, b: u32 }
struct Y { v: u32 }
// The root of 3 is not rational, which Z3 does not see.
fn normalize(x: &X, y: &mut Y) {
    assume(x.a >= 1);
    assume(x.a * x.a == 3 * x.b * x.b);
    y.v = x.a;
}
