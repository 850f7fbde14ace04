//@ kind offset table
//@ y {"count": 3, "size": [3, 0, 4], "item": "0..256 up to size"}
//@ y {"count": 30, "size": "0..9", "item": "0..256 up to size"}
//@ y {"count": 58, "size": [3, 4, 2, 3, 3, 2, 4, 3, 1, 2, 3, 4, 3, 2, 1, 4, 3, 2, 2, 3, 0, 3, 1, 2, 2, 1, 0, 1, 2, 1, 3, 2, 0, 2, 1, 0, 0, 1, 3, 0, 1, 1, 0, 2, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1], "item": "0..256 up to size"}
struct F { file: [u8] }
struct P { count: u8, size: [u8; count], item: [[u8; 32]; count] }

/// Places of eight bits: everything fits only if each item takes no more room than its own size.
fn normalize(x: &F, y: &mut P) {
    let count = u8(x.file, 0);
    y.count = count;
    for k in 0..count {
        let place = u8(x.file, 1 + 2 * k);
        let size = u8(x.file, 2 + 2 * k);
        assume(size <= 32);
        y.size[k] = size;
        for b in 0..32 {
            if b < size {
                y.item[k][b] = x.file[place + b];
            } else {
                y.item[k][b] = 0;
            }
        }
    }
}
