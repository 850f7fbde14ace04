//@ kind trailer
//@ y {"n": 0}
//@ y {"n": 5}
//@ y {"n": 3500}
struct F { file: [u8] }
struct P { n: u16, v: [u8; n] }

/// The file ends with the number of bytes before its end at which the data begin.
fn normalize(x: &F, y: &mut P) {
    let end = len(x.file);
    assume(bytes(x.file, end - 4) == b"last");
    let place = u32be(x.file, end - 8);
    let n = u16be(x.file, end - 10);
    y.n = n;
    for k in 0..n {
        y.v[k] = x.file[place + k];
    }
}
