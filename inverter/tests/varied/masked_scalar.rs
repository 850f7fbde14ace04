//! A word whose fields assumptions fix; the reserved bits are free.
//@ y {"n": SIZE, "v": "0..256"}
//@ varies word 35

pub struct In { n: u16, word: u32, v: [u8; n] }
pub struct Out { n: u16, v: [u8; n] }

fn normalize(x: &In, y: &mut Out) {
    assume(x.word & 0x3 == 2);
    assume((x.word >> 5) & 7 == 5);
    assume((x.word >> 10) & 31 == 7);
    assume((x.word >> 20) & 255 == 77);
    y.n = x.n;
    for k in 0..x.n {
        y.v[k] = x.v[k];
    }
}
