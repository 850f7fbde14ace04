//@ kind guard
//@ y {"count": 2, "digit": "0..16"}
//@ y {"count": 30, "digit": "0..16"}
//@ y {"count": 500, "digit": "0..16"}
struct F { file: [u8] }
struct P { count: u16, digit: [[u8; 8]; count] }

/// Hexadecimal digits in ASCII, of either case.
fn normalize(x: &F, y: &mut P) {
    let count = u16le(x.file, 0);
    y.count = count;
    for k in 0..count {
        for d in 0..8 {
            let c = u8(x.file, 2 + 8 * k + d);
            assume((c >= 48 && c <= 57) || (c >= 65 && c <= 70) || (c >= 97 && c <= 102));
            if c <= 57 {
                y.digit[k][d] = c - 48;
            } else if c <= 70 {
                y.digit[k][d] = c - 55;
            } else {
                y.digit[k][d] = c - 87;
            }
        }
    }
}
