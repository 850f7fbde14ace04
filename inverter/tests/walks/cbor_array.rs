//@ y {"count": 3, "bytes": 5, "number": [10, 500, 70000], "text": [104, 101, 108, 108, 111]}
//@ varies head width, n width
struct File { file: [u8] }
struct Item { count: u16, bytes: u16, number: [u32; count], text: [u8; bytes] }

/// CBOR: an array of a text and numbers, and tags before these.
fn normalize(x: &File, y: &mut Item) {
    let (head, wide) = cbor_head(x.file, 0);
    assume(head % 8 == 4);
    let items = head / 8;
    let mut at = wide;
    let mut i = 0;
    for k in 0..items {
        let (n, w) = cbor_head(x.file, at);
        at += w;
        let argument = n / 8;
        if n % 8 == 3 {
            assume(k == 0);
            y.bytes = argument;
            for j in 0..argument { y.text[j] = x.file[at + j]; }
            at += argument;
        } else {
            assume(n % 8 == 0 && k > 0);
            y.number[i] = argument;
            i += 1;
        }
    }
    assume(items > 0 && at == len(x.file));
    y.count = i;
}
