//! The flags of a header have four fields and reserved bits.
//@ y {"n": SIZE, "v": "0..256"}
//@ varies 2..6 35

pub struct File { file: [u8] }
pub struct Out { n: u16, v: [u8; n] }

fn normalize(x: &File, y: &mut Out) {
    let n = u16le(x.file, 0);
    let flags = u32be(x.file, 2);
    assume(flags & 0x3 == 2);
    assume((flags >> 5) & 7 == 5);
    assume((flags >> 10) & 31 == 7);
    assume((flags >> 20) & 255 == 77);
    y.n = n;
    for k in 0..n {
        y.v[k] = x.file[6 + k];
    }
}
