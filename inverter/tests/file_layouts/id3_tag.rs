//@ kind guard
//@ y {"n": 0}
//@ y {"n": 200}
//@ y {"n": 4000}
struct F { file: [u8] }
struct P { n: u32, v: [u8; n] }

/// A tag of ID3v2.4: its size in four digits of seven bits, and a footer if a flag says so.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"ID3\x04\x00");
    let flags = u8(x.file, 5);
    let s = u32be(x.file, 6);
    assume(s & 0x80808080 == 0);
    let n = (s >> 24) * 2097152 + (s >> 16 & 127) * 16384 + (s >> 8 & 127) * 128 + (s & 127);
    y.n = n;
    for k in 0..n {
        y.v[k] = x.file[10 + k];
    }
    if flags & 16 == 16 {
        assume(bytes(x.file, 10 + n) == b"3DI");
    }
}
