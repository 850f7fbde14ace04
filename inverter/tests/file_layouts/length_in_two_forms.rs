//@ kind guard
//@ y {"n": 0}
//@ y {"n": 127}
//@ y {"n": 128}
//@ y {"n": 3000}
struct F { file: [u8] }
struct P { n: u16, v: [u8; n] }

/// A length in one byte, or after a byte that says so in two, as in DER. The file ends with what it counts.
fn normalize(x: &F, y: &mut P) {
    let first = u8(x.file, 0);
    assume(first <= 128);
    let n = if first < 128 { first } else { u16be(x.file, 1) };
    let start = if first < 128 { 1 } else { 3 };
    y.n = n;
    for k in 0..n {
        y.v[k] = x.file[start + k];
    }
    assume(len(x.file) == start + n);
}
