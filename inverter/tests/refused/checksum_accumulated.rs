//! A checksum as a program would add it up.
//@ refused: a sum over a loop reads what it has written; state it as an `assume` of the terms

pub struct Block {
    n: u8,
    bytes: [u8; n],
}

pub struct Sum {
    n: u8,
    sum: u16,
}

pub fn normalize(x: &Block, y: &mut Sum) {
    y.n = x.n;
    for k in 0..x.n {
        y.sum = y.sum + x.bytes[k];
    }
}
