//! Three chunks of two bytes, each with the index of the one that follows.
//@ incomplete: equal chunks share their place in one way only, since the array of places indexes itself
//@ y {"data": [[1, 2], [3, 4], [5, 6]]}
//@ y {"data": [[0, 0], [0, 0], [0, 0]]}
//@ x {"count": 3, "head": 1, "next": [2, 0, 0], "chunks": [[3, 4], [1, 2], [5, 6]]}

pub struct Chunks {
    count: u8,
    head: u8,
    next: [u8; count],
    chunks: [[u8; 2]; count],
}

pub struct Data {
    data: [[u8; 2]; 3],
}

pub fn normalize(x: &Chunks, y: &mut Data) {
    assume(x.count <= 6);
    for b in 0..2 {
        y.data[0][b] = x.chunks[x.head][b];
        y.data[1][b] = x.chunks[x.next[x.head]][b];
        y.data[2][b] = x.chunks[x.next[x.next[x.head]]][b];
    }
}
