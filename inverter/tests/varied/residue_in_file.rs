//! A byte of the header checks the number of records and the place of their data.
//@ y {"n": SIZE, "v": "0..256"}
//@ varies 6..7 20

pub struct File { file: [u8] }
pub struct Out { n: u8, v: [u8; n] }

fn normalize(x: &File, y: &mut Out) {
    let n = u8(x.file, 0);
    let at = u32le(x.file, 2);
    assume(u16le(x.file, 6) == n + at % 100);
    y.n = n;
    for k in 0..n {
        y.v[k] = x.file[at + k];
    }
}
