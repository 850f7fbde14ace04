//@ kind digits
//@ y {"count": 2, "mode": [33188, 4294967295]}
//@ y {"count": 0}
//@ y {"count": 500}
struct F { file: [u8] }
struct P { count: u16, mode: [u32; count] }

/// Headers of cpio: each number is eight hexadecimal digits in ASCII, of either case.
fn normalize(x: &F, y: &mut P) {
    let count = u16le(x.file, 0);
    y.count = count;
    for k in 0..count {
        assume(bytes(x.file, 2 + 14 * k) == b"070701");
        let a = u8(x.file, 8 + 14 * k);
        let b = u8(x.file, 9 + 14 * k);
        let c = u8(x.file, 10 + 14 * k);
        let d = u8(x.file, 11 + 14 * k);
        let e = u8(x.file, 12 + 14 * k);
        let f = u8(x.file, 13 + 14 * k);
        let g = u8(x.file, 14 + 14 * k);
        let h = u8(x.file, 15 + 14 * k);
        assume(a >= 48 && a <= 57 || a >= 65 && a <= 70 || a >= 97 && a <= 102);
        assume(b >= 48 && b <= 57 || b >= 65 && b <= 70 || b >= 97 && b <= 102);
        assume(c >= 48 && c <= 57 || c >= 65 && c <= 70 || c >= 97 && c <= 102);
        assume(d >= 48 && d <= 57 || d >= 65 && d <= 70 || d >= 97 && d <= 102);
        assume(e >= 48 && e <= 57 || e >= 65 && e <= 70 || e >= 97 && e <= 102);
        assume(f >= 48 && f <= 57 || f >= 65 && f <= 70 || f >= 97 && f <= 102);
        assume(g >= 48 && g <= 57 || g >= 65 && g <= 70 || g >= 97 && g <= 102);
        assume(h >= 48 && h <= 57 || h >= 65 && h <= 70 || h >= 97 && h <= 102);
        y.mode[k] = 268435456 * (a - 48 - 7 * (a / 65) - 32 * (a / 97))
            + 16777216 * (b - 48 - 7 * (b / 65) - 32 * (b / 97))
            + 1048576 * (c - 48 - 7 * (c / 65) - 32 * (c / 97))
            + 65536 * (d - 48 - 7 * (d / 65) - 32 * (d / 97))
            + 4096 * (e - 48 - 7 * (e / 65) - 32 * (e / 97))
            + 256 * (f - 48 - 7 * (f / 65) - 32 * (f / 97))
            + 16 * (g - 48 - 7 * (g / 65) - 32 * (g / 97))
            + (h - 48 - 7 * (h / 65) - 32 * (h / 97));
    }
}
