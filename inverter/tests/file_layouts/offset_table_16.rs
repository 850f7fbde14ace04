//@ kind offset table
//@ y {"count": 1, "size": 4}
//@ y {"count": 7, "size": 3}
//@ y {"count": 250, "size": 16}
struct F { file: [u8] }
struct P { count: u16, size: u8, items: [[u8; size]; count] }

/// Offsets of 16 bits, little endian, from the beginning of the file.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"IT");
    let count = u16le(x.file, 2);
    let size = u8(x.file, 4);
    y.count = count;
    y.size = size;
    for i in 0..count {
        let place = u16le(x.file, 5 + 2 * i);
        for b in 0..size {
            y.items[i][b] = x.file[place + b];
        }
    }
}
