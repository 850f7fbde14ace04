//@ kind offset table
//@ y {"n": 3}
//@ y {"n": 1}
//@ y {"n": 1300}
struct F { file: [u8] }
struct P { n: u16, rgb: [[u8; 3]; n] }

/// Three planes, each at a place of its own.
fn normalize(x: &F, y: &mut P) {
    let n = u16be(x.file, 0);
    y.n = n;
    for c in 0..3 {
        let plane = u32be(x.file, 2 + 4 * c);
        for k in 0..n {
            y.rgb[k][c] = x.file[plane + k];
        }
    }
}
