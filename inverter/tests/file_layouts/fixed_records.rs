//@ y {"count": 2}
//@ y {"count": 0}
//@ y {"count": 900}
struct F { file: [u8] }
struct P { count: u32, id: [u16; count], value: [i16; count] }

/// Records of eight bytes with a byte that marks them as in use, after a header whose length it stores.
fn normalize(x: &F, y: &mut P) {
    let count = u32le(x.file, 4);
    let header = u16le(x.file, 8);
    assume(header >= 10);
    y.count = count;
    for i in 0..count {
        assume(x.file[header + 8 * i] == 0x20);
        let id = u16le(x.file, header + 8 * i + 2);
        let value = i16be(x.file, header + 8 * i + 4);
        y.id[i] = id;
        y.value[i] = value;
    }
}
