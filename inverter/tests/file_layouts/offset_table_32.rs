//@ kind offset table
//@ y {"width": 1, "height": 1}
//@ y {"width": 2, "height": 2}
//@ y {"width": 5, "height": 12}
//@ y {"width": 40, "height": 100}
//@ y {"width": 4, "height": 0}
struct F { file: [u8] }
struct P { width: u32, height: u32, gray: [[u8; width]; height] }

/// Rows in a block, or each where a table of 32 bits says.
fn normalize(x: &F, y: &mut P) {
    let storage = u8(x.file, 0);
    let width = u8(x.file, 1);
    let height = u8(x.file, 2);
    assume(storage <= 1);
    y.width = width;
    y.height = height;
    for r in 0..height {
        if storage == 0 {
            for c in 0..width {
                y.gray[r][c] = x.file[8 + r * width + c];
            }
        } else {
            let start = u32be(x.file, 8 + 4 * r);
            for c in 0..width {
                y.gray[r][c] = x.file[start + c];
            }
        }
    }
}
