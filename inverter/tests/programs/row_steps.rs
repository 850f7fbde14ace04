//! The steps down each column: a recurrence whose chain runs through the outer loop.
//@ complete
//@ loss: a sample that fits no type is only met on the way
//@ y {"height": 2, "width": 2, "top": [1, 2], "down": [[1, 0], [0, 3]]}

pub struct Stored {
    height: u8,
    width: u8,
    rows: [[i32; width]; height + 1],
}

pub struct Steps {
    height: u8,
    width: u8,
    top: [i32; width],
    down: [[i32; width]; height],
}

pub fn normalize(x: &Stored, y: &mut Steps) {
    y.height = x.height;
    y.width = x.width;
    for j in 0..x.width {
        y.top[j] = x.rows[0][j];
    }
    for i in 0..x.height {
        for j in 0..x.width {
            y.down[i][j] = x.rows[i + 1][j] - x.rows[i][j];
        }
    }
}
