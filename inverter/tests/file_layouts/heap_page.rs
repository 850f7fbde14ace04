//@ kind offset table
//@ y {"items": 1, "size": [4], "tuple": "0..256 up to size"}
//@ y {"items": 6, "size": [8, 1, 0, 3, 3, 2], "tuple": "0..256 up to size"}
//@ y {"items": 400, "size": "0..9", "tuple": "0..256 up to size"}
//@ y {"items": 680, "size": "7..8", "tuple": "0..256 up to size"}
struct F { file: [u8] }
struct P { items: u16, size: [u16; items], tuple: [[u8; 8]; items] }

/// A page of a heap, as in PostgreSQL: pointers from the front, tuples from the back, and a special space behind them. A full
/// page has no room between them.
fn normalize(x: &F, y: &mut P) {
    assume(len(x.file) == 8192);
    let flags = u16le(x.file, 10);
    let lower = u16le(x.file, 12);
    let upper = u16le(x.file, 14);
    let items = u16le(x.file, 16);
    assume(lower == 24 + 4 * items);
    assume(flags == 0 || flags == 2);
    let first = if flags == 2 { lower } else { upper };
    assume(first >= lower);
    y.items = items;
    for k in 0..items {
        let tuple = u16le(x.file, 24 + 4 * k);
        let size = u16le(x.file, 26 + 4 * k);
        assume(tuple >= first);
        assume(size <= 8);
        y.size[k] = size;
        for b in 0..8 {
            if b < size {
                y.tuple[k][b] = x.file[tuple + b];
            } else {
                y.tuple[k][b] = 0;
            }
        }
    }
}
