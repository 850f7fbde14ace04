//@ y {"bytes": 0, "data": []}
//@ y {"bytes": 30, "data": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}
//@ varies kind, size
struct File { file: [u8] }
struct Contents { bytes: u32, data: [u8; bytes] }

/// Data in pieces, any other records between them, and a record that ends the file.
fn normalize(x: &File, y: &mut Contents) {
    let mut at = 0;
    let mut n = 0;
    let mut kind = 0;
    while kind != 9 {
        kind = u8(x.file, at);
        let size = u8(x.file, at + 1);
        if kind == 1 {
            for j in 0..size {
                y.data[n + j] = x.file[at + 2 + j];
            }
            n += size;
        } else if kind == 9 {
            assume(size == 0);
        } else {
            assume(kind >= 16);
        }
        at += 2 + size;
    }
    assume(at == len(x.file));
    y.bytes = n;
}
