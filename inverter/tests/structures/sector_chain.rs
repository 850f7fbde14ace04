//! A stream of a compound file: its directory has the first sector, and a table the next of each.
//@ kind dictionary
//@ y {"n": 1, "byte": [[7, 0]]}
//@ y {"n": 6, "byte": [[1, 2], [1, 2], [3, 4], [5, 6], [7, 8], [9, 0]]}
//@ y {"n": 2000, "byte": {"cycle": [[1, 2], [3, 4], [5, 6]], "length": 2000}}

pub struct Compound {
    sectors: u32,
    first: u32,
    n: u16,
    chain: [u32; n],
    next: [u32; sectors],
    sector: [[u8; 2]; sectors],
}

pub struct Stream {
    n: u16,
    byte: [[u8; 2]; n],
}

pub fn normalize(x: &Compound, y: &mut Stream) {
    y.n = x.n;
    assume(x.n >= 1);
    assume(x.sectors <= 60000);
    assume(x.chain[0] == x.first);
    for k in 0..x.n {
        for b in 0..2 {
            y.byte[k][b] = x.sector[x.chain[k]][b];
        }
        if k + 1 < x.n {
            assume(x.next[x.chain[k]] == x.chain[k + 1]);
        } else {
            assume(x.next[x.chain[k]] == 0xfffffffe);
        }
    }
}
