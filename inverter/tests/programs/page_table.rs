//! Memory in pages of two bytes: a table says where each page is.
//@ incomplete: pages of equal content never share their frame
//@ y {"n": 3, "memory": [1, 2, 3]}
//@ y {"n": 0, "memory": []}

pub struct Paged {
    n: u8,
    #[element("page")]
    table: [u8; div_ceil(n, 2)],
    frames: [u8],
}

pub struct Memory {
    n: u8,
    memory: [u8; n],
}

pub fn normalize(x: &Paged, y: &mut Memory) {
    y.n = x.n;
    for a in 0..x.n {
        y.memory[a] = x.frames[2 * x.table[a / 2] + a % 2];
    }
}
