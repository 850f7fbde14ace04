//! Load commands of Mach-O: a walk over records of two kinds, each with its size.
//@ kind walk
//@ y {"count": 3, "kind": [1, 2, 1], "a": [1, 2, 3], "b": [4, 5, 6]}
//@ y {"count": 300, "kind": {"cycle": [1, 2, 2, 1, 2], "length": 300}, "a": {"cycle": [9, 70000], "length": 300}, "b": {"cycle": [1, 2, 3], "length": 300}}

pub struct Commands {
    count: u16,
    place: [u32; count + 1],
    file: [u8],
}

pub struct Values {
    count: u16,
    kind: [u8; count],
    a: [u32; count],
    b: [u32; count],
}

pub fn normalize(x: &Commands, y: &mut Values) {
    y.count = x.count;
    assume(x.place[0] == 28);
    for k in 0..x.count {
        let kind = u32le(x.file, x.place[k]);
        let size = u32le(x.file, x.place[k] + 4);
        assume(kind == 1 || kind == 2);
        assume(size % 4 == 0 && size <= 64);
        assume(x.place[k + 1] == x.place[k] + size);
        y.kind[k] = kind;
        if kind == 1 {
            assume(size >= 24);
            let a = u32le(x.file, x.place[k] + 16);
            let b = u32le(x.file, x.place[k] + 20);
            y.a[k] = a;
            y.b[k] = b;
        } else {
            assume(size >= 16);
            let c = u32le(x.file, x.place[k] + 8);
            let d = u32le(x.file, x.place[k] + 12);
            y.a[k] = c;
            y.b[k] = d;
        }
    }
}
