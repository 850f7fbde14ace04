//! A vertex buffer: positions and colors in one array, with a stride and two offsets.
//@ pending: no representation ("the segments of x.bytes do not fit where they may be"): two interleaved segments are kept apart as wholes
//@ incomplete: with one vertex, any stride would do
//@ y {"n": 2, "position": [[1, 2], [3, 4]], "color": [9, 8]}
//@ y {"n": 1, "position": [[1, 2]], "color": [1]}
//@ x {"n": 2, "stride": 3, "position": 0, "color": 2, "bytes": [1, 2, 9, 3, 4, 8]}

pub struct Buffer {
    n: u8,
    stride: u8,
    position: u8,
    color: u8,
    bytes: [u8],
}

pub struct Vertices {
    n: u8,
    position: [[u8; 2]; n],
    color: [u8; n],
}

pub fn normalize(x: &Buffer, y: &mut Vertices) {
    y.n = x.n;
    assume(x.position + 2 <= x.stride);
    assume(x.color < x.stride);
    for v in 0..x.n {
        for c in 0..2 {
            y.position[v][c] = x.bytes[x.position + v * x.stride + c];
        }
        y.color[v] = x.bytes[x.color + v * x.stride];
    }
}
