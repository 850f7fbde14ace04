//! The sum of two elements, one of which may be outside the array, of a kind that no small input has.
//@ says is outside the array

pub struct Stored {
    kind: u16,
    a: u8,
    b: u8,
    t: [u8; 200],
}

pub struct Value {
    z: u8,
    w: u8,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.w = x.b;
    if x.kind == 40000 {
        assume(x.t[x.a] + x.t[(x.a * 7 + 3) % 200] == 300);
        y.z = x.a;
    } else {
        assume(x.kind == 1);
        y.z = x.a;
    }
}
