//! A line of words in either byte order, by the mark at the start of the file.

pub struct File {
    file: [u8],
}

pub struct Line {
    w: u16,
    px: [u16; w],
}

const II: u16 = 0x4949;
const MM: u16 = 0x4d4d;

pub fn normalize(x: &File, y: &mut Line) {
    let mark = u16be(x.file, 0);
    assume(mark == II || mark == MM);
    let w = if mark == II { u16le(x.file, 2) } else { u16be(x.file, 2) };
    let o = if mark == II { u32le(x.file, 4) } else { u32be(x.file, 4) };
    y.w = w;
    for k in 0..w {
        if mark == II {
            y.px[k] = u16le(x.file, o + 2 * k);
        } else {
            y.px[k] = u16be(x.file, o + 2 * k);
        }
    }
}
