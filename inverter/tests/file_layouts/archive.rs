//@ kind trailer
//@ y {"count": 0}
//@ y {"count": 3, "size": [2, 0, 8], "data": "0..256 up to size"}
//@ y {"count": 150, "size": "0..9", "data": "0..256 up to size"}
struct F { file: [u8] }
struct P { count: u16, size: [u8; count], data: [[u8; 8]; count] }

/// As ZIP has it: a record at the end names a directory, whose entries name headers before the data.
fn normalize(x: &F, y: &mut P) {
    let end = len(x.file) - 22;
    assume(bytes(x.file, end) == b"PK\x05\x06");
    let count = u16le(x.file, end + 10);
    let directory = u32le(x.file, end + 16);
    y.count = count;
    for i in 0..count {
        assume(bytes(x.file, directory + 46 * i) == b"PK\x01\x02");
        let size = u32le(x.file, directory + 46 * i + 20);
        let header = u32le(x.file, directory + 46 * i + 42);
        assume(size <= 8);
        assume(bytes(x.file, header) == b"PK\x03\x04");
        y.size[i] = size;
        for b in 0..8 {
            if b < size {
                y.data[i][b] = x.file[header + 30 + b];
            } else {
                y.data[i][b] = 0;
            }
        }
    }
}
