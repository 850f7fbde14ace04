//! A palette of three-byte colors behind the pixels' indices, as in a GIF.
//@ complete
//@ y {"height": 1, "width": 2, "red": [[1, 1]], "green": [[2, 2]], "blue": [[3, 4]]}

pub struct Indexed {
    height: u8,
    width: u8,
    colors: u8,
    map: [u8; 3 * colors],
    pixels: [[u8; width]; height],
}

pub struct Image {
    height: u8,
    width: u8,
    red: [[u8; width]; height],
    green: [[u8; width]; height],
    blue: [[u8; width]; height],
}

pub fn normalize(x: &Indexed, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            let entry = 3 * x.pixels[i][j];
            y.red[i][j] = x.map[entry];
            y.green[i][j] = x.map[entry + 1];
            y.blue[i][j] = x.map[entry + 2];
        }
    }
}
