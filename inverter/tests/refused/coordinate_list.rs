//! A sparse vector as a list of places and values; what is not listed is zero. The flag
//! says whether the list is used at all.
//@ refused: what is present may not be listed, or listed twice; nothing in the language counts the flags

pub struct Sparse {
    n: u8,
    listed: u8,
    place: [u8; listed],
    value: [u8; listed],
    present: [u8; n],
}

pub struct Vector {
    n: u8,
    values: [u8; n],
}

pub fn normalize(x: &Sparse, y: &mut Vector) {
    y.n = x.n;
    for k in 0..x.listed {
        assume(x.present[x.place[k]] == 1);
        y.values[x.place[k]] = x.value[k];
    }
    for i in 0..x.n {
        if x.present[i] != 1 {
            y.values[i] = 0;
        }
    }
}
