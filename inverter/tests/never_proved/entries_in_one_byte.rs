//! Places of one byte, too few for large values unless equal entries share them.
//@ says draws fail

struct File { file: [u8] }
struct Zone { n: u16, abbr: [[u8; 4]; n] }
fn zone(x: &File, y: &mut Zone) {
    let n = u16be(x.file, 0);
    y.n = n;
    for k in 0..n {
        let t = u8(x.file, 2 + k);
        let abbr = u8(x.file, 2 + n + t);
        for b in 0..4 {
            y.abbr[k][b] = x.file[2 + n + 256 + abbr + b];
        }
    }
}
