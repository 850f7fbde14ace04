//@ y {"packets": 3, "bytes": 9, "size": [4, 0, 5], "data": [1, 2, 3, 4, 5, 6, 7, 8, 9]}
//@ varies segments, at rounds
struct File { file: [u8] }
struct Packets { packets: u16, bytes: u32, size: [u32; packets], data: [u8; bytes] }

/// As Ogg has it, with segments of at most 3 bytes: a packet ends with a segment that is shorter; pages cut anywhere.
fn normalize(x: &File, y: &mut Packets) {
    let mut at = 0;
    let mut i = 0;
    let mut n = 0;
    let mut length = 0;
    while at < len(x.file) {
        assume(bytes(x.file, at) == b"Og");
        let segments = u8(x.file, at + 2);
        let mut p = at + 3 + segments;
        for k in 0..segments {
            let size = u8(x.file, at + 3 + k);
            assume(size <= 3);
            for j in 0..size { y.data[n + j] = x.file[p + j]; }
            n += size;
            p += size;
            length += size;
            if size < 3 {
                y.size[i] = length;
                i += 1;
                length = 0;
            }
        }
        at = p;
    }
    assume(at == len(x.file) && length == 0);
    y.packets = i;
    y.bytes = n;
}
