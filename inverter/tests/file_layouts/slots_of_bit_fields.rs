//@ kind offset table
//@ y {"cells": 0}
//@ y {"cells": 1, "mark": [2], "size": [5], "content": "0..256 up to size"}
//@ y {"cells": 30, "mark": "0..8", "size": "0..13", "content": "0..256 up to size"}
//@ y {"cells": 300, "mark": "0..8", "size": "0..13", "content": "0..256 up to size"}
//@ y {"cells": 600, "mark": "0..2", "size": "11..13", "content": "0..256 up to size"}
struct F { file: [u8] }
struct P { cells: u16, mark: [u8; cells], size: [u8; cells], content: [[u8; 12]; cells] }

/// A page of 16 KiB whose slots have size, mark and place in one word; the highest bits are free. Cells lie between two
/// bounds, of which the first is after the slots.
fn normalize(x: &F, y: &mut P) {
    assume(len(x.file) == 16384);
    let slots_end = u16be(x.file, 0);
    let first = u16be(x.file, 2);
    let last = u16be(x.file, 4);
    assume(slots_end >= 6 && slots_end <= first && first <= last && last <= 16384);
    assume(slots_end % 4 == 2);
    let cells = (slots_end - 6) / 4;
    y.cells = cells;
    for k in 0..cells {
        let slot = u32be(x.file, 6 + 4 * k);
        let size = slot & 15;
        let place = (slot >> 7) & 0xffff;
        assume(size <= 12);
        assume(place >= first && place + size <= last);
        y.mark[k] = (slot >> 4) & 7;
        y.size[k] = size;
        for b in 0..12 {
            if b < size {
                y.content[k][b] = x.file[place + b];
            } else {
                y.content[k][b] = 0;
            }
        }
    }
}
