//@ kind byte order
//@ y {"channels": 1, "frames": 1}
//@ y {"channels": 2, "frames": 9}
//@ y {"channels": 4, "frames": 1000}
struct F { file: [u8] }
struct P { channels: u16, frames: u32, sample: [[i16; frames]; channels] }

/// Each channel of signed samples of two bytes is at a place of its own.
fn normalize(x: &F, y: &mut P) {
    let channels = u16le(x.file, 0);
    let frames = u32le(x.file, 2);
    y.channels = channels;
    y.frames = frames;
    for c in 0..channels {
        let place = u32le(x.file, 6 + 4 * c);
        for f in 0..frames {
            let sample = i16le(x.file, place + 2 * f);
            y.sample[c][f] = sample;
        }
    }
}
