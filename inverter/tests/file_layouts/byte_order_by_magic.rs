//@ kind byte order
//@ y {"count": 1, "size": 4}
//@ y {"count": 6, "size": 5}
//@ y {"count": 200, "size": 20}
struct F { file: [u8] }
struct P { count: u32, size: u32, items: [[u8; size]; count] }

/// The order of bytes is that of the magic: `II` or `MM`, as in TIFF.
fn normalize(x: &F, y: &mut P) {
    let order = u16be(x.file, 0);
    assume(order == 0x4949 || order == 0x4D4D);
    let big = order == 0x4D4D;
    let count = if big { u16be(x.file, 2) } else { u16le(x.file, 2) };
    let size = if big { u16be(x.file, 4) } else { u16le(x.file, 4) };
    y.count = count;
    y.size = size;
    for i in 0..count {
        let place = if big { u32be(x.file, 6 + 4 * i) } else { u32le(x.file, 6 + 4 * i) };
        for b in 0..size {
            y.items[i][b] = x.file[place + b];
        }
    }
}
