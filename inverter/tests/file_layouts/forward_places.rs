//@ kind offset table
//@ y {"count": 1, "size": 3}
//@ y {"count": 6, "size": 4}
//@ y {"count": 200, "size": 18}
struct F { file: [u8] }
struct P { count: u16, size: u8, value: [[u8; size]; count] }

/// Each entry of a table is a distance forward from the entry before; a record there has the distance of its data.
fn normalize(x: &F, y: &mut P) {
    let count = u16be(x.file, 0);
    let size = u8(x.file, 2);
    y.count = count;
    y.size = size;
    for k in 0..count {
        let record = u32be(x.file, 4 + 4 * k);
        let distance = u16be(x.file, record);
        for j in 0..size {
            y.value[k][j] = x.file[record + distance + j];
        }
    }
}
