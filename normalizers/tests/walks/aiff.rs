//! AIFF files of 8 bits and one channel, by `iff_chunks`: chunks in any order, and an optional one.
//@ y {"n": 3, "marks": 0, "rate": [64, 14, 172, 68, 0, 0, 0, 0, 0, 0], "v": [128, 0, 255], "mark": []}
//@ y {"n": 2, "marks": 4, "rate": [64, 14, 172, 68, 0, 0, 0, 0, 0, 0], "v": [1, 2], "mark": [0, 1, 0, 7]}

struct File { file: [u8] }
struct Form { count: u32, #[element("form")] data: [u8; count] }
struct Parts { count: u32, data: [u8; count] }
struct Sound { n: u32, marks: u32, rate: [u8; 10], v: [u8; n], mark: [u8; marks] }

fn iff(x: &File, y: &mut Form) {
    y.data = iff_chunks(x.file, 0, b"FORM");
}

fn form(x: &Form, y: &mut Parts) {
    y.data = iff_chunks(x.data, 4, b"shuffled", b"COMM", b"MARK?", b"SSND", b"*");
}

/// The type, the lengths of `COMM` and `MARK`, and the three contents.
fn sound(x: &Parts, y: &mut Sound) {
    assume(bytes(x.data, 0) == b"AIFF");
    assume(u32be(x.data, 4) == 18);
    let marks = u32be(x.data, 8);
    assume(u16be(x.data, 12) == 1);
    let n = u32be(x.data, 14);
    assume(u16be(x.data, 18) == 8);
    for k in 0..10 {
        y.rate[k] = x.data[20 + k];
    }
    y.marks = marks;
    for k in 0..marks {
        y.mark[k] = x.data[30 + k];
    }
    // `SSND` begins with an offset and the size of blocks.
    assume(bytes(x.data, 30 + marks) == b"\0\0\0\0\0\0\0\0");
    assume(x.count == 38 + marks + n);
    y.n = n;
    for k in 0..n {
        y.v[k] = x.data[38 + marks + k];
    }
}
