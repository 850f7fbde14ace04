//@ file 303730373031303039666339353430303030383161343030303030303030303030303030303030303030303030313662306332386135303030303030
//@ more 3036303030303030666530303030303030303030303030303030303030303030303030303030303030363030303030303030612e7478740068656c6c
//@ more 6f0a00003037303730313030396663393535303030303831613430303030303030303030303030303030303030303030303136623063323861353030
//@ more 303030303061303030303030666530303030303030303030303030303030303030303030303030303030303030363030303030303030622e62696e00
//@ more 6162636465666768696a0000303730373031303030303030303030303030303030303030303030303030303030303030303030303030303030313030
//@ more 303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303030303062303030303030
//@ more 3030545241494c4552212121000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
//@ more 000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
//@ more 0000000000000000000000000000000000000000000000000000000000000000
//@ varies _inode, _time, file tail
struct File { file: [u8] }
struct Archive {
    members: u16,
    names: u32,
    bytes: u32,
    mode: [u32; members],
    name_size: [u16; members],
    size: [u32; members],
    name: [u8; names],
    data: [u8; bytes],
}

/// cpio, the new ASCII format: heads of hexadecimal digits, names and contents at multiples of 4.
fn cpio(x: &File, y: &mut Archive) {
    let mut at = 0;
    let mut i = 0;
    let mut m = 0;
    let mut n = 0;
    let mut last = 0;
    while last == 0 {
        assume(bytes(x.file, at) == b"070701");
        let _inode = hex(x.file, at + 6, 8);
        let mode = hex(x.file, at + 14, 8);
        let _owner = hex(x.file, at + 22, 8);
        let _group = hex(x.file, at + 30, 8);
        let links = hex(x.file, at + 38, 8);
        let _time = hex(x.file, at + 46, 8);
        let size = hex(x.file, at + 54, 8);
        let _device_major = hex(x.file, at + 62, 8);
        let _device_minor = hex(x.file, at + 70, 8);
        let _special_major = hex(x.file, at + 78, 8);
        let _special_minor = hex(x.file, at + 86, 8);
        let name_size = hex(x.file, at + 94, 8);
        let check = hex(x.file, at + 102, 8);
        assume(links == 1 && check == 0);
        assume(_inode < 0x80000000 && _owner < 65536 && _group < 65536 && _time < 0x80000000);
        assume(_device_major < 256 && _device_minor < 256 && _special_major < 256 && _special_minor < 256);
        assume(name_size >= 2 && name_size <= 1024);
        y.name_size[i] = name_size - 1;
        for j in 0..name_size - 1 { y.name[m + j] = x.file[at + 110 + j]; }
        assume(u8(x.file, at + 109 + name_size) == 0);
        let start = div_ceil(at + 110 + name_size, 4) * 4;
        for k in 0..start - at - 110 - name_size { assume(u8(x.file, at + 110 + name_size + k) == 0); }
        y.mode[i] = mode;
        y.size[i] = size;
        for j in 0..size { y.data[n + j] = x.file[start + j]; }
        m += name_size - 1;
        n += size;
        i += 1;
        let next = div_ceil(start + size, 4) * 4;
        for k in 0..next - start - size { assume(u8(x.file, start + size + k) == 0); }
        // The last member is called TRAILER!!!.
        if name_size == 11 && u32be(x.file, at + 110) == 0x54524149 { last = 1; }
        at = next;
    }
    y.members = i;
    y.names = m;
    y.bytes = n;
}
