//! Words of four fields by masks and shifts; fourteen bits are reserved, and free.
//@ y {"n": SIZE, "kind": "0..4", "level": "0..8", "group": "0..32", "mode": "0..256"}
//@ varies word 20

pub struct In { n: u16, word: [u32; n] }
pub struct Out { n: u16, kind: [u8; n], level: [u8; n], group: [u8; n], mode: [u8; n] }

fn normalize(x: &In, y: &mut Out) {
    y.n = x.n;
    for k in 0..x.n {
        y.kind[k] = x.word[k] & 0x3;
        y.level[k] = (x.word[k] >> 5) & 7;
        y.group[k] = (x.word[k] >> 10) & 31;
        y.mode[k] = (x.word[k] >> 20) & 255;
    }
}
