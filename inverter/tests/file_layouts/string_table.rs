//@ kind offset table
//@ y {"count": 1, "len": [2], "name": "1..256 up to len"}
//@ y {"count": 5, "len": [0, 3, 8, 1, 1], "name": "1..256 up to len"}
//@ y {"count": 300, "len": "0..9", "name": "1..256 up to len"}
struct F { file: [u8] }
struct P { count: u32, len: [u8; count], name: [[u8; 8]; count] }

/// Names in a string table, as those of sections in ELF: each entry says where in the table its name is,
/// and a name ends with a byte that is 0.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"\x7fTAB");
    let count = u16le(x.file, 4);
    let strings = u32le(x.file, 6);
    let entries = u32le(x.file, 10);
    y.count = count;
    for i in 0..count {
        let name = u16le(x.file, entries + 4 * i);
        let len = u8(x.file, entries + 4 * i + 2);
        assume(len <= 8);
        y.len[i] = len;
        assume(x.file[strings + name + len] == 0);
        for b in 0..8 {
            if b < len {
                y.name[i][b] = x.file[strings + name + b];
            } else {
                y.name[i][b] = 0;
            }
        }
    }
}
