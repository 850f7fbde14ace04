//@ kind offset table
//@ y {"dirs": 1, "most": 2, "count": [1], "id": "0..65536 up to count"}
//@ y {"dirs": 3, "most": 4, "count": [4, 0, 2], "id": "0..65536 up to count"}
//@ y {"dirs": 60, "most": 60, "count": "0..61", "id": "0..65536 up to count"}
struct F { file: [u8] }
struct P { dirs: u16, most: u16, count: [u16; dirs], id: [[u16; most]; dirs] }

/// Each directory begins with the number of its entries; an entry has the place of a number.
fn normalize(x: &F, y: &mut P) {
    let dirs = u16be(x.file, 0);
    let most = u16be(x.file, 2);
    y.dirs = dirs;
    y.most = most;
    for d in 0..dirs {
        let dir = u32be(x.file, 4 + 4 * d);
        let count = u16be(x.file, dir);
        assume(count <= most);
        y.count[d] = count;
        for e in 0..most {
            if e < count {
                let place = u32be(x.file, dir + 2 + 4 * e);
                y.id[d][e] = u16be(x.file, place);
            } else {
                y.id[d][e] = 0;
            }
        }
    }
}
