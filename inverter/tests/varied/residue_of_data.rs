//! A check is the number of records and the remainder of the place of their data.
//@ y {"n": SIZE, "v": "0..256"}
//@ varies check 16

pub struct In { n: u16, at: u32, check: u16, data: [u8] }
pub struct Out { n: u16, v: [u8; n] }

fn normalize(x: &In, y: &mut Out) {
    assume(x.check == x.n + x.at % 100);
    y.n = x.n;
    for k in 0..x.n {
        y.v[k] = x.data[x.at + k];
    }
}
