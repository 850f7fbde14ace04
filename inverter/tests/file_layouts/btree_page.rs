//@ kind offset table
//@ y {"cells": 3, "size": [3, 0, 7], "payload": "0..256 up to size"}
//@ y {"cells": 20, "size": "0..17", "payload": "0..256 up to size"}
//@ y {"cells": 150, "size": "0..17", "payload": "0..256 up to size"}
struct F { file: [u8] }
struct P { cells: u16, size: [u8; cells], payload: [[u8; 16]; cells] }

/// A page of a b-tree, as in SQLite: cells at the end of the page, with pointers to them at its beginning.
fn normalize(x: &F, y: &mut P) {
    assume(x.file[0] == 13);
    assume(len(x.file) == 4096);
    let cells = u16be(x.file, 3);
    let content = u16be(x.file, 5);
    y.cells = cells;
    assume(content >= 8 + 2 * cells);
    for k in 0..cells {
        let cell = u16be(x.file, 8 + 2 * k);
        assume(cell >= content);
        let size = u8(x.file, cell);
        assume(size <= 16);
        y.size[k] = size;
        for b in 0..16 {
            if b < size {
                y.payload[k][b] = x.file[cell + 2 + b];
            } else {
                y.payload[k][b] = 0;
            }
        }
    }
}
