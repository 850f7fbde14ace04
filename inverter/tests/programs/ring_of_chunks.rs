//! Four chunks in a ring: each is in its place, but the first one is anywhere.
//@ complete
//@ y {"size": 1, "chunks": [[1], [2], [3], [4]]}

const CHUNKS: u32 = 4;

pub struct Ring {
    size: u8,
    start: u8,
    ring: [[u8; size]; CHUNKS],
}

pub struct Data {
    size: u8,
    chunks: [[u8; size]; CHUNKS],
}

pub fn normalize(x: &Ring, y: &mut Data) {
    assume(x.start < CHUNKS);
    y.size = x.size;
    for k in 0..CHUNKS {
        for b in 0..x.size {
            y.chunks[k][b] = x.ring[(x.start + k) % CHUNKS][b];
        }
    }
}
