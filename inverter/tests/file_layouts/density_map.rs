//@ kind offset table
//@ y {"columns": 1, "rows": 1}
//@ y {"columns": 3, "rows": 5}
//@ y {"columns": 40, "rows": 100}
struct F { file: [u8] }
struct P { columns: u16, rows: u16, density: [[u8; columns]; rows] }

/// A density map, as in MRC: signed sizes, an extended header, and samples of one byte, or of two, the higher one of
/// which counts.
fn normalize(x: &F, y: &mut P) {
    let columns = i32le(x.file, 0);
    let rows = i32le(x.file, 4);
    let mode = i32le(x.file, 12);
    let data = u32le(x.file, 92);
    assume(bytes(x.file, 208) == b"MAP ");
    assume(u32le(x.file, 96) == len(x.file));
    assume(columns > 0 && columns <= 65535);
    assume(rows > 0 && rows <= 65535);
    assume(mode == 0 || mode == 6);
    y.columns = columns;
    y.rows = rows;
    let size = if mode == 0 { 1 } else { 2 };
    for r in 0..rows {
        for c in 0..columns {
            if mode == 0 {
                y.density[r][c] = x.file[data + r * columns * size + c];
            } else {
                y.density[r][c] = x.file[data + r * columns * size + 2 * c + 1];
            }
        }
    }
}
