//@ y {"scale": 600, "bytes": 12, "data": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}
//@ varies kind, at rounds, large
struct File { file: [u8] }
struct Movie { scale: u32, bytes: u32, data: [u8; bytes] }

/// As MP4 has it: boxes of a size of 32 bits, or of 64 if that is 1, or to the end of the file if it is 0; a box in a box.
fn normalize(x: &File, y: &mut Movie) {
    let mut at = 0;
    let mut n = 0;
    while at < len(x.file) {
        let short = u32be(x.file, at);
        let kind = u32be(x.file, at + 4);
        let large = if short == 1 { u64be(x.file, at + 8) } else { 0 };
        let head = if short == 1 { 16 } else { 8 };
        let size = if short == 1 { large } else { if short == 0 { len(x.file) - at } else { short } };
        assume(size >= head);
        if kind == 0x6d6f6f76 {
            let mut p = at + head;
            while p < at + size {
                let inner = u32be(x.file, p);
                let name = u32be(x.file, p + 4);
                assume(inner >= 8);
                if name == 0x6d766864 {
                    assume(inner == 12);
                    let scale = u32be(x.file, p + 8);
                    y.scale = scale;
                }
                p += inner;
            }
            assume(p == at + size);
        } else if kind == 0x6d646174 {
            for j in 0..size - head { y.data[n + j] = x.file[at + head + j]; }
            n += size - head;
        } else {
            assume(kind == 0x66726565 || kind == 0x736b6970);
        }
        at += size;
    }
    assume(at == len(x.file));
    y.bytes = n;
}
