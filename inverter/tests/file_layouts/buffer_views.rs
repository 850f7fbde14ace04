//@ kind offset table
//@ y {"views": 2, "length": [3, 12], "data": "0..256 up to length"}
//@ y {"views": 60, "length": "0..65", "data": "0..256 up to length"}
struct F { views: u16, offset: [u32; views], size: [u32; views], buffer: [u8] }
struct P { views: u16, length: [u32; views], data: [[u8; 64]; views] }

/// The views of a buffer, as in glTF: each begins at a multiple of four.
fn normalize(x: &F, y: &mut P) {
    y.views = x.views;
    for k in 0..x.views {
        assume(x.offset[k] % 4 == 0);
        assume(x.size[k] <= 64);
        y.length[k] = x.size[k];
        for b in 0..64 {
            if b < x.size[k] {
                y.data[k][b] = x.buffer[x.offset[k] + b];
            } else {
                y.data[k][b] = 0;
            }
        }
    }
}
