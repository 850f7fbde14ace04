//! As many colors as the palette has entries: each representation is a permutation.
//@ kind dictionary
//@ y {"n": 4000, "data": {"cycle": [7, 1, 250, 13], "length": 4000}}
//@ y {"n": 4, "data": [0, 1, 2, 3]}

pub struct Indexed {
    n: u16,
    palette: [u8; 4],
    index: [u8; n],
}

pub struct Image {
    n: u16,
    data: [u8; n],
}

pub fn normalize(x: &Indexed, y: &mut Image) {
    y.n = x.n;
    for k in 0..x.n {
        y.data[k] = x.palette[x.index[k]];
    }
}
