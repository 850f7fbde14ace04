//! A block of two by two in zigzag order.
//@ complete
//@ y {"data": [[1, 2], [3, 4]]}

const SIZE: u32 = 2;

pub struct Block {
    coefficients: [i16; SIZE * SIZE],
}

pub struct Image {
    data: [[i16; SIZE]; SIZE],
}

pub fn normalize(x: &Block, y: &mut Image) {
    y.data[0][0] = x.coefficients[0];
    y.data[0][1] = x.coefficients[1];
    y.data[1][0] = x.coefficients[2];
    y.data[1][1] = x.coefficients[3];
}
