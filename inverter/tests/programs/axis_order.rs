//! A cube of samples whose fastest axis is chosen by a code.
//@ complete
//@ y {"size": 2, "data": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]}

pub struct Stored {
    size: u8,
    order: u8,
    cube: [[[u8; size]; size]; size],
}

pub struct Cube {
    size: u8,
    data: [[[u8; size]; size]; size],
}

pub fn normalize(x: &Stored, y: &mut Cube) {
    y.size = x.size;
    assume(x.order < 3);
    for i in 0..x.size {
        for j in 0..x.size {
            for k in 0..x.size {
                if x.order == 0 {
                    y.data[i][j][k] = x.cube[i][j][k];
                } else if x.order == 1 {
                    y.data[i][j][k] = x.cube[k][i][j];
                } else {
                    y.data[i][j][k] = x.cube[j][k][i];
                }
            }
        }
    }
}
