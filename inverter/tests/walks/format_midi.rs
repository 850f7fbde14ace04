//@ file 4d546864000000060001000201e04d54726b0000003b00ff0302543000c00c00903c408148803c4020903d408148803d4040903e408148803e406090
//@ more 3f408148803f408100904040814880404000ff2f004d54726b0000003b00ff0302543100c00c00903c408148803c4020903d408148803d4040903e40
//@ more 8148803e4060903f408148803f408100904040814880404000ff2f00
//@ varies kind, time width, size
struct File { file: [u8] }
struct Song {
    format: u8,
    tracks: u16,
    division: u16,
    events: u32,
    bytes: u32,
    length: [u32; tracks],
    time: [u32; events],
    status: [u8; events],
    size: [u32; events],
    data: [u8; bytes],
}

/// Standard MIDI files: a head, and tracks of events with times of variable length; other chunks anywhere.
fn midi(x: &File, y: &mut Song) {
    assume(bytes(x.file, 0) == b"MThd");
    let head = u32be(x.file, 4);
    let format = u16be(x.file, 8);
    let tracks = u16be(x.file, 10);
    let division = u16be(x.file, 12);
    assume(head == 6 && format <= 1 && division >= 1 && division < 0x8000);
    y.format = format;
    y.division = division;
    let mut at = 14;
    let mut t = 0;
    let mut e = 0;
    let mut n = 0;
    while at < len(x.file) {
        let kind = u32be(x.file, at);
        let size = u32be(x.file, at + 4);
        assume(size < 0x10000000);
        if kind == 0x4d54726b {
            let first = e;
            let mut p = at + 8;
            let mut status = 0;
            let mut ended = 0;
            while ended == 0 {
                let (time, wide) = vlq(x.file, p);
                p += wide;
                let byte = u8(x.file, p);
                // A status below 128 is that of the event before: its data begin here.
                if byte >= 128 {
                    status = byte;
                    p += 1;
                }
                assume(status >= 128);
                y.time[e] = time;
                let mut count = 2;
                if status == 0xff {
                    let meta = u8(x.file, p);
                    assume(meta < 128);
                    let (length, w) = vlq(x.file, p + 1);
                    y.status[e] = meta;
                    if meta == 0x2f {
                        assume(length == 0);
                        ended = 1;
                    }
                    count = length;
                    p += 1 + w;
                } else {
                    assume(status < 0xf0);
                    if status >= 0xc0 && status < 0xe0 { count = 1; }
                    y.status[e] = status;
                }
                y.size[e] = count;
                for j in 0..count { y.data[n + j] = x.file[p + j]; }
                n += count;
                p += count;
                if status == 0xff { status = 0; }
                e += 1;
            }
            assume(p == at + 8 + size);
            y.length[t] = e - first;
            t += 1;
        } else {
            assume(kind / 0x1000000 >= 65 && kind / 0x1000000 <= 76);
        }
        at += 8 + size;
    }
    assume(at == len(x.file));
    assume(t == tracks);
    y.tracks = t;
    y.events = e;
    y.bytes = n;
}
