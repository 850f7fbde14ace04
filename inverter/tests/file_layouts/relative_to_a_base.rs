//@ kind offset table
//@ y {"count": 1, "size": 1}
//@ y {"count": 8, "size": 4}
//@ y {"count": 250, "size": 15}
struct F { file: [u8] }
struct P { count: u16, size: u16, items: [[u8; size]; count] }

/// Offsets of 16 bits count from the beginning of the section that their table begins.
fn normalize(x: &F, y: &mut P) {
    let section = u32be(x.file, 0);
    let count = u16be(x.file, 4);
    let size = u16be(x.file, 6);
    y.count = count;
    y.size = size;
    for i in 0..count {
        let place = u16be(x.file, section + 2 * i);
        for b in 0..size {
            y.items[i][b] = x.file[section + place + b];
        }
    }
}
