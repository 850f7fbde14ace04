//@ y {"w": 3, "h": 2}
//@ y {"w": 1, "h": 1}
//@ y {"w": 0, "h": 3}
//@ y {"w": 39, "h": 100}
struct F { file: [u8] }
struct P { w: u32, h: u32, v: [[u8; w]; h] }

/// Each row begins with a byte that must be 0.
fn normalize(x: &F, y: &mut P) {
    let w = u8(x.file, 0);
    let h = u8(x.file, 1);
    let place = u16le(x.file, 2);
    y.w = w;
    y.h = h;
    for r in 0..h {
        assume(x.file[place + r * (w + 1)] == 0);
        for c in 0..w {
            y.v[r][c] = x.file[place + r * (w + 1) + 1 + c];
        }
    }
}
