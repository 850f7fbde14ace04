//@ y {"count": 0, "bytes": 0, "size": [], "data": []}
//@ y {"count": 3, "bytes": 6, "size": [2, 0, 4], "data": [1, 2, 3, 4, 5, 6]}
struct File { file: [u8] }
struct Records { count: u16, bytes: u32, size: [u8; count], data: [u8; bytes] }

/// Records up to the end of the file, each with its length.
fn normalize(x: &File, y: &mut Records) {
    let mut at = 0;
    let mut i = 0;
    let mut n = 0;
    while at < len(x.file) {
        let size = u8(x.file, at);
        y.size[i] = size;
        for j in 0..size {
            y.data[n + j] = x.file[at + 1 + j];
        }
        i += 1;
        n += size;
        at += 1 + size;
    }
    assume(at == len(x.file));
    y.count = i;
    y.bytes = n;
}
