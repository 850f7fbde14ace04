//! Chroma of half the resolution: four pixels have the same.
//@ complete
//@ y {"height": 2, "width": 3, "chroma": [[1, 1, 2], [1, 1, 2]]}
//@ y {"height": 1, "width": 1, "chroma": [[3]]}

pub struct Subsampled {
    height: u8,
    width: u8,
    chroma: [[u8; div_ceil(width, 2)]; div_ceil(height, 2)],
}

pub struct Full {
    height: u8,
    width: u8,
    chroma: [[u8; width]; height],
}

pub fn normalize(x: &Subsampled, y: &mut Full) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        for j in 0..x.width {
            y.chroma[i][j] = x.chroma[i / 2][j / 2];
        }
    }
}
