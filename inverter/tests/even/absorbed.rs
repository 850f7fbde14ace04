//! Minimum and maximum of what they contain: the second byte changes nothing.
//@ y {"z": 3}

pub struct Stored {
    a: u8,
    b: u8,
}

pub struct Value {
    z: u8,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    y.z = min(x.a, max(x.b, min(x.a, max(x.b, min(x.a, max(x.b, min(x.a, max(x.b, min(x.a, max(x.b, min(x.a, max(x.b, min(x.a, max(x.b, x.a))))))))))))));
}
