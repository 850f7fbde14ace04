//@ y {"bytes": 10, "data": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}
//@ varies start, size
struct File { file: [u8] }
struct Contents { bytes: u16, data: [u8; bytes] }

/// The records begin where the head says, and their number is there too.
fn normalize(x: &File, y: &mut Contents) {
    assume(bytes(x.file, 0) == b"REC");
    let start = u16le(x.file, 3);
    let count = u8(x.file, 5);
    assume(start >= 6);
    let mut at = start;
    let mut n = 0;
    for i in 0..count {
        let size = u8(x.file, at);
        for j in 0..size { y.data[n + j] = x.file[at + 1 + j]; }
        n += size;
        at += 1 + size;
    }
    y.bytes = n;
}
