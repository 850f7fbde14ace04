//@ incomplete: of several unknowns of one equation Z3 finds some values
//@ y {"v": 9, "w": 7}
//! One branch determines `b`, another asks for it by a condition, a third leaves it free.

pub struct X {
    kind: u8,
    a: u8,
    b: u8,
    c: u8,
}

pub struct Y {
    v: i64,
    w: i64,
}

pub fn normalize(x: &X, y: &mut Y) {
    if x.kind == 0 {
        y.v = 2 * x.a + x.b;
        y.w = x.c;
    } else {
        if x.kind == 1 {
            y.v = x.a;
            y.w = x.b;
        } else {
            y.v = x.a;
            y.w = x.c;
        }
    }
}
