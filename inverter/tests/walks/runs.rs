//@ y {"bytes": 12, "data": [5, 5, 5, 5, 1, 2, 3, 3, 3, 9, 9, 9]}
//@ y {"bytes": 0, "data": []}
//@ varies head, at rounds
struct File { file: [u8] }
struct Contents { bytes: u32, data: [u8; bytes] }

/// PackBits: so many bytes as they are, or one byte so many times; 128 does nothing.
fn normalize(x: &File, y: &mut Contents) {
    let mut at = 0;
    let mut n = 0;
    while at < len(x.file) {
        let head = u8(x.file, at);
        if head < 128 {
            for j in 0..head + 1 {
                y.data[n + j] = x.file[at + 1 + j];
            }
            n += head + 1;
            at += head + 2;
        } else if head > 128 {
            let value = u8(x.file, at + 1);
            for j in 0..257 - head {
                y.data[n + j] = value;
            }
            n += 257 - head;
            at += 2;
        } else {
            at += 1;
        }
    }
    assume(at == len(x.file));
    y.bytes = n;
}
