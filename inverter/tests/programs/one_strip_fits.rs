//! More frames than the file has room for: only sharing makes them fit.
//@ complete
//@ y {"frames": 3, "size": 2, "data": [[1, 2], [1, 2], [1, 2]]}
//@ x {"frames": 3, "size": 2, "offsets": [1, 1, 1], "file": [0, 1, 2, 0]}

pub struct Animation {
    frames: u8,
    size: u8,
    #[element("frame")]
    offsets: [u8; frames],
    file: [u8; 4],
}

pub struct Frames {
    frames: u8,
    size: u8,
    data: [[u8; size]; frames],
}

pub fn normalize(x: &Animation, y: &mut Frames) {
    y.frames = x.frames;
    y.size = x.size;
    for k in 0..x.frames {
        for b in 0..x.size {
            y.data[k][b] = x.file[x.offsets[k] + b];
        }
    }
}
