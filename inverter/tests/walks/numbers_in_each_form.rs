//@ y {"count": 4, "a": [0, 127, 128, 100000], "b": [-1, 63, 64, -70000], "c": [0, 5, 255, 65535], "d": [1, 127, 128, 16383]}
//@ varies a width, b width, c width, d width
struct File { file: [u8] }
struct Numbers { count: u8, a: [u32; count], b: [i32; count], c: [u32; count], d: [u32; count] }

/// Numbers of variable length, each in any of its forms.
fn normalize(x: &File, y: &mut Numbers) {
    let count = u8(x.file, 0);
    y.count = count;
    let mut at = 1;
    for i in 0..count {
        let (a, wa) = leb128(x.file, at);
        at += wa;
        let (b, wb) = sleb128(x.file, at);
        at += wb;
        let (c, wc) = ber_length(x.file, at);
        at += wc;
        let (d, wd) = vlq(x.file, at);
        at += wd;
        y.a[i] = a;
        y.b[i] = b;
        y.c[i] = c;
        y.d[i] = d;
    }
}
