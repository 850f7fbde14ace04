//@ y {"count": 3, "size": [2, 0, 5], "text": "0..256 up to size"}
//@ y {"count": 200, "size": "0..17", "text": "0..256 up to size"}
struct F { count: u32, offset: [u32; count + 1], data: [u8] }
struct P { count: u32, size: [u8; count], text: [[u8; 16]; count] }

/// The buffers of Arrow, with each value padded to a multiple of eight bytes.
fn normalize(x: &F, y: &mut P) {
    y.count = x.count;
    assume(x.offset[0] % 64 == 0);
    for i in 0..x.count {
        let size = u8(x.data, x.offset[i]);
        assume(size <= 16);
        assume(x.offset[i + 1] == x.offset[i] + 8 * div_ceil(size + 1, 8));
        y.size[i] = size;
        for b in 0..16 {
            if b < size {
                y.text[i][b] = x.data[x.offset[i] + 1 + b];
            } else {
                y.text[i][b] = 0;
            }
        }
    }
}
