//@ kind trailer
//@ y {"n": 0}
//@ y {"n": 5}
//@ y {"n": 3000}
struct F { file: [u8] }
struct P { n: u16, v: [u8; n] }

/// The last record finds the data, and has the length of the comment behind it in a byte.
fn normalize(x: &F, y: &mut P) {
    let end = last(x.file, b"END!");
    let n = u16le(x.file, end + 4);
    let place = u32le(x.file, end + 6);
    assume(u8(x.file, end + 10) == len(x.file) - 11 - end);
    y.n = n;
    for k in 0..n {
        y.v[k] = x.file[place + k];
    }
}
