//! A picture stored small, with a factor by which rows are repeated.
//@ complete
//@ y {"height": 2, "rows": [4, 4]}
//@ y {"height": 3, "rows": [4, 4, 5]}

pub struct Small {
    height: u8,
    factor: u8,
    rows: [u8; div_ceil(height, factor)],
}

pub struct Large {
    height: u8,
    rows: [u8; height],
}

pub fn normalize(x: &Small, y: &mut Large) {
    assume(x.factor >= 1 && x.factor <= 4);
    y.height = x.height;
    for i in 0..x.height {
        y.rows[i] = x.rows[i / x.factor];
    }
}
