//@ y {"rows": 5, "columns": 7, "bytes": 8, "pixels": [1, 2, 3, 4, 5, 6, 7, 8]}
//@ varies tag, at rounds
struct File { file: [u8] }
struct Image { rows: u16, columns: u16, bytes: u32, pixels: [u8; bytes] }

/// As DICOM has it: elements in rising order of their tags, lengths of 16 or 32 bits by the kind of value.
fn normalize(x: &File, y: &mut Image) {
    let mut at = 0;
    let mut before = 0;
    while at < len(x.file) {
        let tag = u16le(x.file, at);
        let kind = u16be(x.file, at + 2);
        assume(tag > before);
        before = tag;
        assume(kind == 0x4f42 || kind == 0x5553 || kind == 0x4c4f);
        let size = if kind == 0x4f42 { u32le(x.file, at + 6) } else { u16le(x.file, at + 4) };
        let start = if kind == 0x4f42 { at + 10 } else { at + 6 };
        if tag == 0x10 {
            assume(kind == 0x5553 && size == 2);
            let rows = u16le(x.file, start);
            y.rows = rows;
        } else if tag == 0x11 {
            assume(kind == 0x5553 && size == 2);
            let columns = u16le(x.file, start);
            y.columns = columns;
        } else if tag == 0x7fe0 {
            assume(kind == 0x4f42);
            y.bytes = size;
            for j in 0..size { y.pixels[j] = x.file[start + j]; }
        } else {
            assume(tag >= 0x100 && size % 2 == 0);
        }
        at = start + size;
    }
    assume(at == len(x.file));
}
