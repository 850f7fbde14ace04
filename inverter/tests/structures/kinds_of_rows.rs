//! Rows of three kinds: of one value, a copy of a pattern, or stored.
//@ kind guard
//@ y {"rows": 3, "v": [[0, 0, 0, 0], [1, 2, 3, 4], [9, 9, 9, 8]]}
//@ y {"rows": 1000, "v": {"cycle": [[0, 0, 0, 0], [1, 2, 3, 4], [9, 9, 9, 8]], "length": 1000}}

pub struct Stored {
    rows: u16,
    kind: [u8; rows],
    value: [u8; rows],
    pattern: [u8; 4],
    data: [[u8; 4]; rows],
}

pub struct Image {
    rows: u16,
    v: [[u8; 4]; rows],
}

pub fn normalize(x: &Stored, y: &mut Image) {
    y.rows = x.rows;
    for r in 0..x.rows {
        assume(x.kind[r] <= 2);
        for c in 0..4 {
            match x.kind[r] {
                0 => {
                    y.v[r][c] = x.value[r];
                }
                1 => {
                    y.v[r][c] = x.pattern[c];
                }
                _ => {
                    y.v[r][c] = x.data[r][c];
                }
            }
        }
    }
}
