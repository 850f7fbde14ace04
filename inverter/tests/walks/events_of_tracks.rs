//@ y {"tracks": 2, "events": 5, "length": [3, 2], "time": [0, 10, 200, 0, 5], "status": [144, 144, 144, 128, 144], "key": [1, 2, 3, 4, 5]}
//@ y {"tracks": 1, "events": 40, "length": [40], "time": [0, 10, 200, 0, 5, 0, 10, 200, 0, 5, 0, 10, 200, 0, 5, 0, 10, 200, 0, 5, 0, 10, 200, 0, 5, 0, 10, 200, 0, 5, 0, 10, 200, 0, 5, 0, 10, 200, 0, 5], "status": [144, 144, 144, 128, 144, 144, 144, 144, 128, 144, 144, 144, 144, 128, 144, 144, 144, 144, 128, 144, 144, 144, 144, 128, 144, 144, 144, 144, 128, 144, 144, 144, 144, 128, 144, 144, 144, 144, 128, 144], "key": [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5]}
//@ varies time width, byte
struct File { file: [u8] }
struct Song {
    tracks: u8,
    events: u16,
    length: [u16; tracks],
    time: [u32; events],
    status: [u8; events],
    key: [u8; events],
}

/// Tracks of known length in bytes, of events with a status of their own, or that of the one before.
fn normalize(x: &File, y: &mut Song) {
    let tracks = u8(x.file, 0);
    y.tracks = tracks;
    let mut at = 1;
    let mut e = 0;
    for t in 0..tracks {
        let size = u16be(x.file, at);
        let first = e;
        let mut p = at + 2;
        let mut status = 0;
        while p < at + 2 + size {
            let (time, wide) = vlq(x.file, p);
            p += wide;
            let byte = u8(x.file, p);
            if byte >= 128 {
                status = byte;
                p += 1;
            }
            assume(status >= 128);
            let key = u8(x.file, p);
            assume(key < 128);
            y.time[e] = time;
            y.status[e] = status;
            y.key[e] = key;
            p += 1;
            e += 1;
        }
        assume(p == at + 2 + size);
        y.length[t] = e - first;
        at = p;
    }
    y.events = e;
}
