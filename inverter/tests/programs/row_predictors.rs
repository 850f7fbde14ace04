//! PNG's first two filters: a row is stored as it is, or by the steps along it.
//@ complete
//@ y {"height": 2, "width": 2, "steps": [[1, 2], [3, -3]]}

pub struct Filtered {
    height: u8,
    width: u8,
    filter: [u8; height],
    rows: [[i16; width + 1]; height],
}

pub struct Image {
    height: u8,
    width: u8,
    steps: [[i16; width]; height],
}

pub fn normalize(x: &Filtered, y: &mut Image) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        assume(x.filter[i] <= 1 && x.rows[i][0] == 0);
        for j in 0..x.width {
            if x.filter[i] == 1 {
                y.steps[i][j] = x.rows[i][j + 1];
            } else {
                y.steps[i][j] = x.rows[i][j + 1] - x.rows[i][j];
            }
        }
    }
}
