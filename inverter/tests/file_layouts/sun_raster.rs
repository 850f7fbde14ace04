//@ y {"w": 3, "h": 2}
//@ y {"w": 1, "h": 1}
//@ y {"w": 61, "h": 60}
struct F { file: [u8] }
struct P { w: u16, h: u16, v: [[u8; w]; h] }

/// A Sun raster: rows of a multiple of two bytes after a colour map of any length.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"\x59\xa6\x6a\x95");
    let w = u32be(x.file, 4);
    let h = u32be(x.file, 8);
    assume(u32be(x.file, 12) == 8);
    let length = u32be(x.file, 16);
    assume(length == h * (2 * div_ceil(w, 2)) || length == 0);
    assume(u32be(x.file, 20) == 1);
    let kind = u32be(x.file, 24);
    assume(kind == 0 || kind == 1);
    let map = u32be(x.file, 28);
    assume(map <= 768 && map % 3 == 0);
    y.w = w;
    y.h = h;
    for r in 0..h {
        for c in 0..w {
            y.v[r][c] = x.file[32 + map + r * (2 * div_ceil(w, 2)) + c];
        }
    }
}
