// Git's index: entries with an id of 20 bytes, and names in ascending order of their first 4 bytes.
struct File { file: [u8] }
struct Index { n: u16, size: [u32; n], id: [[u8; 20]; n], name: [[u8; 8]; n], length: [u16; n] }
fn normalize(x: &File, y: &mut Index) {
    assume(bytes(x.file, 0) == b"DIRC");
    assume(u32be(x.file, 4) == 2);
    let n = u32be(x.file, 8);
    assume(n <= 1000);
    y.n = n;
    for k in 0..n {
        let ctime = u32be(x.file, 12 + 72 * k);
        assume(ctime >= 1);
        let size = u32be(x.file, 12 + 72 * k + 36);
        y.size[k] = size;
        for b in 0..20 {
            y.id[k][b] = x.file[12 + 72 * k + 40 + b];
        }
        let flags = u16be(x.file, 12 + 72 * k + 60);
        assume(flags <= 8);
        y.length[k] = flags;
        for b in 0..8 {
            y.name[k][b] = x.file[12 + 72 * k + 62 + b];
        }
        if k > 0 {
            let a = u32be(x.file, 12 + 72 * k + 62);
            let before = u32be(x.file, 12 + 72 * k - 72 + 62);
            assume(before < a);
        }
    }
}
