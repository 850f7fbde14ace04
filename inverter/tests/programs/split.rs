//! A text in two pieces, as an editor with a gap keeps it.
//@ complete
//@ y {"n": 2, "text": [1, 2]}
//@ y {"n": 0, "text": []}

pub struct Buffer {
    n: u8,
    gap_start: u8,
    gap_end: u8,
    buffer: [u8],
}

pub struct Text {
    n: u8,
    text: [u8; n],
}

pub fn normalize(x: &Buffer, y: &mut Text) {
    y.n = x.n;
    assume(x.gap_start <= x.n && x.gap_end >= x.gap_start);
    for k in 0..x.gap_start {
        y.text[k] = x.buffer[k];
    }
    for k in 0..x.n - x.gap_start {
        y.text[x.gap_start + k] = x.buffer[x.gap_end + k];
    }
}
