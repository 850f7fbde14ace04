pub struct File {
    file: [u8],
}
pub struct Line {
    w: u16,
    px: [u16; w],
}
pub fn normalize(x: &File, y: &mut Line) {
    assume(bytes(x.file, 0) == b"II" || bytes(x.file, 0) == b"MM");
    let w = if x.file[0] == b'I' { u16le(x.file, 2) } else { u16be(x.file, 2) };
    let o = if x.file[0] == b'I' { u32le(x.file, 4) } else { u32be(x.file, 4) };
    y.w = w;
    for k in 0..w {
        if x.file[0] == b'I' {
            y.px[k] = u16le(x.file, o + 2 * k);
        } else {
            y.px[k] = u16be(x.file, o + 2 * k);
        }
    }
}
