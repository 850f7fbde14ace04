//! A picture of tiles of four by four, each one of a set.
//@ kind dictionary
//@ y {"rows": 1, "columns": 2, "gray": [[1, 1, 1, 1, 2, 2, 2, 2], [1, 1, 1, 1, 2, 2, 2, 2], [1, 1, 1, 1, 2, 2, 2, 2], [1, 1, 1, 1, 2, 2, 2, 2]]}
//@ y {"rows": 15, "columns": 16, "gray": {"cycle": [{"cycle": [0, 1, 2, 3], "length": 64}], "length": 60}}

pub struct Tiled {
    rows: u8,
    columns: u8,
    tile: [[[u8; 4]; 4]; 8],
    map: [[u8; columns]; rows],
}

pub struct Image {
    rows: u8,
    columns: u8,
    gray: [[u8; 4 * columns]; 4 * rows],
}

pub fn normalize(x: &Tiled, y: &mut Image) {
    y.rows = x.rows;
    y.columns = x.columns;
    for r in 0..x.rows {
        for c in 0..x.columns {
            for i in 0..4 {
                for j in 0..4 {
                    y.gray[4 * r + i][4 * c + j] = x.tile[x.map[r][c]][i][j];
                }
            }
        }
    }
}
