//! AIFF and AIFF-C files of uncompressed samples of 8, 16, 24 and 32 bits.
//!
//! Sources: Audio Interchange File Format, version 1.3, and AIFF-C, draft of 1991 (Apple); the type
//! `sowt`, little-endian samples of 16 bits, as QuickTime defines it. Samples are signed. A sample means its value as a
//! fraction of the greatest one, so a sample of 16 bits equals one of 24 with eight zeros below. Not
//! covered: other compression types, samples whose bits do not fill their bytes, more than two channels.

use super::file::{Chunks, File};

/// The samples as they are stored.
struct Samples {
    channels: u16,
    rate: [u8; 10],
    frames: u32,
    /// The bytes of a sample, and 1 if the least significant one is the first.
    bytes: u8,
    little: u8,
    samples: [u8; channels * frames * bytes],
}

/// Sound: four bytes for each sample, the least significant first, signed.
struct Sound {
    channels: u16,
    /// Hertz, as the extended floating-point number of 80 bits that the file stores.
    rate: [u8; 10],
    frames: u32,
    pcm: [u8; 4 * channels * frames],
}

/// The form, `COMM`, the compression type and the samples: see the primitive `aiff_chunks`.
fn chunks(x: &File, y: &mut Chunks) {
    y.data = aiff_chunks(x.file);
}

const NONE: u32 = 0x4e4f4e45;
const SOWT: u32 = 0x736f7774;

fn format(x: &Chunks, y: &mut Samples) {
    let form = u8(x.data, 0);
    let channels = u16be(x.data, 1);
    let frames = u32be(x.data, 3);
    let bits = u16be(x.data, 7);
    let kind = u32be(x.data, 19);
    assume(form <= 1);
    assume(form == 1 || kind == 0);
    assume(form == 0 || kind == NONE || kind == SOWT);
    assume(kind != SOWT || bits == 16);
    assume(channels == 1 || channels == 2);
    assume(bits == 8 || bits == 16 || bits == 24 || bits == 32);
    let sample = if bits == 8 { 1 } else if bits == 16 { 2 } else if bits == 24 { 3 } else { 4 };
    let little = if kind == SOWT { 1 } else { 0 };
    y.channels = channels;
    y.frames = frames;
    y.bytes = sample;
    y.little = little;
    for i in 0..10 {
        y.rate[i] = x.data[9 + i];
    }
    assume(x.count == 23 + channels * frames * sample);
    for i in 0..channels * frames * sample {
        y.samples[i] = x.data[23 + i];
    }
}

fn width(x: &Samples, y: &mut Sound) {
    y.channels = x.channels;
    y.frames = x.frames;
    assume(x.channels == 1 || x.channels == 2);
    assume(x.bytes >= 1 && x.bytes <= 4);
    assume(x.little == 0 || x.little == 1 && x.bytes == 2);
    for i in 0..10 {
        y.rate[i] = x.rate[i];
    }
    for k in 0..x.frames * x.channels {
        for c in 0..x.bytes {
            if x.little == 1 {
                y.pcm[4 * k + 4 - x.bytes + c] = x.samples[k * x.bytes + c];
            } else {
                y.pcm[4 * k + 3 - c] = x.samples[k * x.bytes + c];
            }
        }
    }
    // The lower bytes of narrow samples.
    if x.bytes <= 3 {
        for k in 0..x.frames * x.channels {
            y.pcm[4 * k] = 0;
        }
    }
    if x.bytes <= 2 {
        for k in 0..x.frames * x.channels {
            y.pcm[4 * k + 1] = 0;
        }
    }
    if x.bytes == 1 {
        for k in 0..x.frames * x.channels {
            y.pcm[4 * k + 2] = 0;
        }
    }
}
