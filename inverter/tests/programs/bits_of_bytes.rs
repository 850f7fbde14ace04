//! A mask with eight pixels to the byte, the leftmost in the highest bit; the rest of a
//! row's last byte is padding.
//@ incomplete: its weights are beyond the small values that are enumerated
//@ y {"height": 1, "width": 3, "mask": [[1, 0, 1]]}
//@ x {"height": 1, "width": 3, "bytes": [[191]], "weights": [128, 64, 32, 16, 8, 4, 2, 1]}

pub struct Mask {
    height: u8,
    width: u8,
    bytes: [[u8; div_ceil(width, 8)]; height],
    weights: [u8; 8],
}

pub struct Image {
    height: u8,
    width: u8,
    mask: [[u8; width]; height],
}

pub fn normalize(x: &Mask, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    assume(x.weights[7] == 1);
    for k in 0..7 {
        assume(x.weights[k] == 2 * x.weights[k + 1]);
    }
    for i in 0..x.height {
        for j in 0..x.width {
            y.mask[i][j] = x.bytes[i][j / 8] / x.weights[j % 8] % 2;
        }
    }
}
