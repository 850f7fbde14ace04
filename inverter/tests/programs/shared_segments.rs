//! Animation frames by offset: a frame that is shown twice need be stored only once.
//@ complete
//@ y {"frames": 2, "size": 2, "data": [[1, 2], [1, 2]]}
//@ y {"frames": 2, "size": 1, "data": [[1], [2]]}
//@ x {"frames": 2, "size": 2, "offsets": [3, 3], "file": [0, 0, 0, 1, 2, 0, 0, 0]}

pub struct Animation {
    frames: u8,
    size: u8,
    #[element("frame")]
    offsets: [u8; frames],
    file: [u8; 8],
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
