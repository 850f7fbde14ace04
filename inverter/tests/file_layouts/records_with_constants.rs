//@ kind offset table
//@ y {"count": 1}
//@ y {"count": 9}
//@ y {"count": 400}
struct F { file: [u8] }
struct P { count: u16, a: [u16; count], b: [[u8; 6]; count] }

/// Each record, wherever the table puts it, begins with a magic and ends with one.
fn normalize(x: &F, y: &mut P) {
    let count = u16le(x.file, 0);
    y.count = count;
    for i in 0..count {
        let at = u32le(x.file, 2 + 4 * i);
        assume(bytes(x.file, at) == b"RC");
        assume(u16be(x.file, at + 2) == 0x0102);
        y.a[i] = u16be(x.file, at + 4);
        for k in 0..6 {
            y.b[i][k] = x.file[at + 6 + k];
        }
        assume(x.file[at + 12] == 255);
    }
}
