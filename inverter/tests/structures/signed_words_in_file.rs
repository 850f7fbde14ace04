//! Signed samples of two bytes in a file: 32768 is added to each.
//@ kind byte order
//@ y {"n": 3, "v": [-2, 0, 300]}
//@ y {"n": 4000, "v": {"cycle": [-32768, 32767, -1, 0, 257, -300], "length": 4000}}

pub struct File {
    file: [u8],
}

pub struct Samples {
    n: u16,
    v: [i16; n],
}

pub fn normalize(x: &File, y: &mut Samples) {
    let n = u16le(x.file, 0);
    let place = u32le(x.file, 2);
    y.n = n;
    for k in 0..n {
        y.v[k] = 256 * x.file[place + 2 * k + 1] + x.file[place + 2 * k] - 32768;
    }
}
