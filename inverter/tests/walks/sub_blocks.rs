//@ y {"width": 7, "bytes": 40, "data": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}
//@ y {"width": 7, "bytes": 0, "data": []}
//@ varies size, _label
struct File { file: [u8] }
struct Image { width: u8, bytes: u32, data: [u8; bytes] }

/// As GIF has it: extensions before the image, and contents in blocks of at most 255 bytes that an empty one ends.
fn normalize(x: &File, y: &mut Image) {
    let mut at = 0;
    let mut n = 0;
    let mut seen = 0;
    while seen == 0 {
        let mark = u8(x.file, at);
        assume(mark == 0x21 || mark == 0x2c);
        if mark == 0x2c {
            let width = u8(x.file, at + 1);
            y.width = width;
            seen = 1;
        } else {
            let _label = u8(x.file, at + 1);
        }
        at += 2;
        let mut size = 1;
        while size != 0 {
            size = u8(x.file, at);
            if seen == 1 {
                for j in 0..size { y.data[n + j] = x.file[at + 1 + j]; }
                n += size;
            }
            at += 1 + size;
        }
    }
    assume(at + 1 == len(x.file) && u8(x.file, at) == 0x3b);
    y.bytes = n;
}
