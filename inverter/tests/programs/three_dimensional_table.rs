//! Tiles of a volume by a table of three dimensions.
//@ incomplete: bricks of equal content never share their place
//@ y {"bricks": 2, "size": 1, "data": [[1], [2], [3], [4], [5], [6], [7], [8]]}
//@ y {"bricks": 1, "size": 2, "data": [[1, 2]]}

pub struct Stored {
    bricks: u8,
    size: u8,
    #[element("brick")]
    table: [[[u16; bricks]; bricks]; bricks],
    file: [u8],
}

pub struct Volume {
    bricks: u8,
    size: u8,
    data: [[u8; size]; bricks * bricks * bricks],
}

pub fn normalize(x: &Stored, y: &mut Volume) {
    assume(x.bricks <= 3);
    y.bricks = x.bricks;
    y.size = x.size;
    for a in 0..x.bricks {
        for b in 0..x.bricks {
            for c in 0..x.bricks {
                for k in 0..x.size {
                    y.data[(a * x.bricks + b) * x.bricks + c][k] = x.file[x.table[a][b][c] + k];
                }
            }
        }
    }
}
