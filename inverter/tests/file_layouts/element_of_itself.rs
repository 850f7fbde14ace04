//@ y {"c": 7}
//@ y {"c": 0}
//@ y {"c": 255}
//@ loss: the array has no length of its own
struct Msg { b: [u8] }
struct Val { c: u8 }

/// A byte says where the value is: the length of the array depends on an element of it.
fn normalize(x: &Msg, y: &mut Val) {
    y.c = x.b[x.b[0]];
}
