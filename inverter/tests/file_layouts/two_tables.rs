//@ kind offset table
//@ y {"count": 1, "wide": 1, "high": 2}
//@ y {"count": 6, "wide": 3, "high": 4}
//@ y {"count": 150, "wide": 10, "high": 15}
struct F { file: [u8] }
struct P { count: u16, wide: u8, high: u8, a: [[u8; wide]; count], b: [[u8; high]; count] }

/// Two tables, one after the other, into the same file; the first in 32 bits, the second in 24.
fn normalize(x: &F, y: &mut P) {
    let count = u16le(x.file, 0);
    let wide = u8(x.file, 2);
    let high = u8(x.file, 3);
    y.count = count;
    y.wide = wide;
    y.high = high;
    for i in 0..count {
        let first = u32le(x.file, 4 + 4 * i);
        for k in 0..wide {
            y.a[i][k] = x.file[first + k];
        }
    }
    for i in 0..count {
        let second = u24le(x.file, 4 + 4 * count + 3 * i);
        for k in 0..high {
            y.b[i][k] = x.file[second + k];
        }
    }
}
