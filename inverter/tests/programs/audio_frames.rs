//! Audio frames, one sample of each channel in turn; the frame may be larger than its samples.
//@ incomplete: with one frame any frame size would do
//@ y {"channels": 2, "frames": 2, "data": [[1, -2], [3, 4]]}
//@ y {"channels": 1, "frames": 0, "data": [[]]}

pub struct Wave {
    channels: u8,
    frames: u8,
    frame_size: u8,
    samples: [i16],
}

pub struct Audio {
    channels: u8,
    frames: u8,
    data: [[i16; frames]; channels],
}

pub fn normalize(x: &Wave, y: &mut Audio) {
    y.channels = x.channels;
    y.frames = x.frames;
    for t in 0..x.frames {
        for c in 0..x.channels {
            y.data[c][t] = x.samples[t * x.frame_size + c];
        }
    }
}
