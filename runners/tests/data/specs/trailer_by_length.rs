struct File { file: [u8] }
struct Out { n: u16, v: [u8; n] }
fn normalize(x: &File, y: &mut Out) {
    assume(bytes(x.file, len(x.file) - 4) == b"TAIL");
    let place = u32le(x.file, len(x.file) - 10);
    let n = u16le(x.file, len(x.file) - 6);
    y.n = n;
    for k in 0..n {
        y.v[k] = x.file[place + k];
    }
}
