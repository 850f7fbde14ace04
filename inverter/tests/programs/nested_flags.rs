//! A flag that only counts if another one is set.
//@ complete
//@ y {"gain": 0, "value": 3}
//@ y {"gain": 2, "value": 6}

pub struct Settings {
    has_gain: u8,
    is_double: u8,
    gain: u8,
    raw: u8,
}

pub struct Reading {
    gain: u8,
    value: u16,
}

pub fn normalize(x: &Settings, y: &mut Reading) {
    assume(x.has_gain <= 1 && x.is_double <= 1);
    if x.has_gain == 1 {
        y.gain = x.gain;
        if x.is_double == 1 {
            y.value = 2 * x.raw;
        } else {
            y.value = x.raw;
        }
    } else {
        y.gain = 0;
        y.value = x.raw;
    }
}
