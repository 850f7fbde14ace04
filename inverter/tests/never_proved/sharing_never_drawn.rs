//! Entries of equal content that might share a place, and never do.
//@ says never share

struct File { file: [u8] }

struct Leaves { n: u16, left: [u8; n], right: [u8; n] }
fn leaves(x: &File, y: &mut Leaves) {
    assume(bytes(x.file, 0) == b"BSP2");
    let n = u16le(x.file, 4);
    let nodes = u32le(x.file, 6);
    let leaves = u32le(x.file, 10);
    let leaf_count = u16le(x.file, 14);
    y.n = n;
    for k in 0..n {
        let a = u16le(x.file, nodes + 4 * k);
        let b = u16le(x.file, nodes + 4 * k + 2);
        assume(a >= 0x8000 && a - 0x8000 < leaf_count);
        assume(b >= 0x8000 && b - 0x8000 < leaf_count);
        y.left[k] = x.file[leaves + a - 0x8000];
        y.right[k] = x.file[leaves + b - 0x8000];
    }
}
