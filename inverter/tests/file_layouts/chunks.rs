//@ kind walk
//@ y {"count": 1, "size": 3}
//@ y {"count": 4, "size": 5}
//@ y {"count": 200, "size": 20}
struct F { file: [u8] }
struct P { count: u16, size: u16, data: [[u8; size]; count] }

/// Chunk after chunk, each with an identifier, a length and a pad byte.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"FORM");
    let count = u16be(x.file, 4);
    let size = u16be(x.file, 6);
    y.count = count;
    y.size = size;
    for k in 0..count {
        let at = 8 + k * (size + 8);
        assume(bytes(x.file, at) == b"DATA");
        assume(u32be(x.file, at + 4) == size);
        for b in 0..size {
            y.data[k][b] = x.file[at + 8 + b];
        }
    }
}
