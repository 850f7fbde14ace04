//@ kind guard
//@ y {"n": 0}
//@ y {"n": 40}
//@ y {"n": 127}
//@ y {"n": 128}
//@ y {"n": 4000}
struct F { file: [u8] }
struct P { n: u16, data: [u8; n] }

/// An element of EBML: the leading zeros of its first byte say how many bytes the size has.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"\x1a\x45\xdf\xa3");
    let first = u8(x.file, 4);
    assume(first >= 16);
    let width = if first >= 128 { 1 } else if first >= 64 { 2 } else if first >= 32 { 3 } else { 4 };
    let n = if first >= 128 {
        first - 128
    } else if first >= 64 {
        u16be(x.file, 4) - 0x4000
    } else if first >= 32 {
        u24be(x.file, 4) - 0x200000
    } else {
        u32be(x.file, 4) - 0x10000000
    };
    y.n = n;
    for k in 0..n {
        y.data[k] = x.file[4 + width + k];
    }
}
