//! WAVE files of uncompressed samples of 8, 16, 24 and 32 bits, with or without the extensible format.
//!
//! Sources: the Multimedia Programming Interface and Data Specifications 1.0, and Multiple Channel Audio
//! Data and WAVE Files (Microsoft). A sample means its value as a fraction of the greatest one, so a sample
//! of 16 bits equals one of 24 with eight zeros below. Not covered: floating point, samples whose
//! bits do not fill their bytes outside of the extensible format, and speakers other than the usual ones
//! of one and two channels.

use super::file::{Chunks, File};

struct Samples {
    channels: u16,
    /// Hertz.
    rate: u32,
    frames: u32,
    /// The bytes of a sample, and the number of its bits that are used.
    bytes: u8,
    valid: u8,
    samples: [u8; channels * frames * bytes],
}

/// Sound: four bytes for each sample, the least significant first, signed.
struct Sound {
    channels: u16,
    rate: u32,
    frames: u32,
    pcm: [u8; 4 * channels * frames],
}

const PCM: u16 = 1;
const EXTENSIBLE: u16 = 0xFFFE;

/// The format, then the samples: see the primitive `wave_chunks`.
fn chunks(x: &File, y: &mut Chunks) {
    y.data = wave_chunks(x.file);
}

fn format(x: &Chunks, y: &mut Samples) {
    let length = u16le(x.data, 0);
    let tag = u16le(x.data, 2);
    let channels = u16le(x.data, 4);
    let rate = u32le(x.data, 6);
    let byte_rate = u32le(x.data, 10);
    let frame = u16le(x.data, 14);
    let bits = u16le(x.data, 16);
    y.channels = channels;
    y.rate = rate;
    assume(channels == 1 || channels == 2);
    assume(rate >= 1 && rate <= 1000000);
    assume(bits == 8 || bits == 16 || bits == 24 || bits == 32);
    let sample = if bits == 8 { 1 } else if bits == 16 { 2 } else if bits == 24 { 3 } else { 4 };
    y.bytes = sample;
    assume(frame == channels * sample);
    assume(byte_rate == rate * frame);

    // The extensible format has the number of bits in use and the speakers of the channels.
    assume(length == 16 || length == 18 || length == 40);
    assume(x.count >= 2 + length);
    assume(tag == PCM || tag == EXTENSIBLE && length == 40);
    assume(tag == EXTENSIBLE || length <= 18);
    let more = if length >= 18 { u16le(x.data, 18) } else { 0 };
    assume(length == 40 || more == 0);
    assume(length != 40 || more == 22);
    let valid = if length == 40 { u16le(x.data, 20) } else { bits };
    assume(valid >= 1 && valid <= bits);
    y.valid = valid;
    let mask = if length == 40 { u32le(x.data, 22) } else { 0 };
    assume(mask == 0 || channels == 1 && mask == 4 || channels == 2 && mask == 3);
    if length == 40 {
        assume(bytes(x.data, 26) == b"\x01\x00\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71");
    }
    // The number of frames follows from the amount of data.
    let size = x.count - 2 - length;
    let frames = if frame == 1 { size } else if frame == 2 { size / 2 } else if frame == 3 { size / 3 } else if frame == 4 { size / 4 } else if frame == 6 { size / 6 } else { size / 8 };
    assume(size == frames * frame);
    y.frames = frames;
    for i in 0..size {
        y.samples[i] = x.data[2 + length + i];
    }
}

fn width(x: &Samples, y: &mut Sound) {
    y.channels = x.channels;
    y.rate = x.rate;
    y.frames = x.frames;
    assume(x.channels == 1 || x.channels == 2);
    assume(x.bytes >= 1 && x.bytes <= 4);
    assume(x.valid >= 1 && x.valid <= 8 * x.bytes);
    // loss: samples of another length have no file, and other fields are drawn
    y.pcm = pcm(x.samples, x.bytes, x.valid);
}
