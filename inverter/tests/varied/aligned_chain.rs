//! Records of their own lengths, one behind the other, each at a multiple of an alignment that the file states.
//@ y {"n": SIZE, "len": "0..6", "v": "0..256 up to len"}
//@ varies alignment 4

pub struct In { n: u16, alignment: u16, place: [u32; n], len: [u8; n], data: [u8] }
pub struct Out { n: u16, len: [u8; n], v: [[u8; 5]; n] }

fn normalize(x: &In, y: &mut Out) {
    assume(x.alignment == 1 || x.alignment == 2 || x.alignment == 4 || x.alignment == 8 || x.alignment == 16);
    y.n = x.n;
    for k in 0..x.n {
        assume(x.place[k] % x.alignment == 0);
        assume(x.len[k] <= 5);
        y.len[k] = x.len[k];
        for b in 0..5 {
            if b < x.len[k] { y.v[k][b] = x.data[x.place[k] + b]; } else { y.v[k][b] = 0; }
        }
    }
}
