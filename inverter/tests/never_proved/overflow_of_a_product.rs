//! A product of large scalars that overflows.
//@ says leaves 128 bits

struct File { file: [u8] }
struct Out { a: u64, b: u64 }
fn f(x: &File, y: &mut Out) {
    let a = u64le(x.file, 0);
    let b = u64le(x.file, 8);
    let c = u64le(x.file, 16);
    assume(a * b * c < 100);
    y.a = a;
    y.b = b;
}
