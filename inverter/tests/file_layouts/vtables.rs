//@ kind offset table
//@ y {"count": 1}
//@ y {"count": 7}
//@ y {"count": 300}
struct F { file: [u8] }
struct P { count: u16, a: [u16; count], b: [u16; count] }

/// Tables of FlatBuffers: each begins with the distance back to its vtable, which says where the fields are.
fn normalize(x: &F, y: &mut P) {
    let count = u16le(x.file, 0);
    y.count = count;
    for k in 0..count {
        let table = u32le(x.file, 4 + 4 * k);
        let back = i32le(x.file, table);
        assume(u16le(x.file, table - back) == 8);
        assume(u16le(x.file, table - back + 2) == 8);
        assume(u16le(x.file, table - back + 4) == 4);
        assume(u16le(x.file, table - back + 6) == 6);
        let a = u16le(x.file, table + 4);
        let b = u16le(x.file, table + 6);
        y.a[k] = a;
        y.b[k] = b;
    }
}
