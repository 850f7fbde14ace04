//! Loops that run far longer than data of that size allows.
//@ says take more steps

struct File { file: [u8] }
struct Out { n: u64, v: u8 }
fn f(x: &File, y: &mut Out) {
    let n = u64le(x.file, 0);
    y.n = n;
    y.v = x.file[8];
    for k in 0..n {
        for j in 0..n {
            assume(k + j < 0xffffffffffff);
        }
    }
}
