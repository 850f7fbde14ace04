//! An exponent with a bias, and a scale in half units.
//@ complete
//@ y {"exponent": -3, "half_units": 5}
//@ y {"exponent": 128, "half_units": 0}

pub struct Stored {
    exponent: u8,
    quarters: u16,
}

pub struct Number {
    exponent: i16,
    half_units: u16,
}

pub fn normalize(x: &Stored, y: &mut Number) {
    y.exponent = x.exponent - 127;
    y.half_units = x.quarters / 2;
}
