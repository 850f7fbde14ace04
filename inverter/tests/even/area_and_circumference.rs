//! Two products that share factors.
//@ y {"area": 24, "rim": 20}
//@ y {"area": 36, "rim": 24}
//@ within a 0..=15
//@ within b 0..=15
//@ within c 0..=15
//@ within d 0..=15

pub struct Stored {
    a: u8,
    b: u8,
    c: u8,
    d: u8,
}

pub struct Value {
    area: u16,
    rim: u16,
}

pub fn normalize(x: &Stored, y: &mut Value) {
    assume(x.a <= 15 && x.b <= 15 && x.c <= 15 && x.d <= 15);
    y.area = x.a * x.b;
    y.rim = x.a + x.b + x.c * x.d;
}
