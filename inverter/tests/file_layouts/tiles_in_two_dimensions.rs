//@ kind offset table
//@ y {"down": 2, "across": 3}
//@ y {"down": 1, "across": 1}
//@ y {"down": 12, "across": 20}
struct F { file: [u8] }
struct P { down: u8, across: u8, tile: [[[u8; 16]; across]; down] }

/// Tiles of sixteen bytes: their places are a table of rows.
fn normalize(x: &F, y: &mut P) {
    let down = u8(x.file, 0);
    let across = u8(x.file, 1);
    let table = u32le(x.file, 2);
    y.down = down;
    y.across = across;
    for r in 0..down {
        for c in 0..across {
            let tile = u32le(x.file, table + 4 * (r * across + c));
            for b in 0..16 {
                y.tile[r][c][b] = x.file[tile + b];
            }
        }
    }
}
