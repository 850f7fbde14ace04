//@ y {"count": 2, "bytes": 15, "size": [12, 3], "data": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3]}
//@ varies file bytes
struct File { file: [u8] }
struct Records { count: u16, bytes: u32, size: [u32; count], data: [u8; bytes] }

/// Netstrings: a length in decimal digits, perhaps with zeros before them, a colon, the bytes, a comma.
fn normalize(x: &File, y: &mut Records) {
    let mut at = 0;
    let mut i = 0;
    let mut n = 0;
    while at < len(x.file) {
        let mut size = 0;
        let mut digits = 0;
        while u8(x.file, at) != b':' {
            let digit = u8(x.file, at) - b'0';
            assume(digit >= 0 && digit <= 9 && digits < 6);
            size = size * 10 + digit;
            digits += 1;
            at += 1;
        }
        assume(digits > 0);
        for j in 0..size { y.data[n + j] = x.file[at + 1 + j]; }
        y.size[i] = size;
        n += size;
        i += 1;
        at += 2 + size;
        assume(u8(x.file, at - 1) == b',');
    }
    assume(at == len(x.file));
    y.count = i;
    y.bytes = n;
}
