//@ kind distinct
//@ y {"n": 4, "size": 3}
//@ y {"n": 5, "size": 200}
//@ y {"n": 25, "size": 5}
//@ y {"n": 500, "size": 23}
struct F { n: u16, size: u8, row: [u8; n], column: [u8; n], value: [u8; n] }
struct P { n: u16, size: u8, value: [u8; n] }

/// A matrix by coordinates: no two entries are at the same place.
fn normalize(x: &F, y: &mut P) {
    y.n = x.n;
    y.size = x.size;
    for i in 0..x.n {
        assume(x.row[i] < x.size && x.column[i] < x.size);
        for j in 0..i {
            assume(x.row[i] != x.row[j] || x.column[i] != x.column[j]);
        }
        y.value[i] = x.value[i];
    }
}
