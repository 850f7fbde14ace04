//@ y {"bytes": 7, "data": [1, 2, 3, 4, 5, 6, 7]}
//@ varies size, kind, at rounds
struct File { file: [u8] }
struct Contents { bytes: u32, data: [u8; bytes] }

/// As IFF has it: a chunk is padded to an even length, and the length of the file stands in the first.
fn normalize(x: &File, y: &mut Contents) {
    assume(bytes(x.file, 0) == b"FORM");
    let whole = u32be(x.file, 4);
    assume(bytes(x.file, 8) == b"TEST");
    let mut at = 12;
    let mut n = 0;
    while at < 8 + whole {
        let kind = u32be(x.file, at);
        let size = u32be(x.file, at + 4);
        if kind == 0x424f4459 {
            for j in 0..size {
                y.data[n + j] = x.file[at + 8 + j];
            }
            n += size;
        }
        if size % 2 == 1 {
            let pad = u8(x.file, at + 8 + size);
            assume(pad == 0);
        }
        at += 8 + size + size % 2;
    }
    assume(at == 8 + whole);
    assume(at == len(x.file));
    y.bytes = n;
}
