//! Boxes as MP4 has them, by `mp4_boxes`.
//@ y {"n": 0, "time": 1, "v": []}
//@ y {"n": 6, "time": 600, "v": [1, 2, 3, 4, 5, 6]}

struct File { file: [u8] }
struct Top { count: u32, data: [u8; count] }
struct Media { n: u32, time: u32, v: [u8; n] }

/// The order of the header and the data is free; the last box may extend to the end.
fn top(x: &File, y: &mut Top) {
    y.data = mp4_boxes(x.file, 0, b"ftyp", b"shuffled", b"*", b"moov", b"mdat", b"end");
}

/// The lengths of `ftyp` and `moov`, and the contents.
fn media(x: &Top, y: &mut Media) {
    assume(u32be(x.data, 0) == 8);
    let header = u32be(x.data, 4);
    assume(bytes(x.data, 8) == b"isom\0\0\0\0");
    assume(header == 16);
    assume(bytes(x.data, 16) == b"\0\0\0\x10mvhd");
    let time = u32be(x.data, 24);
    let n = u32be(x.data, 28);
    assume(x.count == 32 + n);
    y.time = time;
    y.n = n;
    for k in 0..n {
        y.v[k] = x.data[32 + k];
    }
}
