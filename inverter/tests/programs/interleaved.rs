//! Three planes from interleaved samples: three statements write one array.
//@ complete
//@ y {"height": 1, "width": 2, "red": [[1, 2]], "green": [[3, 4]], "blue": [[5, 5]]}

pub struct Packed {
    height: u16,
    width: u16,
    samples: [u8],
}

pub struct Planes {
    height: u16,
    width: u16,
    red: [[u8; width]; height],
    green: [[u8; width]; height],
    blue: [[u8; width]; height],
}

pub fn normalize(x: &Packed, y: &mut Planes) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            y.red[i][j] = x.samples[3 * (i * x.width + j)];
            y.green[i][j] = x.samples[3 * (i * x.width + j) + 1];
            y.blue[i][j] = x.samples[3 * (i * x.width + j) + 2];
        }
    }
}
