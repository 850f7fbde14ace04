//! The high bytes are the same for a block of eight samples.
//@ kind dictionary
//@ y {"blocks": 2, "v": [[256, 257, 300, 256, 256, 256, 256, 511], [5, 6, 7, 8, 9, 10, 11, 12]]}
//@ y {"blocks": 400, "v": {"cycle": [[256, 257, 300, 256, 256, 256, 256, 511], [5, 6, 7, 8, 9, 10, 11, 12]], "length": 400}}

pub struct Stored {
    blocks: u16,
    high: [u8; blocks],
    low: [[u8; 8]; blocks],
}

pub struct Samples {
    blocks: u16,
    v: [[u16; 8]; blocks],
}

pub fn normalize(x: &Stored, y: &mut Samples) {
    y.blocks = x.blocks;
    for b in 0..x.blocks {
        for k in 0..8 {
            y.v[b][k] = 256 * x.high[b] + x.low[b][k];
        }
    }
}
