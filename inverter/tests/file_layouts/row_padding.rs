//@ y {"w": 3, "h": 2}
//@ y {"w": 1, "h": 1}
//@ y {"w": 61, "h": 60}
struct F { file: [u8] }
struct P { w: u16, h: u16, v: [[u8; w]; h] }

/// Rows from the bottom up, each of a multiple of four bytes, at a place that the header names.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"BM");
    assume(u32le(x.file, 2) == len(x.file));
    let place = u32le(x.file, 10);
    let w = u16le(x.file, 18);
    let h = u16le(x.file, 20);
    y.w = w;
    y.h = h;
    for r in 0..h {
        for c in 0..w {
            y.v[h - 1 - r][c] = x.file[place + r * (div_ceil(w, 4) * 4) + c];
        }
    }
}
