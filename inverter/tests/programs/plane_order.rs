//! Planes in an order that a permutation tells.
//@ incomplete: if the planes are empty, the order need not be a permutation of 0, 1, 2
//@ values 3
//@ y {"size": 2, "data": [[1, 2, 3], [4, 5, 6]]}
//@ y {"size": 1, "data": [[5, 5, 5]]}
//@ x {"size": 1, "order": [2, 0, 1], "planes": [[2], [3], [1]]}

pub struct Planar {
    size: u8,
    order: [u8; 3],
    planes: [[u8; size]; 3],
}

pub struct Samples {
    size: u8,
    data: [[u8; 3]; size],
}

pub fn normalize(x: &Planar, y: &mut Samples) {
    y.size = x.size;
    for c in 0..3 {
        for d in 0..c {
            assume(x.order[d] != x.order[c]);
        }
    }
    for k in 0..x.size {
        for c in 0..3 {
            y.data[k][c] = x.planes[x.order[c]][k];
        }
    }
}
