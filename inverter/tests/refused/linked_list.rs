//! A chain of chunks, followed to its end.
//@ refused: a walk goes through the bytes of a file, not through other arrays

pub struct Chain {
    head: u8,
    next: [u8; 16],
    chunks: [u8; 16],
}

pub struct Data {
    n: u8,
    data: [u8; n],
}

pub fn normalize(x: &Chain, y: &mut Data) {
    let mut at = x.head;
    let mut k = 0;
    while at != 255 {
        y.data[k] = x.chunks[at];
        at = x.next[at];
        k += 1;
    }
    y.n = k;
}
