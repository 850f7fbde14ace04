//@ file 213c617263683e0a612e7478742f20202020202020202020302020202020202020202020302020202020302020202020363434202020202036202020
//@ more 202020202020600a68656c6c6f0a622e62696e2f20202020202020202020302020202020202020202020302020202020302020202020363434202020
//@ more 202031302020202020202020600a6162636465666768696a
//@ varies _time, size width, mode width
struct File { file: [u8] }
struct Archive {
    members: u16,
    bytes: u32,
    name: [[u8; 16]; members],
    mode: [u32; members],
    size: [u32; members],
    data: [u8; bytes],
}

/// ar: members with a head of 60 bytes of text, at even places.
fn ar(x: &File, y: &mut Archive) {
    assume(bytes(x.file, 0) == b"!<arch>\n");
    let mut at = 8;
    let mut i = 0;
    let mut n = 0;
    while at < len(x.file) {
        for k in 0..16 { y.name[i][k] = x.file[at + k]; }
        let _time = decimal(x.file, at + 16, 12);
        let _owner = decimal(x.file, at + 28, 6);
        let _group = decimal(x.file, at + 34, 6);
        let mode = octal(x.file, at + 40, 8);
        let size = decimal(x.file, at + 48, 10);
        assume(bytes(x.file, at + 58) == b"`\n");
        y.mode[i] = mode;
        y.size[i] = size;
        for j in 0..size { y.data[n + j] = x.file[at + 60 + j]; }
        n += size;
        i += 1;
        at += 60 + size;
        if at % 2 == 1 {
            assume(u8(x.file, at) == b'\n');
            at += 1;
        }
    }
    assume(at == len(x.file));
    y.members = i;
    y.bytes = n;
}
