//@ kind trailer
//@ y {"size": 6}
//@ y {"size": 20}
//@ y {"size": 3900}
struct F { file: [u8] }
struct P { size: u32, v: [u8; size - 6] }

/// The file stores its own size, which is read under a name.
fn normalize(x: &F, y: &mut P) {
    let size = u32le(x.file, 2);
    assume(size == len(x.file));
    assume(size >= 6);
    y.size = size;
    for k in 0..size - 6 {
        y.v[k] = x.file[6 + k];
    }
}
