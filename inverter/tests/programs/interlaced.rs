//! Two fields: the even rows first, the odd ones behind them.
//@ complete
//@ y {"height": 3, "width": 1, "data": [[1], [2], [3]]}
//@ y {"height": 1, "width": 2, "data": [[1, 2]]}

pub struct Fields {
    height: u8,
    width: u8,
    rows: [[u8; width]; height],
}

pub struct Image {
    height: u8,
    width: u8,
    data: [[u8; width]; height],
}

pub fn normalize(x: &Fields, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    let even = div_ceil(x.height, 2);
    for j in 0..x.width {
        for i in 0..even {
            y.data[2 * i][j] = x.rows[i][j];
        }
        for i in 0..x.height - even {
            y.data[2 * i + 1][j] = x.rows[even + i][j];
        }
    }
}
