//@ kind dictionary
//@ y {"n": 0}
//@ y {"n": 1}
//@ y {"n": 5, "corner": "2..4"}
//@ y {"n": 400, "corner": "2..4"}
struct F { file: [u8] }
struct P { n: u32, corner: [[i16; 3]; n] }

/// A buffer of vertices and one of indices into it, each wherever the file says.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"VTX1");
    let n = u32be(x.file, 4);
    let vertices = u16be(x.file, 8);
    let indices = u32be(x.file, 10);
    let buffer = u32be(x.file, 14);
    y.n = n;
    for k in 0..n {
        let index = u16be(x.file, indices + 2 * k);
        assume(index < vertices);
        for c in 0..3 {
            y.corner[k][c] = u16be(x.file, buffer + 6 * index + 2 * c) - 32768;
        }
    }
}
