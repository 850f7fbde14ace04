//@ y {"height": 2, "width": 3}
//@ y {"height": 1, "width": 1, "gray": [[0]]}
//@ y {"height": 40, "width": 50}
struct File {
    file: [u8],
}
struct Picture {
    height: u16,
    width: u16,
    gray: [[u8; width]; height],
}

/// Pictures of DICOM (PS3.5, section 7.1; PS3.10, section 7.1) in Explicit VR Little Endian: levels of 8 bits, stored
/// in 8 or 16. A private element of any even length stands before those of the picture, which are in the order of
/// their tags.
fn normalize(x: &File, y: &mut Picture) {
    assume(bytes(x.file, 128) == b"DICM");
    // (0002,0000) group length, (0002,0010) transfer syntax.
    assume(bytes(x.file, 132) == b"\x02\0\0\0UL\x04\0");
    let group = u32le(x.file, 140);
    assume(bytes(x.file, 144) == b"\x02\0\x10\0UI");
    let uid = u16le(x.file, 150);
    assume(uid == 20);
    assume(group == 8 + uid);
    assume(bytes(x.file, 152) == b"1.2.840.10008.1.2.1\0");
    // A private element: (0009,0010) LO, its length even.
    assume(bytes(x.file, 172) == b"\x09\0\x10\0LO");
    let private = u16le(x.file, 178);
    assume(private % 2 == 0 && private <= 64);
    let at = 180 + private;
    // (0028,0002) samples per pixel, 1.
    assume(bytes(x.file, at) == b"\x28\0\x02\0US\x02\0\x01\0");
    // (0028,0004) photometric interpretation.
    assume(bytes(x.file, at + 10) == b"\x28\0\x04\0CS\x0c\0");
    assume(bytes(x.file, at + 18) == b"MONOCHROME");
    let photometric = u8(x.file, at + 28);
    assume(photometric == b'1' || photometric == b'2');
    assume(x.file[at + 29] == b' ');
    // (0028,0010) rows, (0028,0011) columns.
    assume(bytes(x.file, at + 30) == b"\x28\0\x10\0US\x02\0");
    let height = u16le(x.file, at + 38);
    assume(bytes(x.file, at + 40) == b"\x28\0\x11\0US\x02\0");
    let width = u16le(x.file, at + 48);
    // (0028,0100) bits allocated, (0028,0101) stored, (0028,0102) high bit, (0028,0103) unsigned.
    assume(bytes(x.file, at + 50) == b"\x28\0\x00\x01US\x02\0");
    let allocated = u16le(x.file, at + 58);
    assume(allocated == 8 || allocated == 16);
    assume(bytes(x.file, at + 60) == b"\x28\0\x01\x01US\x02\0");
    let stored = u16le(x.file, at + 68);
    assume(stored == 8);
    assume(bytes(x.file, at + 70) == b"\x28\0\x02\x01US\x02\0");
    let high = u16le(x.file, at + 78);
    assume(high == 7);
    assume(bytes(x.file, at + 80) == b"\x28\0\x03\x01US\x02\0");
    assume(u16le(x.file, at + 88) == 0);
    // (7FE0,0010) pixel data, OW or for 8 bits OB.
    assume(bytes(x.file, at + 90) == b"\xe0\x7f\x10\0O");
    let kind = u8(x.file, at + 95);
    assume(kind == b'W' || kind == b'B' && allocated == 8);
    assume(u16le(x.file, at + 96) == 0);
    let size = u32le(x.file, at + 98);
    assume(len(x.file) == at + 102 + size);
    let pixels = width * height;
    y.height = height;
    y.width = width;
    if allocated == 16 {
        assume(size == 2 * pixels);
        for r in 0..height {
            for c in 0..width {
                assume(x.file[at + 103 + 2 * (width * r + c)] == 0);
                if photometric == b'2' {
                    y.gray[r][c] = x.file[at + 102 + 2 * (width * r + c)];
                } else {
                    y.gray[r][c] = 255 - x.file[at + 102 + 2 * (width * r + c)];
                }
            }
        }
    } else {
        // The length is even.
        assume(size == 2 * div_ceil(pixels, 2));
        if pixels % 2 == 1 {
            assume(x.file[at + 102 + pixels] == 0);
        }
        for r in 0..height {
            for c in 0..width {
                if photometric == b'2' {
                    y.gray[r][c] = x.file[at + 102 + width * r + c];
                } else {
                    y.gray[r][c] = 255 - x.file[at + 102 + width * r + c];
                }
            }
        }
    }
}
