//@ y {"count": 2, "mode": [33188, 16877]}
//@ share 0: the digits of a number are drawn one after another, and the last has to make up for the others
struct F { file: [u8] }
struct P { count: u16, mode: [u16; count] }

/// Headers of cpio: numbers are hexadecimal digits in ASCII, of either case.
fn normalize(x: &F, y: &mut P) {
    let count = u16le(x.file, 0);
    y.count = count;
    for k in 0..count {
        assume(bytes(x.file, 2 + 10 * k) == b"070701");
        let a = u8(x.file, 8 + 10 * k);
        let b = u8(x.file, 9 + 10 * k);
        let c = u8(x.file, 10 + 10 * k);
        let d = u8(x.file, 11 + 10 * k);
        assume(a >= 48 && a <= 57 || a >= 65 && a <= 70 || a >= 97 && a <= 102);
        assume(b >= 48 && b <= 57 || b >= 65 && b <= 70 || b >= 97 && b <= 102);
        assume(c >= 48 && c <= 57 || c >= 65 && c <= 70 || c >= 97 && c <= 102);
        assume(d >= 48 && d <= 57 || d >= 65 && d <= 70 || d >= 97 && d <= 102);
        y.mode[k] = 4096 * (a - 48 - 7 * (a / 65) - 32 * (a / 97))
            + 256 * (b - 48 - 7 * (b / 65) - 32 * (b / 97))
            + 16 * (c - 48 - 7 * (c / 65) - 32 * (c / 97))
            + (d - 48 - 7 * (d / 65) - 32 * (d / 97));
    }
}
