//! A checksum of each entry, for which the whole file is solved byte by byte.
//@ says byte by byte

struct File {
    file: [u8],
}

struct Entries {
    n: u8,
    id: [u16; n],
}

fn entries(x: &File, y: &mut Entries) {
    let n = u8(x.file, 0);
    y.n = n;
    for k in 0..n {
        let id = u16be(x.file, 1 + 4 * k);
        let sum = u8(x.file, 4 + 4 * k);
        assume(sum == u8(x.file, 1 + 4 * k) + u8(x.file, 2 + 4 * k) + u8(x.file, 3 + 4 * k));
        y.id[k] = id;
    }
}
