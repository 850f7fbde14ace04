//@ kind offset table
//@ y {"count": 1, "size": [3], "lump": "0..256 up to size"}
//@ y {"count": 6, "size": [0, 64, 7, 1, 0, 30], "lump": "0..256 up to size"}
//@ y {"count": 60, "size": "0..65", "lump": "0..256 up to size"}
struct F { file: [u8] }
struct P { count: u32, size: [u32; count], name: [[u8; 8]; count], lump: [[u8; 64]; count] }

/// The lumps of a WAD: a directory says where each is, and how large.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"PWAD");
    let count = u32le(x.file, 4);
    let directory = u32le(x.file, 8);
    y.count = count;
    for k in 0..count {
        let place = u32le(x.file, directory + 16 * k);
        let size = u32le(x.file, directory + 16 * k + 4);
        assume(size <= 64);
        y.size[k] = size;
        for c in 0..8 {
            y.name[k][c] = x.file[directory + 16 * k + 8 + c];
        }
        for b in 0..64 {
            if b < size {
                y.lump[k][b] = x.file[place + b];
            } else {
                y.lump[k][b] = 0;
            }
        }
    }
}
