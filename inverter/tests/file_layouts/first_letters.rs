//@ kind monotone
//@ y {"n": 1, "letter": [7], "page": [[3, 4]]}
//@ y {"n": 5, "letter": [0, 7, 7, 200, 255], "page": [[3, 4], [1, 1], [0, 0], [9, 8], [255, 1]]}
//@ y {"n": 40, "letter": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80]}
struct F { file: [u8] }
struct P { n: u16, letter: [u8; n], page: [[u8; 2]; n] }

/// A sorted index, after a table of the number of entries up to each first letter.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"IDX");
    let table = 4;
    let n = u16be(x.file, table + 2 * 255);
    y.n = n;
    for k in 0..n {
        y.letter[k] = x.file[table + 512 + 3 * k];
        for b in 0..2 {
            y.page[k][b] = x.file[table + 512 + 3 * k + 1 + b];
        }
    }
    for i in 0..255 {
        let up_to = u16be(x.file, table + 2 * i);
        assume(up_to <= n);
        for k in 0..n {
            if k < up_to {
                assume(x.file[table + 512 + 3 * k] <= i);
            } else {
                assume(x.file[table + 512 + 3 * k] > i);
            }
        }
    }
}
