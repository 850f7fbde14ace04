//@ y {"count": 0, "bytes": 0, "data": []}
//@ y {"count": 4, "bytes": 9, "data": [1, 2, 3, 4, 5, 6, 7, 8, 9]}
//@ varies size
struct File { file: [u8] }
struct Records { count: u16, bytes: u32, data: [u8; bytes] }

/// A head with the number of records, whose contents are joined: some may be empty.
fn normalize(x: &File, y: &mut Records) {
    let count = u16le(x.file, 0);
    y.count = count;
    let mut at = 2;
    let mut n = 0;
    for i in 0..count {
        let size = u16le(x.file, at);
        for j in 0..size {
            y.data[n + j] = x.file[at + 2 + j];
        }
        n += size;
        at += 2 + size;
    }
    y.bytes = n;
}
