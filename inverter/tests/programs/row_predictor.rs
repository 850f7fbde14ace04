//! TIFF's horizontal differencing undone: each row has its first sample and its steps.
//@ complete
//@ loss: a sample that fits no type is only met on the way
//@ y {"height": 2, "width": 1, "first": [1, 2], "steps": [[3], [-1]]}

pub struct Rows {
    height: u8,
    width: u8,
    samples: [[i32; width + 1]; height],
}

pub struct Predicted {
    height: u8,
    width: u8,
    first: [i32; height],
    steps: [[i32; width]; height],
}

pub fn normalize(x: &Rows, y: &mut Predicted) {
    y.height = x.height;
    y.width = x.width;
    for i in 0..x.height {
        y.first[i] = x.samples[i][0];
        for j in 0..x.width {
            y.steps[i][j] = x.samples[i][j + 1] - x.samples[i][j];
        }
    }
}
