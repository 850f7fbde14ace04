//@ y {"id": 300, "numbers": 5, "bytes": 4, "number": [1, 2, 300, 4, 5], "name": [97, 98, 99, 100]}
//@ varies key, length, value width, p rounds, at rounds
struct File { file: [u8] }
struct Message { id: u32, numbers: u16, bytes: u16, number: [u32; numbers], name: [u8; bytes] }

/// A message of protobuf: field 1 is a number, of which the last counts; field 2 are numbers, packed or not; field 3
/// is a text, which is there once; unknown fields are skipped.
fn normalize(x: &File, y: &mut Message) {
    let mut at = 0;
    let mut id = 0;
    let mut i = 0;
    while at < len(x.file) {
        let (key, wide) = leb128(x.file, at);
        assume(wide <= 5 && key >= 8);
        at += wide;
        if key == 8 {
            let (value, w) = leb128(x.file, at);
            assume(value < 4294967296);
            id = value;
            at += w;
        } else if key == 16 {
            let (number, w) = leb128(x.file, at);
            y.number[i] = number;
            i += 1;
            at += w;
        } else if key == 18 {
            let (length, w) = leb128(x.file, at);
            let mut p = at + w;
            while p < at + w + length {
                let (number, v) = leb128(x.file, p);
                y.number[i] = number;
                i += 1;
                p += v;
            }
            assume(p == at + w + length);
            at = p;
        } else if key == 26 {
            let (length, w) = leb128(x.file, at);
            y.bytes = length;
            for j in 0..length { y.name[j] = x.file[at + w + j]; }
            at += w + length;
        } else {
            assume(key >= 32);
            if key % 8 == 0 {
                let (_ignored, w) = leb128(x.file, at);
                at += w;
            } else if key % 8 == 2 {
                let (skipped, w) = leb128(x.file, at);
                at += w + skipped;
            } else {
                assume(key % 8 == 1 || key % 8 == 5);
                at += if key % 8 == 1 { 8 } else { 4 };
            }
        }
    }
    assume(at == len(x.file));
    y.id = id;
    y.numbers = i;
}
