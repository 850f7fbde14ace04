//@ y {"rate": 44100, "frames": 5, "frame": [1, 2, 3, 4, 5]}
//@ varies kind, size, last rounds
struct File { file: [u8] }
struct Stream { rate: u32, frames: u16, frame: [u8; frames] }

/// As FLAC has it: blocks of metadata, of which the first is known and the last has its high bit set; then the frames.
fn normalize(x: &File, y: &mut Stream) {
    assume(bytes(x.file, 0) == b"fLaC");
    let mut at = 4;
    let mut last = 0;
    while last == 0 {
        let kind = u8(x.file, at);
        let size = u24be(x.file, at + 1);
        if at == 4 {
            assume(kind % 128 == 0 && size == 4);
            let rate = u32be(x.file, at + 4);
            y.rate = rate;
        } else {
            assume(kind % 128 >= 1 && kind % 128 < 127);
        }
        last = kind / 128;
        at += 4 + size;
    }
    let frames = len(x.file) - at;
    y.frames = frames;
    for k in 0..frames { y.frame[k] = x.file[at + k]; }
}
