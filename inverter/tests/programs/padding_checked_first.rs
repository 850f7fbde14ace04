//! Names in fields of fixed size, padded with zeros; the field's size is a choice.
//@ complete
//@ y {"n": 2, "size": 1, "names": [[65], [66]]}
//@ y {"n": 1, "size": 0, "names": [[]]}

pub struct Table {
    n: u8,
    size: u8,
    field: u8,
    bytes: [u8],
}

pub struct Names {
    n: u8,
    size: u8,
    names: [[u8; size]; n],
}

pub fn normalize(x: &Table, y: &mut Names) {
    y.n = x.n;
    y.size = x.size;
    assume(x.field >= x.size && x.field <= 8);
    for k in 0..x.n {
        for b in 0..x.field - x.size {
            assume(x.bytes[k * x.field + x.size + b] == 0);
        }
        for b in 0..x.size {
            y.names[k][b] = x.bytes[k * x.field + b];
        }
    }
}
