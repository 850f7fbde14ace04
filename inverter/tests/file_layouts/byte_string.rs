//@ kind guard
//@ y {"n": 0}
//@ y {"n": 23}
//@ y {"n": 200}
//@ y {"n": 4000}
struct F { file: [u8] }
struct P { n: u16, data: [u8; n] }

/// A string of bytes in CBOR: its length is in the first byte, or in one, two or four bytes that follow.
fn normalize(x: &F, y: &mut P) {
    let head = u8(x.file, 0);
    assume(head >= 64 && head <= 90);
    let n = if head < 88 {
        head - 64
    } else if head == 88 {
        u8(x.file, 1)
    } else if head == 89 {
        u16be(x.file, 1)
    } else {
        u32be(x.file, 1)
    };
    let data = if head < 88 { 1 } else if head == 88 { 2 } else if head == 89 { 3 } else { 5 };
    y.n = n;
    for k in 0..n {
        y.data[k] = x.file[data + k];
    }
}
