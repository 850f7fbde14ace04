//@ kind offset table
//@ share 85: where what stands for 65,536 bounds the cells, some draws of it leave them no room
//@ y {"cells": 0}
//@ y {"cells": 5, "size": [5, 0, 6, 4, 10], "payload": "0..256 up to size"}
//@ y {"cells": 40, "size": "0..11", "payload": "0..256 up to size"}
//@ y {"cells": 300, "size": "0..11", "payload": "0..256 up to size"}
//@ y {"cells": 313, "size": "10..11", "payload": "0..256 up to size"}
struct F { file: [u8] }
struct P { cells: u16, size: [u8; cells], payload: [[u8; 10]; cells] }

/// A leaf page of a b-tree, where the first cell of a page of 65,536 bytes is at 0, which is written for 65,536.
fn normalize(x: &F, y: &mut P) {
    assume(len(x.file) == 4096);
    assume(x.file[0] == 13);
    let cells = u16be(x.file, 3);
    let stored = u16be(x.file, 5);
    let first = if stored == 0 { 65536 } else { stored };
    let fragments = u8(x.file, 7);
    assume(fragments <= 60);
    assume(first >= 8 + 2 * cells);
    y.cells = cells;
    for k in 0..cells {
        let cell = u16be(x.file, 8 + 2 * k);
        assume(cell >= first);
        let size = u8(x.file, cell);
        assume(size <= 10);
        y.size[k] = size;
        for b in 0..10 {
            if b < size {
                y.payload[k][b] = x.file[cell + 1 + b];
            } else {
                y.payload[k][b] = 0;
            }
        }
    }
}
