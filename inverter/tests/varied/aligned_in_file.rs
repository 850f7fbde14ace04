//! A file states the alignment of the places in its table.
//@ y {"n": SIZE, "v": "0..256"}
//@ varies 2..4 25

pub struct File { file: [u8] }
pub struct Out { n: u16, v: [[u8; 3]; n] }

fn normalize(x: &File, y: &mut Out) {
    let n = u16le(x.file, 0);
    let alignment = u16le(x.file, 2);
    assume(alignment >= 1);
    y.n = n;
    for k in 0..n {
        let place = u32le(x.file, 4 + 4 * k);
        assume(place % alignment == 0);
        for b in 0..3 {
            y.v[k][b] = x.file[place + b];
        }
    }
}
