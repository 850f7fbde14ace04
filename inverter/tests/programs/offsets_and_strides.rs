//! Channels, each with its first sample, all with the same distance from one to the next.
//@ incomplete: channels of equal content never share their place
//@ y {"channels": 2, "frames": 2, "data": [[1, 2], [3, 4]]}
//@ x {"channels": 2, "frames": 2, "stride": 2, "first": [1, 0], "samples": [3, 1, 4, 2]}

pub struct Wave {
    channels: u8,
    frames: u8,
    stride: u8,
    #[element("channel")]
    first: [u8; channels],
    samples: [u8],
}

pub struct Audio {
    channels: u8,
    frames: u8,
    data: [[u8; frames]; channels],
}

pub fn normalize(x: &Wave, y: &mut Audio) {
    y.channels = x.channels;
    y.frames = x.frames;
    assume(x.stride == x.channels);
    for c in 0..x.channels {
        assume(x.first[c] < x.channels);
        for t in 0..x.frames {
            y.data[c][t] = x.samples[x.first[c] + t * x.stride];
        }
    }
}
