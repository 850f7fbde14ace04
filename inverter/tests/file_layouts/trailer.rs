//@ kind trailer
//@ y {"count": 1, "size": 2}
//@ y {"count": 5, "size": 7}
//@ y {"count": 130, "size": 30}
struct F { file: [u8] }
struct P { count: u16, size: u16, items: [[u8; size]; count] }

/// The last ten bytes of the file say where the table is.
fn normalize(x: &F, y: &mut P) {
    let end = len(x.file) - 10;
    assume(bytes(x.file, end) == b"END!");
    let table = u32le(x.file, end + 4);
    let count = u16le(x.file, end + 8);
    y.count = count;
    let size = u16le(x.file, 0);
    y.size = size;
    for i in 0..count {
        let place = u32le(x.file, table + 4 * i);
        for b in 0..size {
            y.items[i][b] = x.file[place + b];
        }
    }
}
