//! A mask whose runs are stored as pairs of a count and a level, by `run_lengths`.
//@ y {"width": 3, "height": 2, "mask": [[0, 0, 0], [0, 255, 255]]}
//@ y {"width": 6, "height": 2, "mask": [[0, 0, 0, 1, 1, 1], [1, 1, 1, 1, 1, 1]]}

struct File { file: [u8] }
struct Levels { count: u32, levels: [u8; count] }
struct Mask { width: u8, height: u8, mask: [[u8; width]; height] }

/// The width and the height are the first two levels.
fn runs(x: &File, y: &mut Levels) {
    y.levels = run_lengths(x.file, 1, 1, 0, 1);
}

fn mask(x: &Levels, y: &mut Mask) {
    let width = u8(x.levels, 0);
    let height = u8(x.levels, 1);
    assume(x.count == 2 + width * height);
    y.width = width;
    y.height = height;
    for row in 0..height {
        for column in 0..width {
            y.mask[row][column] = x.levels[2 + row * width + column];
        }
    }
}
