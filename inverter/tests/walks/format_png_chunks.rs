//@ file 8943484b0000000849484452000000030000000431acc347000000057445587468656c6c6f5a80f36200000028494441544420823cfde6f1c26b30f9
//@ more 0ec7dd01e4887534a20f0b0d04c36ed80e71e0fd77b07670eb940bd533ea642dc000000014494441545f973daad8619b91ffc911f57cced458bbbf2c
//@ more e0136309b30000000049454e44ae426082
//@ varies name, size, file fill
struct File { file: [u8] }
struct Picture { width: u32, height: u32, size: u32, data: [u8; size] }

/// Chunks as PNG has them: one head, data in pieces, others between them, an end, and a CRC-32 of each.
fn chunks(x: &File, y: &mut Picture) {
    assume(bytes(x.file, 0) == b"\x89CHK");
    let mut at = 4;
    let mut n = 0;
    let mut kind = 0;
    while kind != 0x49454e44 {
        let size = u32be(x.file, at);
        let name = u32be(x.file, at + 4);
        let crc = u32be(x.file, at + 8 + size);
        assume(size < 0x80000000);
        assume(crc == crc32(x.file, at + 4, at + 8 + size));
        if at == 4 { assume(name == 0x49484452); }
        if name == 0x49484452 {
            assume(at == 4 && size == 8);
            let width = u32be(x.file, at + 8);
            let height = u32be(x.file, at + 12);
            y.width = width;
            y.height = height;
        } else if name == 0x49444154 {
            for j in 0..size { y.data[n + j] = x.file[at + 8 + j]; }
            n += size;
        } else if name == 0x49454e44 {
            assume(size == 0);
        } else {
            // Ancillary, private or public: letters.
            assume(name / 0x20000000 % 2 == 1);
        }
        kind = name;
        at += 12 + size;
    }
    assume(at == len(x.file));
    y.size = n;
}
