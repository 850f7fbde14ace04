//@ kind checksum
//@ y {"digit": [1, 2, 3, 4, 5, 6]}
//@ y {"digit": [0, 0, 0, 0, 0, 0]}
//@ y {"digit": [255, 255, 255, 255, 255, 255]}
struct F { file: [u8] }
struct P { digit: [u8; 6] }

/// A record whose words, two of them free, add up to a multiple of 257.
fn normalize(x: &F, y: &mut P) {
    for k in 0..6 {
        y.digit[k] = x.file[11 - 2 * k];
    }
    let a = u16le(x.file, 0);
    let b = u16le(x.file, 2);
    let c = u16le(x.file, 4);
    let d = u16le(x.file, 6);
    assume((a + b + c + d) % 257 == 0);
}
