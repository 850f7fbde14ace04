//! One index means that nothing is shown; the others pick a color.
//@ kind dictionary
//@ y {"n": 5, "gray": [0, 3, 0, 4, 3]}
//@ y {"n": 4000, "gray": {"cycle": [0, 0, 17, 4, 200], "length": 4000}}

pub struct Indexed {
    n: u16,
    transparent: u8,
    palette: [u8; 8],
    index: [u8; n],
}

pub struct Image {
    n: u16,
    gray: [u8; n],
}

pub fn normalize(x: &Indexed, y: &mut Image) {
    y.n = x.n;
    for k in 0..x.n {
        if x.index[k] == x.transparent {
            y.gray[k] = 0;
        } else {
            y.gray[k] = x.palette[x.index[k]];
        }
    }
}
