//@ y {"leaves": 5, "leaf": [10, 20, 30, 40, 50]}
//@ y {"leaves": 0, "leaf": []}
//@ varies size, size_2, size_3, at rounds, p rounds, q rounds
struct File { file: [u8] }
struct Tree { leaves: u16, leaf: [u16; leaves] }

/// Boxes in boxes in boxes, and numbers in these: it does not matter which box a number is in.
fn normalize(x: &File, y: &mut Tree) {
    let mut at = 0;
    let mut n = 0;
    while at < len(x.file) {
        let size = u16be(x.file, at);
        let mut p = at + 2;
        while p < at + 2 + size {
            let size = u16be(x.file, p);
            let mut q = p + 2;
            while q < p + 2 + size {
                let size = u8(x.file, q);
                let mut r = q + 1;
                while r < q + 1 + size {
                    let leaf = u16le(x.file, r);
                    y.leaf[n] = leaf;
                    n += 1;
                    r += 2;
                }
                assume(r == q + 1 + size);
                q += 1 + size;
            }
            assume(q == p + 2 + size);
            p += 2 + size;
        }
        assume(p == at + 2 + size);
        at += 2 + size;
    }
    assume(at == len(x.file));
    y.leaves = n;
}
