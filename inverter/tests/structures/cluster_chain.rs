//! A file in the clusters of a FAT: the table has, for each cluster, the next one.
//@ kind dictionary
//@ y {"n": 1, "data": [[1, 2, 3, 4]]}
//@ y {"n": 40, "data": {"cycle": [[1, 2, 3, 4], [5, 6, 7, 8]], "length": 40}}
//@ y {"n": 1000, "data": {"cycle": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 9, 9, 9]], "length": 1000}}

pub struct Volume {
    clusters: u16,
    n: u16,
    chain: [u16; n],
    table: [u16; clusters],
    cluster: [[u8; 4]; clusters],
}

pub struct Contents {
    n: u16,
    data: [[u8; 4]; n],
}

pub fn normalize(x: &Volume, y: &mut Contents) {
    y.n = x.n;
    assume(x.n >= 1);
    for k in 0..x.n {
        assume(x.chain[k] >= 2);
        for b in 0..4 {
            y.data[k][b] = x.cluster[x.chain[k]][b];
        }
        if k + 1 < x.n {
            assume(x.table[x.chain[k]] == x.chain[k + 1]);
        } else {
            assume(x.table[x.chain[k]] == 0xffff);
        }
    }
}
