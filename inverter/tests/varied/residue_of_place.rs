//! A check of each record is the number of records and the remainder of its stamp.
//@ y {"n": SIZE, "v": "0..256"}
//@ varies check 16
//@ varies at 40

pub struct In { n: u16, at: [u32; n], check: [u16; n], v: [u8; n] }
pub struct Out { n: u16, v: [u8; n] }

fn normalize(x: &In, y: &mut Out) {
    y.n = x.n;
    for k in 0..x.n {
        assume(x.check[k] == x.n + x.at[k] % 100);
        y.v[k] = x.v[k];
    }
}
