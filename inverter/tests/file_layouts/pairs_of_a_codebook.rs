//@ kind dictionary
//@ y {"n": 0}
//@ y {"n": 3}
//@ y {"n": 40, "sample": "0..16"}
//@ y {"n": 400, "sample": "300..316"}
struct F { file: [u8] }
struct P { n: u16, sample: [u16; 2 * n] }

/// Two indices in each byte, and a codebook of sixteen words, both wherever the header says.
fn normalize(x: &F, y: &mut P) {
    assume(bytes(x.file, 0) == b"VQ");
    let codebook = u16le(x.file, 2);
    let codes = u32le(x.file, 4);
    let n = u16le(x.file, 8);
    y.n = n;
    for k in 0..n {
        let code = u8(x.file, codes + k);
        y.sample[2 * k] = u16le(x.file, codebook + 2 * (code & 15));
        y.sample[2 * k + 1] = u16le(x.file, codebook + 2 * (code >> 4));
    }
}
