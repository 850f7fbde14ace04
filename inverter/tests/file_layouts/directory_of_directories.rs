//@ kind offset table
//@ y {"dirs": 1, "entries": 1, "size": 2}
//@ y {"dirs": 3, "entries": 2, "size": 4}
//@ y {"dirs": 12, "entries": 20, "size": 16}
struct F { file: [u8] }
struct P { dirs: u16, entries: u16, size: u16, data: [[[u8; size]; entries]; dirs] }

/// A table of places of directories; each directory is a table of places of data.
fn normalize(x: &F, y: &mut P) {
    let dirs = u16be(x.file, 0);
    let entries = u16be(x.file, 2);
    let size = u16be(x.file, 4);
    y.dirs = dirs;
    y.entries = entries;
    y.size = size;
    for d in 0..dirs {
        let dir = u32be(x.file, 8 + 4 * d);
        for e in 0..entries {
            let place = u32be(x.file, dir + 4 * e);
            for b in 0..size {
                y.data[d][e][b] = x.file[place + b];
            }
        }
    }
}
