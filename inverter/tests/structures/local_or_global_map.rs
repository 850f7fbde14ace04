//! The pixels are picked from the frame's own map, or from that of the file.
//@ kind dictionary
//@ y {"n": 3, "gray": [5, 6, 5]}
//@ y {"n": 4000, "gray": {"cycle": [5, 6, 5, 9], "length": 4000}}

pub struct Frame {
    n: u16,
    own: u8,
    global: [u8; 4],
    local: [u8; 8],
    index: [u8; n],
}

pub struct Image {
    n: u16,
    gray: [u8; n],
}

pub fn normalize(x: &Frame, y: &mut Image) {
    y.n = x.n;
    assume(x.own <= 1);
    for k in 0..x.n {
        if x.own == 1 {
            y.gray[k] = x.local[x.index[k]];
        } else {
            y.gray[k] = x.global[x.index[k]];
        }
    }
}
