//@ kind byte order
//@ y {"count": 2, "points": [1, 3], "x": "0..256 up to points"}
//@ y {"count": 50, "points": "0..9", "x": "0..256 up to points"}
//@ y {"count": 400, "points": "0..9", "x": "0..256 up to points"}
struct F { file: [u8] }
struct P { count: u16, points: [u8; count], x: [[u8; 8]; count] }

/// The index of a shapefile: places and lengths count words of 16 bits and are big-endian; each record
/// repeats its number and its length.
fn normalize(x: &F, y: &mut P) {
    let count = u32be(x.file, 0);
    y.count = count;
    for k in 0..count {
        let words = u32be(x.file, 4 + 8 * k);
        let length = u32be(x.file, 8 + 8 * k);
        let number = u32be(x.file, 2 * words);
        let content = u32be(x.file, 2 * words + 4);
        let points = u32le(x.file, 2 * words + 8);
        assume(number == k + 1);
        assume(content == length);
        assume(length == 2 + 2 * points);
        assume(points <= 8);
        y.points[k] = points;
        for p in 0..8 {
            if p < points {
                y.x[k][p] = x.file[2 * words + 12 + p];
            } else {
                y.x[k][p] = 0;
            }
        }
    }
}
