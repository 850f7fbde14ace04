//! Names in fields of fixed size, padded with zeros, which are looked at last.
//@ complete
//@ y {"size": 2, "name": [65, 66]}
//@ y {"size": 0, "name": []}

pub struct Table {
    size: u8,
    field: u8,
    bytes: [u8; field],
}

pub struct Name {
    size: u8,
    name: [u8; size],
}

pub fn normalize(x: &Table, y: &mut Name) {
    y.size = x.size;
    assume(x.field >= x.size);
    for b in 0..x.size {
        y.name[b] = x.bytes[b];
    }
    for b in 0..x.field - x.size {
        assume(x.bytes[x.size + b] == 0);
    }
}
