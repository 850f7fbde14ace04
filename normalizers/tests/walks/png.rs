//! Gray PNG files of 8 bits without filters, by `crc_chunks` and `deflate`.
//@ y {"width": 3, "height": 2, "gray": [[0, 128, 255], [7, 7, 7]]}
//@ y {"width": 1, "height": 9, "gray": [[1], [2], [3], [4], [5], [6], [7], [8], [9]]}

struct File { file: [u8] }
struct Chunks { count: u32, data: [u8; count] }
struct Coded { width: u32, height: u32, count: u32, #[element("zlib")] stream: [u8; count] }
struct Rows { width: u32, height: u32, rows: [u8; height * (width + 1)] }
struct Picture { width: u32, height: u32, gray: [[u8; width]; height] }

/// Behind the signature; a palette would mean another kind of picture.
fn chunks(x: &File, y: &mut Chunks) {
    y.data = crc_chunks(x.file, 8, b"IHDR", b"*", b"PLTE?", b"tRNS?", b"IDAT+", b"*", b"IEND");
}

/// The signature, the lengths of all but `IEND`, and the contents.
fn header(x: &Chunks, y: &mut Coded) {
    assume(bytes(x.data, 0) == b"\x89PNG\r\n\x1a\n");
    assume(u32be(x.data, 8) == 13);
    assume(u32be(x.data, 12) == 0);
    assume(u32be(x.data, 16) == 0);
    let size = u32be(x.data, 20);
    let width = u32be(x.data, 24);
    let height = u32be(x.data, 28);
    assume(bytes(x.data, 32) == b"\x08\0\0\0\0");
    assume(width >= 1 && height >= 1);
    assume(x.count == 37 + size);
    y.width = width;
    y.height = height;
    y.count = size;
    for k in 0..size {
        y.stream[k] = x.data[37 + k];
    }
}

fn inflate(x: &Coded, y: &mut Rows) {
    y.width = x.width;
    y.height = x.height;
    y.rows = deflate(x.stream);
}

fn picture(x: &Rows, y: &mut Picture) {
    y.width = x.width;
    y.height = x.height;
    for row in 0..x.height {
        assume(x.rows[row * (x.width + 1)] == 0);
        for column in 0..x.width {
            y.gray[row][column] = x.rows[row * (x.width + 1) + 1 + column];
        }
    }
}
