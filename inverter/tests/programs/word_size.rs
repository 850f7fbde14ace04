//! A table in one of two word sizes: each has its own array, of which one is empty.
//@ complete
//@ y {"n": 2, "entries": [1, 70000]}
//@ y {"n": 2, "entries": [1, 2]}

pub struct Stored {
    n: u8,
    wide: u8,
    narrow_entries: [u16; (1 - wide) * n],
    wide_entries: [u32; wide * n],
}

pub struct Table {
    n: u8,
    entries: [u32; n],
}

pub fn normalize(x: &Stored, y: &mut Table) {
    assume(x.wide <= 1);
    y.n = x.n;
    for k in 0..x.n {
        if x.wide == 1 {
            y.entries[k] = x.wide_entries[k];
        } else {
            y.entries[k] = x.narrow_entries[k];
        }
    }
}
