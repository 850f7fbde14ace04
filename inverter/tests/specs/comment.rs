//! An archive of one entry: a directory that its last record finds, and a comment behind that.
struct F { file: [u8] }
struct P { n: u16, v: [u8; n] }

fn archive(x: &F, y: &mut P) {
    let end = last(x.file, b"PK\x05\x06");
    assume(bytes(x.file, end + 4) == b"\0\0\0\0\x01\0\x01\0");
    assume(u32le(x.file, end + 12) == 10);
    let directory = u32le(x.file, end + 16);
    let comment = u16le(x.file, end + 20);
    assume(end + 22 + comment == len(x.file));
    assume(bytes(x.file, directory) == b"PK\x01\x02");
    let n = u16le(x.file, directory + 4);
    let place = u32le(x.file, directory + 6);
    y.n = n;
    for k in 0..n {
        y.v[k] = x.file[place + k];
    }
}
