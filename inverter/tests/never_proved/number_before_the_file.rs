//! A number that is read before the beginning of the file.
//@ says is outside the array

struct File { file: [u8] }
struct Out { a: u16, b: u8 }
fn f(x: &File, y: &mut Out) {
    let b = u8(x.file, 0);
    let a = u16le(x.file, b - 10);
    y.b = b;
    y.a = a;
}
