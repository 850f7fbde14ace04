//@ kind guard
//@ y {"width": 0, "height": 0}
//@ y {"width": 5, "height": 3}
//@ y {"width": 63, "height": 20}
struct F { file: [u8] }
struct P { width: u32, height: u32, gray: [[u8; width]; height] }

/// Samples of one byte, or the high bytes of words.
fn normalize(x: &F, y: &mut P) {
    let start = u32le(x.file, 0);
    let width = u16le(x.file, 4);
    let bits = u16le(x.file, 6);
    let height = u16le(x.file, 8);
    y.width = width;
    y.height = height;
    assume(bits == 8 || bits == 16);
    let stride = div_ceil(width * bits, 32) * 4;
    for r in 0..height {
        for c in 0..width {
            if bits == 8 {
                y.gray[r][c] = x.file[start + r * stride + c];
            } else {
                y.gray[r][c] = u16le(x.file, start + r * stride + 2 * c) >> 8;
            }
        }
    }
}
