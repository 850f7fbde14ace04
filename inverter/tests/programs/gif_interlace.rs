//! Row order of an interlaced GIF: every eighth row, then those half-way, and so on; or the
//! plain order, as a flag says.
//@ complete
//@ y {"height": 5, "rows": [1, 2, 3, 4, 5]}
//@ y {"height": 1, "rows": [1]}

pub struct Stored {
    height: u8,
    interlaced: u8,
    rows: [u8; height],
}

pub struct Image {
    height: u8,
    rows: [u8; height],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    y.height = x.height;
    assume(x.interlaced <= 1);
    let second = div_ceil(x.height, 4);
    let third = div_ceil(x.height, 2);
    if x.interlaced == 1 {
        for i in 0..second {
            y.rows[4 * i] = x.rows[i];
        }
        for i in 0..third - second {
            y.rows[4 * i + 2] = x.rows[second + i];
        }
        for i in 0..x.height - third {
            y.rows[2 * i + 1] = x.rows[third + i];
        }
    } else {
        for i in 0..x.height {
            y.rows[i] = x.rows[i];
        }
    }
}
