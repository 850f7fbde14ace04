//@ kind guard
//@ y {"n": 0}
//@ y {"n": 5}
//@ y {"n": 400}
//@ y {"n": 2000}
struct F { file: [u8] }
struct P { n: u16, v: [u8; n] }

/// Bytes as two hexadecimal digits in ASCII each, of either case.
fn normalize(x: &F, y: &mut P) {
    assume(x.file[0] == b':');
    let n = u16be(x.file, 1);
    y.n = n;
    for k in 0..n {
        let h = u8(x.file, 3 + 2 * k);
        let l = u8(x.file, 4 + 2 * k);
        assume(h >= b'0' && h <= b'9' || h >= b'A' && h <= b'F' || h >= b'a' && h <= b'f');
        assume(l >= b'0' && l <= b'9' || l >= b'A' && l <= b'F' || l >= b'a' && l <= b'f');
        let hv = if h <= b'9' { h - 48 } else if h <= b'F' { h - 55 } else { h - 87 };
        let lv = if l <= b'9' { l - 48 } else if l <= b'F' { l - 55 } else { l - 87 };
        y.v[k] = 16 * hv + lv;
    }
    assume(len(x.file) == 3 + 2 * n);
}
