//! A size of 16 bits whose bytes come in either order.
//@ complete
//@ values 3
//@ y {"size": 258}
//@ y {"size": 0}

pub struct Stored {
    big: u8,
    first: u8,
    second: u8,
}

pub struct Size {
    size: u16,
}

pub fn normalize(x: &Stored, y: &mut Size) {
    assume(x.big <= 1);
    let high = x.big * x.first + (1 - x.big) * x.second;
    let low = x.big * x.second + (1 - x.big) * x.first;
    y.size = 256 * high + low;
}
