//@ kind dictionary
//@ y {"n": 0}
//@ y {"n": 5, "v": [3, 9, 3, 3, 9]}
//@ y {"n": 64, "v": "7..11"}
//@ y {"n": 400, "v": "7..11"}
//@ y {"n": 2000, "v": "7..11"}
struct F { file: [u8] }
struct P { n: u16, v: [u8; n] }

/// A palette of four at a fixed place, and indices wherever the file says.
fn normalize(x: &F, y: &mut P) {
    let n = u16le(x.file, 0);
    let p = u16le(x.file, 6);
    y.n = n;
    for k in 0..n {
        let i = u8(x.file, p + k);
        assume(i < 4);
        y.v[k] = x.file[2 + i];
    }
}
