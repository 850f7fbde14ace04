//! Differences of bytes for which the whole file is solved byte by byte.
//@ says byte by byte

struct File { file: [u8] }
struct Out { n: u16, d: [u8; n] }
fn f(x: &File, y: &mut Out) {
    let n = u16le(x.file, 0);
    y.n = n;
    for k in 0..n {
        let a = u8(x.file, 2 + k);
        let b = u8(x.file, 3 + k);
        y.d[k] = b - a;
    }
}
