//@ kind offset table
//@ y {"n": 0}
//@ y {"n": 3}
//@ y {"n": 40}
//@ y {"n": 200}
struct F { file: [u8] }
struct P { n: u8, v: [[u8; 4]; n] }

/// A table of places, at each of which a length comes first, and the data behind so many bytes: local headers in a
/// ZIP archive.
fn normalize(x: &F, y: &mut P) {
    let n = u8(x.file, 0);
    y.n = n;
    for k in 0..n {
        let at = u32le(x.file, 1 + 4 * k);
        let extra = u16le(x.file, at);
        for b in 0..4 {
            y.v[k][b] = x.file[at + 2 + extra + b];
        }
    }
}
