//! A file that is packed as a whole: what is in it is read from what comes of it.

struct File {
    file: [u8],
}

struct Plain {
    count: u32,
    #[element("bytes")]
    plain: [u8; count],
}

struct Picture {
    width: u32,
    height: u32,
    gray: [[u8; width]; height],
}

fn unpack(x: &File, y: &mut Plain) {
    y.plain = packbits(x.file);
}

fn rows(x: &Plain, y: &mut Picture) {
    let place = u16le(x.plain, 0);
    let width = u8(x.plain, 2);
    let height = u8(x.plain, 3);
    assume(place >= 4);
    assume(width >= 1);
    assume(height >= 1);
    assume(x.count == place + width * height);
    y.width = width;
    y.height = height;
    for row in 0..height {
        for column in 0..width {
            y.gray[row][column] = x.plain[place + row * width + column];
        }
    }
}
