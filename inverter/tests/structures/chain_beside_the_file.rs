//@ pending: clusters are places in two scales, so links that must differ are only found by trial
//! A file as a chain of clusters in an allocation table: each entry is the next cluster, and the last marks the end.
//! All but the last iteration read the next link.
//@ kind linked records
//@ y {"n": 1, "data": [[1, 2, 3, 4]]}
//@ y {"n": 5, "data": {"cycle": [[1, 2, 3, 4], [5, 6, 7, 8]], "length": 5}}
//@ y {"n": 600, "data": {"cycle": [[1, 2, 3, 4], [5, 6, 7, 8], [0, 0, 0, 0]], "length": 600}}

struct Disk {
    n: u16,
    chain: [u16; n],
    file: [u8],
}

struct Contents {
    n: u16,
    data: [[u8; 4]; n],
}

fn normalize(x: &Disk, y: &mut Contents) {
    assume(bytes(x.file, 0) == b"FATX");
    let clusters = u16le(x.file, 4);
    let first = u16le(x.file, 6);
    assume(x.n >= 1);
    assume(clusters <= 4096);
    assume(x.chain[0] == first);
    y.n = x.n;
    for k in 0..x.n {
        assume(x.chain[k] < clusters);
        let next = u16le(x.file, 8 + 2 * x.chain[k]);
        if k + 1 == x.n {
            assume(next == 0xffff);
        } else {
            assume(next == x.chain[k + 1]);
        }
        for b in 0..4 {
            y.data[k][b] = x.file[8 + 2 * clusters + 4 * x.chain[k] + b];
        }
    }
}
