//! WAVE files of 8 bits and one channel, by `riff_chunks`.
//@ y {"n": 0, "rate": 8000, "v": []}
//@ y {"n": 5, "rate": 44100, "v": [128, 0, 255, 1, 2]}

struct File { file: [u8] }
struct Form { count: u32, #[element("form")] data: [u8; count] }
struct Parts { count: u32, data: [u8; count] }
struct Sound { n: u32, rate: u32, v: [u8; n] }

/// The file is one chunk.
fn riff(x: &File, y: &mut Form) {
    y.data = riff_chunks(x.file, 0, b"RIFF");
}

/// Its content is a type and chunks.
fn form(x: &Form, y: &mut Parts) {
    y.data = riff_chunks(x.data, 4, b"*", b"fmt ", b"*", b"data", b"*");
}

/// The type, the length of `fmt `, its content, and that of `data`.
fn sound(x: &Parts, y: &mut Sound) {
    assume(bytes(x.data, 0) == b"WAVE");
    assume(u32le(x.data, 4) == 16);
    assume(u16le(x.data, 8) == 1);
    assume(u16le(x.data, 10) == 1);
    let rate = u32le(x.data, 12);
    assume(u32le(x.data, 16) == rate);
    assume(u16le(x.data, 20) == 1);
    assume(u16le(x.data, 22) == 8);
    y.rate = rate;
    let n = x.count - 24;
    y.n = n;
    for k in 0..n {
        y.v[k] = x.data[24 + k];
    }
}
