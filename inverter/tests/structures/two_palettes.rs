//! Indices from 128 on pick from the second palette.
//@ kind dictionary
//@ y {"n": 3, "gray": [4, 9, 4]}
//@ y {"n": 4000, "gray": {"cycle": [4, 9, 200, 4, 17, 80, 81, 82], "length": 4000}}

pub struct Indexed {
    n: u16,
    first: [u8; 8],
    second: [u8; 8],
    index: [u8; n],
}

pub struct Image {
    n: u16,
    gray: [u8; n],
}

pub fn normalize(x: &Indexed, y: &mut Image) {
    y.n = x.n;
    for k in 0..x.n {
        if x.index[k] < 128 {
            y.gray[k] = x.first[x.index[k]];
        } else {
            y.gray[k] = x.second[x.index[k] - 128];
        }
    }
}
