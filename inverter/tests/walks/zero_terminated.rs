//@ y {"lines": 3, "bytes": 6, "length": [3, 0, 3], "text": [97, 98, 99, 100, 101, 102]}
struct File { file: [u8] }
struct Lines { lines: u16, bytes: u32, length: [u16; lines], text: [u8; bytes] }

/// Texts that end with a zero.
fn normalize(x: &File, y: &mut Lines) {
    let lines = u16le(x.file, 0);
    let mut at = 2;
    let mut n = 0;
    for i in 0..lines {
        let first = at;
        while u8(x.file, at) != 0 {
            y.text[n] = x.file[at];
            n += 1;
            at += 1;
        }
        y.length[i] = at - first;
        at += 1;
    }
    y.lines = lines;
    y.bytes = n;
}
