//! The data of each record begins at a multiple of an alignment that the file states.
//@ y {"n": SIZE, "v": "0..256"}
//@ varies alignment 25

pub struct In { n: u16, alignment: u16, place: [u32; n], data: [u8] }
pub struct Out { n: u16, v: [[u8; 3]; n] }

fn normalize(x: &In, y: &mut Out) {
    assume(x.alignment >= 1 && x.alignment <= 512);
    y.n = x.n;
    for k in 0..x.n {
        assume(x.place[k] % x.alignment == 0);
        for b in 0..3 {
            y.v[k][b] = x.data[x.place[k] + b];
        }
    }
}
