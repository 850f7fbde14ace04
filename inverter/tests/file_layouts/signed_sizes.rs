//@ kind guard
//@ y {"width": 0, "height": 0}
//@ y {"width": 1, "height": 1}
//@ y {"width": 4, "height": 3}
//@ y {"width": 20, "height": 21}
//@ y {"width": 63, "height": 63}
struct F { file: [u8] }
struct P { width: u32, height: u32, gray: [[u8; width]; height] }

/// A bitmap whose sizes are signed numbers: a negative height is a picture from the top. The file says how long it is.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"BM");
    assume(u32le(x.file, 2) == len(x.file));
    let start = u32le(x.file, 10);
    let width = i32le(x.file, 18);
    let h = i32le(x.file, 22);
    let bits = u16le(x.file, 28);
    assume(width >= 0);
    assume(bits == 8 || bits == 16);
    let height = if h < 0 { 0 - h } else { h };
    let stride = div_ceil(width * bits, 32) * 4;
    y.width = width;
    y.height = height;
    for r in 0..height {
        for c in 0..width {
            match bits {
                8 => {
                    if h < 0 {
                        y.gray[r][c] = x.file[start + r * stride + c];
                    } else {
                        y.gray[height - 1 - r][c] = x.file[start + r * stride + c];
                    }
                }
                _ => {
                    if h < 0 {
                        y.gray[r][c] = u16le(x.file, start + r * stride + 2 * c) >> 8;
                    } else {
                        y.gray[height - 1 - r][c] = u16le(x.file, start + r * stride + 2 * c) >> 8;
                    }
                }
            }
        }
    }
}
