//@ kind monotone
//@ y {"count": 3, "size": [2, 0, 5], "text": "0..256 up to size"}
//@ y {"count": 0}
//@ y {"count": 200, "size": "0..17", "text": "0..256 up to size"}
struct F { file: [u8] }
struct P { count: u32, size: [u8; count], text: [[u8; 16]; count] }

/// Strings as Arrow stores them: offsets of 32 bits, one more than strings, then the data; both buffers
/// begin at multiples of 64.
fn normalize(x: &F, y: &mut P) {
    let count = u32le(x.file, 0);
    let offsets = u32le(x.file, 4);
    let data = u32le(x.file, 8);
    assume(offsets % 64 == 0);
    assume(data % 64 == 0);
    y.count = count;
    for i in 0..count {
        let start = i32le(x.file, offsets + 4 * i);
        let end = i32le(x.file, offsets + 4 * i + 4);
        assume(start >= 0);
        assume(end >= start);
        assume(end - start <= 16);
        y.size[i] = end - start;
        for b in 0..16 {
            if b < end - start {
                y.text[i][b] = x.file[data + start + b];
            } else {
                y.text[i][b] = 0;
            }
        }
    }
}
