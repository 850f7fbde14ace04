//! Cues with pauses between them: each has its start and its end, and the start of the next one follows.
//@ kind monotone
//@ y {"n": 0, "duration": [], "pause": []}
//@ y {"n": 4, "duration": [0, 7, 65535, 1], "pause": [3, 0, 0, 9]}
//@ y {"n": 2000, "duration": {"cycle": [1, 500, 65535], "length": 2000}, "pause": {"cycle": [0, 40], "length": 2000}}

struct File {
    file: [u8],
}

struct Cues {
    n: u16,
    duration: [u16; n],
    pause: [u16; n],
}

fn normalize(x: &File, y: &mut Cues) {
    assume(bytes(x.file, 0) == b"CUES");
    let n = u16be(x.file, 4);
    y.n = n;
    for k in 0..n {
        let start = u32be(x.file, 6 + 8 * k);
        let end = u32be(x.file, 10 + 8 * k);
        let next = u32be(x.file, 14 + 8 * k);
        y.duration[k] = end - start;
        y.pause[k] = next - end;
    }
}
