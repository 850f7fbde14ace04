//! Records one after the other in either byte order, as in pcap; the file ends where the next one would begin.
//@ kind monotone
//@ y {"n": 0, "len": [], "data": []}
//@ y {"n": 3, "len": [0, 20, 3], "data": [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2], [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]}
//@ y {"n": 40, "len": {"cycle": [20, 3], "length": 40}, "data": {"cycle": [[1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2], [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]], "length": 40}}
//@ y {"n": 300, "len": {"cycle": [20, 3], "length": 300}, "data": {"cycle": [[1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2], [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]], "length": 300}}

struct F { n: u32, at: [u32; n + 1], file: [u8] }
struct P { n: u32, len: [u32; n], data: [[u8; 20]; n] }

fn normalize(x: &F, y: &mut P) {
    let magic = u32le(x.file, 0);
    assume(magic == 0xa1b2c3d4 || magic == 0xd4c3b2a1);
    let little = magic == 0xa1b2c3d4;
    let major = if little { u16le(x.file, 4) } else { u16be(x.file, 4) };
    assume(major == 2);
    y.n = x.n;
    assume(x.at[0] == 24);
    for k in 0..x.n {
        let included = u32le(x.file, x.at[k] + 8);
        let original = u32le(x.file, x.at[k] + 12);
        assume(included <= 20);
        assume(original >= included);
        assume(x.at[k + 1] == x.at[k] + 16 + included);
        y.len[k] = included;
        for b in 0..20 {
            if b < included {
                y.data[k][b] = x.file[x.at[k] + 16 + b];
            } else {
                y.data[k][b] = 0;
            }
        }
    }
    assume(len(x.file) == x.at[x.n]);
}
