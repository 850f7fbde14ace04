//@ y {"method": 3, "bytes": 4, "data": [1, 2, 3, 4]}
//@ varies flags, extra, file bytes, file fill
struct File { file: [u8] }
struct Member { method: u8, bytes: u16, data: [u8; bytes] }

/// As gzip has it: a field of any length, a name and a comment are there if a flag says so.
fn normalize(x: &File, y: &mut Member) {
    assume(bytes(x.file, 0) == b"\x1f\x8b");
    let method = u8(x.file, 2);
    let flags = u8(x.file, 3);
    y.method = method;
    assume(flags < 8);
    let mut at = 4;
    if flags % 2 == 1 {
        let extra = u16le(x.file, at);
        at += 2 + extra;
    }
    if flags / 2 % 2 == 1 {
        while u8(x.file, at) != 0 { at += 1; }
        at += 1;
    }
    if flags / 4 == 1 {
        while u8(x.file, at) != 0 { at += 1; }
        at += 1;
    }
    let size = u16le(x.file, at);
    y.bytes = size;
    for j in 0..size { y.data[j] = x.file[at + 2 + j]; }
    assume(at + 2 + size == len(x.file));
}
