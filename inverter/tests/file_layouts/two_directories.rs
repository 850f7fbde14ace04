//@ kind trailer
//@ y {"count": 0}
//@ y {"count": 4}
//@ y {"count": 250}
struct F { file: [u8] }
struct P { count: u16, gray: [[u8; 8]; count], name: [[u8; 4]; count] }

/// Two tables whose places the end of the file stores, one of places and one of names.
fn normalize(x: &F, y: &mut P) {
    let end = len(x.file) - 12;
    let count = u16le(x.file, end);
    let places = u32le(x.file, end + 2);
    let names = u32le(x.file, end + 6);
    assume(bytes(x.file, end + 10) == b"\xaa\x55");
    y.count = count;
    for i in 0..count {
        let place = u24le(x.file, places + 4 * i);
        for b in 0..8 {
            y.gray[i][b] = x.file[place + b];
        }
        for c in 0..4 {
            y.name[i][c] = x.file[names + 4 * i + c];
        }
    }
}
