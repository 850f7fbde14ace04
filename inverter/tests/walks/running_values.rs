//@ y {"count": 6, "value": [5, 9, 9, 2, 300, 300]}
//@ varies kind
struct File { file: [u8] }
struct Series { count: u16, value: [i32; count] }

/// Each value is stored whole, as its distance to the one before, or not at all where it is the same.
fn normalize(x: &File, y: &mut Series) {
    let count = u16be(x.file, 0);
    y.count = count;
    let mut at = 2;
    let mut last = 0;
    for i in 0..count {
        let kind = u8(x.file, at);
        assume(kind <= 2);
        if kind == 0 {
            last = i32be(x.file, at + 1);
            at += 5;
        } else if kind == 1 {
            let step = i8(x.file, at + 1);
            last += step;
            at += 2;
        } else {
            at += 1;
        }
        y.value[i] = last;
    }
}
