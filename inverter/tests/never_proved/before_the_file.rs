//! Elements before the beginning of the file, in files of more than 100 elements only.
//@ says is outside the array

struct File { file: [u8] }
struct Out { n: u8, v: [u8; n] }
fn f(x: &File, y: &mut Out) {
    let n = u8(x.file, 0);
    y.n = n;
    for k in 0..n { y.v[k] = x.file[100 - k]; }
}
