//! A directory of entries that are records themselves.
//@ refused: a record holds integers and arrays of them; one array for each field of an entry

pub struct Entry {
    offset: u16,
    size: u8,
}

pub struct Archive {
    n: u8,
    entries: [Entry; n],
    file: [u8],
}

pub struct Sizes {
    n: u8,
    sizes: [u8; n],
}

pub fn normalize(x: &Archive, y: &mut Sizes) {
    y.n = x.n;
    for k in 0..x.n {
        y.sizes[k] = x.entries[k].size;
    }
}
