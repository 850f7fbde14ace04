//@ kind trailer
//@ y {"n": 0}
//@ y {"n": 6}
//@ y {"n": 3600}
struct F { file: [u8] }
struct P { n: u16, v: [u8; n] }

/// The header stores the size of what follows it, and the file ends with a mark.
fn normalize(x: &F, y: &mut P) {
    let end = len(x.file) - 4;
    assume(bytes(x.file, 0) == b"FORM");
    assume(u32be(x.file, 4) == len(x.file) - 8);
    assume(bytes(x.file, end) == b"stop");
    let n = u16be(x.file, 8);
    let place = u16be(x.file, 10);
    y.n = n;
    for k in 0..n {
        y.v[k] = x.file[place + k];
    }
}
