//@ y {"width": 3, "height": 2, "size": 6, "gray": [10, 20, 30, 40, 50, 60]}
//@ varies kind, size, size width, at rounds
struct File { file: [u8] }
struct Picture { width: u8, height: u8, size: u16, gray: [u8; size] }

/// The second version of the format of the tutorial.
fn pic2(x: &File, y: &mut Picture) {
    assume(bytes(x.file, 0) == b"PIC2");
    let mut at = 4;
    let mut n = 0;
    while at < len(x.file) {
        let kind = u8(x.file, at);
        let (size, wide) = leb128(x.file, at + 1);
        assume(wide <= 3);
        let start = at + 1 + wide;
        if kind == 1 {
            assume(size == 2);
            let width = u8(x.file, start);
            let height = u8(x.file, start + 1);
            y.width = width;
            y.height = height;
        } else if kind == 2 {
            for j in 0..size { y.gray[n + j] = x.file[start + j]; }
            n += size;
        }
        at = start + size;
    }
    assume(at == len(x.file));
    y.size = n;
}
