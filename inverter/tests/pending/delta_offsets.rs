//! Three blocks whose offsets are told by the steps from one to the next.
//@ pending: "x.steps (element 0) is used before it has a value": the base of a segment asks for others of its own array
//@ incomplete: blocks of equal content never share their place
//@ y {"size": 2, "blocks": [[1, 2], [3, 4], [5, 6]]}

pub struct Stored {
    size: u8,
    steps: [u8; 3],
    data: [u8],
}

pub struct Blocks {
    size: u8,
    blocks: [[u8; size]; 3],
}

pub fn normalize(x: &Stored, y: &mut Blocks) {
    y.size = x.size;
    for b in 0..x.size {
        y.blocks[0][b] = x.data[x.steps[0] + b];
        y.blocks[1][b] = x.data[x.steps[0] + x.steps[1] + b];
        y.blocks[2][b] = x.data[x.steps[0] + x.steps[1] + x.steps[2] + b];
    }
}
