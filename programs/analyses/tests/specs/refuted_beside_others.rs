//! Numbers without bounds in the answers of a client, which the others must be able to read.
//@ refuted symbolic x.data[i + i % 4 / 3] is inside
struct In { n: u32, p: u32, data: [u8; n] }
struct Out { n: u32, v: [u8; n] }

fn normalize(x: &In, y: &mut Out) {
    y.n = x.n;
    for i in 0..x.n {
        y.v[i] = x.data[i + i % 4 / 3];
    }
}
