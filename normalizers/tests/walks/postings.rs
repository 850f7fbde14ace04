//! Distances between rising numbers, stored in a variable number of bytes, by `leb128`.
//@ y {"n": 0, "gap": []}
//@ y {"n": 4, "gap": [3, 297, 1, 69699]}

struct File { file: [u8] }
struct Numbers { count: u32, #[element("numbers")] data: [u8; count] }
struct Postings { n: u32, gap: [u32; n] }

fn numbers(x: &File, y: &mut Numbers) {
    y.data = leb128(x.file, 4, 5);
}

fn postings(x: &Numbers, y: &mut Postings) {
    let n = x.count / 4;
    assume(x.count == 4 * n);
    y.n = n;
    for k in 0..n {
        y.gap[k] = u32le(x.data, 4 * k);
    }
}
