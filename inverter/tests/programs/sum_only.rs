//! Just the sum: one input is free, within what the other can still make up for.
//@ complete
//@ y {"sum": 3}
//@ y {"sum": 510}

pub struct X {
    x1: u8,
    x2: u8,
}

pub struct Y {
    sum: u16,
}

pub fn normalize(x: &X, y: &mut Y) {
    y.sum = x.x1 + x.x2;
}
