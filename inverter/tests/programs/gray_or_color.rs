//! A picture whose pixels have three samples, or one if every pixel is gray.
//@ complete
//@ y {"n": 2, "red": [1, 2], "green": [1, 2], "blue": [1, 2]}
//@ y {"n": 2, "red": [1, 2], "green": [1, 2], "blue": [1, 3]}

pub struct Stored {
    n: u8,
    gray: u8,
    samples: [u8],
}

pub struct Image {
    n: u8,
    red: [u8; n],
    green: [u8; n],
    blue: [u8; n],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    y.n = x.n;
    assume(x.gray <= 1);
    for k in 0..x.n {
        if x.gray == 1 {
            y.red[k] = x.samples[k];
            y.green[k] = x.samples[k];
            y.blue[k] = x.samples[k];
        } else {
            y.red[k] = x.samples[3 * k];
            y.green[k] = x.samples[3 * k + 1];
            y.blue[k] = x.samples[3 * k + 2];
        }
    }
}
