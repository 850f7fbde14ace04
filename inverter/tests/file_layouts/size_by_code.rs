//@ kind dictionary
//@ y {"n": 0}
//@ y {"n": 5, "color": "3..5"}
//@ y {"n": 400, "color": "2..4"}
//@ y {"n": 4000, "color": "2..4"}
struct F { file: [u8] }
struct P { n: u16, color: [[u8; 3]; n] }

/// A table of colors whose size the low bits of a byte tell, and indices after it.
fn normalize(x: &F, y: &mut P) {
    let n = u16le(x.file, 1);
    let packed = u8(x.file, 0);
    let colors = match packed & 3 {
        0 => 2,
        1 => 16,
        2 => 64,
        _ => 256,
    };
    y.n = n;
    for k in 0..n {
        let index = u8(x.file, 3 + 3 * colors + k);
        assume(index < colors);
        for c in 0..3 {
            y.color[k][c] = x.file[3 + 3 * index + c];
        }
    }
}
