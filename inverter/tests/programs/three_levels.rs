//! A directory of directories: indirection three deep.
//@ incomplete: an entry never stands for two records
//@ y {"count": 2, "records": [5, 6]}
//@ x {"count": 2, "root": [1, 0], "nodes": [0, 1], "leaves": [2, 0], "data": [5, 0, 6]}

pub struct Stored {
    count: u8,
    root: [u8; count],
    #[element("node")]
    nodes: [u8; count],
    #[element("leaf")]
    leaves: [u8; count],
    data: [u8],
}

pub struct Records {
    count: u8,
    records: [u8; count],
}

pub fn normalize(x: &Stored, y: &mut Records) {
    y.count = x.count;
    for k in 0..x.count {
        y.records[k] = x.data[x.leaves[x.nodes[x.root[k]]]];
    }
}
