//! AU files (Sun and NeXT) of uncompressed linear samples of 8, 16, 24 and 32 bits.
//!
//! Source: audio(7) of SunOS, and NeXT's soundstruct.h. The header is big-endian, and so are the samples,
//! which are signed. Between header and samples is an annotation: bytes of any content. A sample means its
//! value as a fraction of the greatest one, so a sample of 16 bits equals one of 24 with eight zeros
//! below. Not covered: companded, floating-point and compressed samples, more than two channels, and an
//! unknown amount of data (a size of 2^32 - 1).

use super::file::File;

/// Sound: four bytes for each sample, the least significant first, signed.
struct Sound {
    channels: u16,
    /// Hertz.
    rate: u32,
    frames: u32,
    pcm: [u8; 4 * channels * frames],
}

fn normalize(x: &File, y: &mut Sound) {
    assume(bytes(x.file, 0) == b".snd");
    let place = u32be(x.file, 4);
    let size = u32be(x.file, 8);
    let encoding = u32be(x.file, 12);
    let rate = u32be(x.file, 16);
    let channels = u32be(x.file, 20);
    // Readers differ on an odd place of the samples.
    assume(place >= 24 && place % 4 == 0);
    assume(encoding >= 2 && encoding <= 5);
    assume(channels == 1 || channels == 2);
    assume(rate >= 1 && rate <= 1000000);
    y.channels = channels;
    y.rate = rate;
    let sample = if encoding == 2 { 1 } else if encoding == 3 { 2 } else if encoding == 4 { 3 } else { 4 };
    let frame = sample * channels;
    let frames = if frame == 1 { size } else if frame == 2 { size / 2 } else if frame == 3 { size / 3 } else if frame == 4 { size / 4 } else if frame == 6 { size / 6 } else { size / 8 };
    assume(size == frames * frame);
    y.frames = frames;
    for k in 0..frames * channels {
        for c in 0..sample {
            y.pcm[4 * k + 3 - c] = x.file[place + k * sample + c];
        }
    }
    // The lower bytes of narrow samples.
    if sample <= 3 {
        for k in 0..frames * channels {
            y.pcm[4 * k] = 0;
        }
    }
    if sample <= 2 {
        for k in 0..frames * channels {
            y.pcm[4 * k + 1] = 0;
        }
    }
    if sample == 1 {
        for k in 0..frames * channels {
            y.pcm[4 * k + 2] = 0;
        }
    }
}
