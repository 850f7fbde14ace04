//@ y {"rate": 44100, "name": 7}
//@ varies kind, rate, at rounds
struct File { file: [u8] }
struct Settings { rate: u32, name: u16 }

/// Settings in any order: of two of a kind the last one counts, and a name may be absent, if it is 7.
fn normalize(x: &File, y: &mut Settings) {
    let mut at = 0;
    let mut rate = 0;
    let mut name = 7;
    while at < len(x.file) {
        let kind = u8(x.file, at);
        assume(kind == 1 || kind == 2);
        if kind == 1 {
            rate = u32le(x.file, at + 1);
            at += 5;
        } else {
            name = u16le(x.file, at + 1);
            at += 3;
        }
    }
    assume(at == len(x.file));
    y.rate = rate;
    y.name = name;
}
