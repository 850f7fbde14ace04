//@ kind dictionary
//@ y {"cells": 1}
//@ y {"cells": 24, "pixel": "0..2"}
//@ y {"cells": 1000, "pixel": "0..2"}
struct F { file: [u8] }
struct P { cells: u16, pixel: [[u8; 4]; cells] }

/// The map of a game: the number of each cell's tile, and the tiles, whose size is given in the header.
fn normalize(x: &F, y: &mut P) {
    let cells = u16le(x.file, 0);
    let tiles = u32le(x.file, 2);
    let map = u32le(x.file, 6);
    y.cells = cells;
    for k in 0..cells {
        let tile = u8(x.file, map + k);
        for b in 0..4 {
            y.pixel[k][b] = x.file[tiles + 4 * tile + b];
        }
    }
}
