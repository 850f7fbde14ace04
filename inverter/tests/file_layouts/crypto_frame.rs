//@ kind guard
//@ y {"n": 0}
//@ y {"n": 63}
//@ y {"n": 64}
//@ y {"n": 4000}
struct F { file: [u8] }
struct P { n: u16, data: [u8; n] }

/// A frame of QUIC: two bits of the first byte say whether its length has one, two or four bytes.
fn normalize(x: &F, y: &mut P) {
    assume(x.file[0] == 6);
    assume(x.file[1] == 0);
    let first = u8(x.file, 2);
    assume(first < 192);
    let n = if first < 64 {
        first
    } else if first < 128 {
        u16be(x.file, 2) - 0x4000
    } else {
        u32be(x.file, 2) - 0x80000000
    };
    let data = if first < 64 { 3 } else if first < 128 { 4 } else { 6 };
    y.n = n;
    for k in 0..n {
        y.data[k] = x.file[data + k];
    }
}
