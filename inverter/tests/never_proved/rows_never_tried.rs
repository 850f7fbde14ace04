//! Rows of which no small input has one: the table of their offsets is read at its end first.
//@ says no value that was tried runs this loop

struct File { file: [u8] }
struct Column { n: u32, total: u32, lens: [u32; n], data: [u8; total] }
fn column(x: &File, y: &mut Column) {
    let n = u16le(x.file, 0);
    let offsets = u16le(x.file, 2);
    let total = u16le(x.file, offsets + 2 * n);
    y.n = n;
    y.total = total;
    let data = u16le(x.file, 4);
    for b in 0..total { y.data[b] = x.file[data + b]; }
    for k in 0..n {
        let start = u16le(x.file, offsets + 2 * k);
        let end = u16le(x.file, offsets + 2 * k + 2);
        assume(start <= end);
        y.lens[k] = end - start;
    }
}
