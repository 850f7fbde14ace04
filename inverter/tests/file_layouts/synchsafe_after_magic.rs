//@ y {"n": 0}
//@ y {"n": 40}
//@ y {"n": 3000}
struct F { file: [u8] }
struct P { n: u32, v: [u8; n] }

/// A magic number before a size in digits of seven bits.
fn normalize(x: &F, y: &mut P) {
    assume(x.file[0] == 73);
    let a = u8(x.file, 1);
    let b = u8(x.file, 2);
    assume(a < 128 && b < 128);
    let n = a * 128 + b;
    y.n = n;
    for k in 0..n {
        y.v[k] = x.file[3 + k];
    }
}
