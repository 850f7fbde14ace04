//@ kind offset table
//@ y {"count": 1}
//@ y {"count": 7}
//@ y {"count": 250}
struct F { file: [u8] }
struct P { count: u16, a: [u16; count], b: [u16; count] }

/// Tables of FlatBuffers whose fields are where the vtable says, at a distance from the table.
fn normalize(x: &F, y: &mut P) {
    let count = u16le(x.file, 0);
    y.count = count;
    for k in 0..count {
        let table = u32le(x.file, 4 + 4 * k);
        let vtable = i32le(x.file, table);
        assume(u16le(x.file, table - vtable) == 8);
        let size = u16le(x.file, table - vtable + 2);
        let a = u16le(x.file, table - vtable + 4);
        let b = u16le(x.file, table - vtable + 6);
        assume(a >= 4 && a + 2 <= size && b >= 4 && b + 2 <= size);
        y.a[k] = u16le(x.file, table + a);
        y.b[k] = u16le(x.file, table + b);
    }
}
