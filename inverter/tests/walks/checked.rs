//@ y {"bytes": 9, "data": [9, 8, 7, 6, 5, 4, 3, 2, 1]}
//@ varies size, kind
struct File { file: [u8] }
struct Contents { bytes: u32, data: [u8; bytes] }

/// Records with a CRC-32 each, and an Adler-32 of all at the end.
fn normalize(x: &File, y: &mut Contents) {
    let count = u16be(x.file, 0);
    let mut at = 2;
    let mut n = 0;
    for i in 0..count {
        let kind = u8(x.file, at);
        let size = u16be(x.file, at + 1);
        let crc = u32be(x.file, at + 3 + size);
        assume(crc == crc32(x.file, at, at + 3 + size));
        if kind == 1 {
            for j in 0..size { y.data[n + j] = x.file[at + 3 + j]; }
            n += size;
        }
        at += 7 + size;
    }
    let sum = u32be(x.file, at);
    assume(sum == adler32(x.file, 0, at));
    assume(at + 4 == len(x.file));
    y.bytes = n;
}
