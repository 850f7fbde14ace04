//@ kind trailer
//@ y {"n": 4}
//@ y {"n": 0}
//@ y {"n": 3800}
struct F { file: [u8] }
struct P { n: u32, v: [u8; n] }

/// All that follows the header is data.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"DATA");
    assume(len(x.file) >= 4);
    y.n = len(x.file) - 4;
    for k in 0..len(x.file) - 4 {
        y.v[k] = x.file[4 + k];
    }
}
