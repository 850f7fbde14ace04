//@ y {"width": 300, "height": 200, "depth": 8}
//@ varies kind, at rounds
struct File { file: [u8] }
struct Head { width: u16, height: u16, depth: u8 }

/// Three records, each once, in any order, with comments between them.
fn normalize(x: &File, y: &mut Head) {
    let mut at = 4;
    assume(bytes(x.file, 0) == b"HEAD");
    while at < len(x.file) {
        let kind = u8(x.file, at);
        let size = u8(x.file, at + 1);
        match kind {
            0 => {
                assume(size == 2);
                let width = u16be(x.file, at + 2);
                y.width = width;
            }
            1 => {
                assume(size == 2);
                let height = u16be(x.file, at + 2);
                y.height = height;
            }
            2 => {
                assume(size == 1);
                let depth = u8(x.file, at + 2);
                y.depth = depth;
            }
            _ => {
                assume(kind >= 128);
            }
        }
        at += 2 + size;
    }
    assume(at == len(x.file));
}
