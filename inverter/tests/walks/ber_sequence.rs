//@ y {"count": 3, "bytes": 6, "size": [2, 1, 3], "value": [1, 2, 127, 5, 6, 7]}
//@ varies length width, size width
struct File { file: [u8] }
struct Integers { count: u16, bytes: u32, size: [u16; count], value: [u8; bytes] }

/// A sequence of integers in BER: of definite length, or of indefinite length with two zeros at its end.
fn normalize(x: &File, y: &mut Integers) {
    assume(u8(x.file, 0) == 0x30);
    let mut at = 1;
    let mut end = 0;
    let indefinite = u8(x.file, 1) == 0x80;
    if indefinite {
        at = 2;
    } else {
        let (length, width) = ber_length(x.file, 1);
        at = 1 + width;
        end = at + length;
    }
    let mut i = 0;
    let mut n = 0;
    let mut done = if indefinite { 0 } else { if at == end { 1 } else { 0 } };
    while done == 0 {
        let tag = u8(x.file, at);
        if tag == 2 {
            let (size, wide) = ber_length(x.file, at + 1);
            assume(size > 0);
            y.size[i] = size;
            for j in 0..size { y.value[n + j] = x.file[at + 1 + wide + j]; }
            n += size;
            i += 1;
            at += 1 + wide + size;
            if !indefinite && at == end { done = 1; }
        } else {
            assume(tag == 0 && u8(x.file, at + 1) == 0 && indefinite);
            at += 2;
            done = 1;
        }
    }
    assume(at == len(x.file));
    y.count = i;
    y.bytes = n;
}
