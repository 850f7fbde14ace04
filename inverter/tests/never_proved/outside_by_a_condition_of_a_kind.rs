//! A condition that reads outside its array, of a kind that no small input has.
//@ says is outside the array

pub struct Stored {
    kind: u16,
    a: u8,
    t: [u8; 200],
}

pub struct Value {
    z: u8,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    if x.kind == 40000 {
        assume(x.t[x.a] == 3);
        y.z = x.a;
    } else {
        assume(x.kind == 1);
        y.z = x.a;
    }
}
