//! Strings in the buffers of Arrow, with each value padded to a multiple of eight bytes.
//@ kind monotone
//@ y {"count": 3, "size": [2, 0, 5], "text": [[1, 2, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 0, 0, 0]]}
//@ y {"count": 400, "size": {"cycle": [2, 0, 8], "length": 400}, "text": {"cycle": [[1, 2, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8]], "length": 400}}

pub struct Lists {
    count: u32,
    offset: [u32; count + 1],
    size: [u8; count],
    data: [u8],
}

pub struct Strings {
    count: u32,
    size: [u8; count],
    text: [[u8; 8]; count],
}

pub fn normalize(x: &Lists, y: &mut Strings) {
    y.count = x.count;
    assume(x.offset[0] % 64 == 0);
    for i in 0..x.count {
        assume(x.size[i] <= 8);
        assume(x.offset[i + 1] == x.offset[i] + 8 * div_ceil(x.size[i], 8));
        y.size[i] = x.size[i];
        for b in 0..8 {
            if b < x.size[i] {
                y.text[i][b] = x.data[x.offset[i] + b];
            } else {
                y.text[i][b] = 0;
            }
        }
    }
}
