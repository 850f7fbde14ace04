//@ kind byte order
//@ y {"count": 1, "size": [3], "data": "0..256 up to size"}
//@ y {"count": 4, "size": [2, 0, 8, 8], "data": "0..256 up to size"}
//@ y {"count": 200, "size": "0..9", "data": "0..256 up to size"}
struct F { file: [u8] }
struct P { count: u16, size: [u8; count], data: [[u8; 8]; count] }

/// As ELF has it: a table of section headers of either byte order.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"\x7fELF");
    let order = u8(x.file, 5);
    assume(order == 1 || order == 2);
    let table = if order == 1 { u32le(x.file, 32) } else { u32be(x.file, 32) };
    let count = if order == 1 { u16le(x.file, 48) } else { u16be(x.file, 48) };
    y.count = count;
    for i in 0..count {
        let place = if order == 1 { u32le(x.file, table + 40 * i + 16) } else { u32be(x.file, table + 40 * i + 16) };
        let size = if order == 1 { u32le(x.file, table + 40 * i + 20) } else { u32be(x.file, table + 40 * i + 20) };
        assume(size <= 8);
        y.size[i] = size;
        for b in 0..8 {
            if b < size {
                y.data[i][b] = x.file[place + b];
            } else {
                y.data[i][b] = 0;
            }
        }
    }
}
