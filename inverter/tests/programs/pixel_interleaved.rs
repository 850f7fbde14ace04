//! Pixels with channels of a number that the header tells, of which three are shown.
//@ complete
//@ y {"height": 1, "width": 2, "red": [[1, 2]], "green": [[3, 4]], "blue": [[5, 6]]}

pub struct Stored {
    height: u8,
    width: u8,
    channels: u8,
    samples: [u8],
}

pub struct Image {
    height: u8,
    width: u8,
    red: [[u8; width]; height],
    green: [[u8; width]; height],
    blue: [[u8; width]; height],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    assume(x.channels == 3 || x.channels == 4);
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            let pixel = (i * x.width + j) * x.channels;
            y.red[i][j] = x.samples[pixel];
            y.green[i][j] = x.samples[pixel + 1];
            y.blue[i][j] = x.samples[pixel + 2];
        }
    }
}
