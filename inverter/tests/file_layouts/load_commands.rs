//@ y {"count": 3, "kind": [1, 2, 1]}
//@ y {"count": 40, "kind": "1..3"}
//@ y {"count": 400, "kind": "1..3"}
struct F { count: u16, place: [u32; count + 1], file: [u8] }
struct P { count: u16, kind: [u8; count], a: [u32; count], b: [u32; count] }

/// Load commands of Mach-O: a walk over records of two kinds, each with its size.
fn normalize(x: &F, y: &mut P) {
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
