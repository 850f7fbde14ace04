//! Random streams that the encoders make, many to a file.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use inverter::primitive::{Encoding, PackBits, Primitive};
use inverter::solve::ChoiceSource;
use normalizers::primitive::{FloatPredictor, ModifiedHuffman, PackedBits, Predictor, T4, T6};
use rand::{Rng, RngExt};

use super::container::{Form, SAMPLE_FORMAT};
use super::pictures;

/// Streams that have a form in common.
pub struct Batch {
    pub form: Form,
    /// Uncompressed rows with the stream that stands for them.
    pub strips: Vec<(Vec<u8>, Vec<u8>)>,
    /// True if the crate `tiff` supports it.
    pub in_tiff_crate: bool,
    /// For samples of less than a byte, what they are.
    pub samples: Option<Vec<u8>>,
}

/// Makes the batches of one kind: with this many streams, whose choices begin at an index.
pub type Maker = fn(&mut dyn Rng, usize, u64) -> Batch;

/// Each kind by its name.
pub const KINDS: [(&str, Maker); 15] = [
    ("Modified Huffman", |rng, count, index| bilevel(rng, count, index, &ModifiedHuffman, 2, None)),
    ("T.4, one-dimensional", |rng, count, index| {
        let options = 4 * rng.random_range(0..2);
        bilevel(rng, count, index, &T4, 3, Some((292, options)))
    }),
    ("T.4, two-dimensional", |rng, count, index| {
        let options = 1 + 4 * rng.random_range(0..2);
        bilevel(rng, count, index, &T4, 3, Some((292, options)))
    }),
    ("T.6", |rng, count, index| bilevel(rng, count, index, &T6, 4, Some((293, 0)))),
    ("PackBits", packbits),
    ("predictor, 8 bits", |rng, count, index| predictor(rng, count, index, 1)),
    ("predictor, 16 bits", |rng, count, index| predictor(rng, count, index, 2)),
    ("predictor, 32 bits", |rng, count, index| predictor(rng, count, index, 4)),
    ("predictor, 64 bits", |rng, count, index| predictor(rng, count, index, 8)),
    ("floating point predictor, 16 bits", |rng, count, index| floats(rng, count, index, 2)),
    ("floating point predictor, 24 bits", |rng, count, index| floats(rng, count, index, 3)),
    ("floating point predictor, 32 bits", |rng, count, index| floats(rng, count, index, 4)),
    ("floating point predictor, 64 bits", |rng, count, index| floats(rng, count, index, 8)),
    ("packed bits", packed_bits),
    ("packed bits, Modified Huffman", packed_bits_coded),
];

/// The padding after rows in Modified Huffman coding, which readers ignore: libtiff 4.5.0 (and,
/// by its source, 4.7.1) looks for codes up to 13 bits ahead, and if the stream ends before
/// that in the row before the last, it begins the last row at another bit. Two rows of two
/// white and three black pixels are enough.
const AFTER_ROWS: [u8; 2] = [0, 0];

/// Encodes data, after checking that the decoder returns it.
fn encoded(primitive: &dyn Primitive, args: &[i128], data: &[u8], index: u64) -> Vec<u8> {
    let mut source = ChoiceSource::seeded(7, index);
    let stored = primitive.encode(data, Encoding::any_length(args, &mut source)).unwrap();
    let back = primitive.decode(&stored, args, data.len());
    assert!(back.as_deref() == Ok(data), "{args:?} {:?}: {back:?}", source.recorded());
    stored
}

fn grey(columns: usize, rows_per_strip: usize, bits: usize, compression: u16) -> Form {
    let (big_endian, samples, more) = (false, 1, Vec::new());
    Form { big_endian, columns, rows_per_strip, bits, samples, compression, more }
}

fn bilevel(
    rng: &mut dyn Rng,
    count: usize,
    index: u64,
    primitive: &dyn Primitive,
    compression: u16,
    option: Option<(u16, u32)>,
) -> Batch {
    let (columns, rows) = (pictures::columns(rng), rng.random_range(1..=24));
    let mut args = vec![columns as i128];
    args.extend(option.map(|(_, value)| i128::from(value)));
    let mut strip = |k| {
        let data = pictures::picture(rng, columns, rows);
        let mut stored = encoded(primitive, &args, &data, index + k as u64);
        if compression == 2 {
            stored.extend(AFTER_ROWS);
        }
        (data, stored)
    };
    let strips = (0..count).map(&mut strip).collect();
    let mut form = grey(columns, rows, 1, compression);
    form.more.extend(option);
    Batch { form, strips, in_tiff_crate: compression == 4, samples: None }
}

/// Bytes in runs, of few values or any.
pub fn bytes(rng: &mut dyn Rng, length: usize) -> Vec<u8> {
    let (values, longest) = ([2, 16, 256][rng.random_range(0..3)], 1 << rng.random_range(0..10));
    let mut out = Vec::new();
    while out.len() < length {
        let run = rng.random_range(1..=longest).min(length - out.len());
        let value = rng.random_range(0..values) as u8;
        out.resize(out.len() + run, value);
    }
    out
}

fn packbits(rng: &mut dyn Rng, count: usize, index: u64) -> Batch {
    let form = grey(rng.random_range(1..=2000), rng.random_range(1..=8), 8, 32773);
    let mut strip = |k| {
        let data = bytes(rng, form.columns * form.rows_per_strip);
        let row = |row| encoded(&PackBits, &[], row, index + k as u64);
        let stored = data.chunks(form.columns).flat_map(row).collect();
        (data, stored)
    };
    let strips = (0..count).map(&mut strip).collect();
    Batch { form, strips, in_tiff_crate: true, samples: None }
}

/// Samples of `size` bytes in any byte order, one or three a pixel, compressed by Deflate.
pub fn sampled(rng: &mut dyn Rng, size: usize) -> Form {
    let mut form = grey(rng.random_range(1..=300), rng.random_range(1..=8), 8 * size, 8);
    form.big_endian = rng.random();
    form.samples = [1, 3][rng.random_range(0..2)];
    form
}

/// The arguments of a predictor.
pub fn predictor_arguments(form: &Form) -> [i128; 4] {
    let row = (form.columns * form.samples) as i128;
    [row, form.samples as i128, form.bits as i128 / 8, form.big_endian.into()]
}

fn predictor(rng: &mut dyn Rng, count: usize, index: u64, size: usize) -> Batch {
    let mut form = sampled(rng, size);
    form.more.push((317, 2));
    differences(rng, count, index, &Predictor, form)
}

/// Floating point numbers of any bits.
fn floats(rng: &mut dyn Rng, count: usize, index: u64, size: usize) -> Batch {
    let mut form = sampled(rng, size);
    form.more.extend([(317, 3), (SAMPLE_FORMAT, 3)]);
    // The crate has no type of 24 bits.
    Batch { in_tiff_crate: size != 3, ..differences(rng, count, index, &FloatPredictor, form) }
}

/// Differences of samples, compressed.
fn differences(
    rng: &mut dyn Rng,
    count: usize,
    index: u64,
    predictor: &dyn Primitive,
    form: Form,
) -> Batch {
    let args = predictor_arguments(&form);
    let mut strip = |k| {
        let data = bytes(rng, form.row_bytes() * form.rows_per_strip);
        let differences = encoded(predictor, &args, &data, index + k as u64);
        let mut deflate = ZlibEncoder::new(Vec::new(), Compression::fast());
        deflate.write_all(&differences).unwrap();
        (data, deflate.finish().unwrap())
    };
    let strips = (0..count).map(&mut strip).collect();
    Batch { form, strips, in_tiff_crate: true, samples: None }
}

/// Samples of 1, 2 or 4 bits with any bits after each row.
fn packed_bits(rng: &mut dyn Rng, count: usize, index: u64) -> Batch {
    let bits = [1, 2, 4][rng.random_range(0..3)];
    let form = grey(rng.random_range(1..=300), rng.random_range(1..=8), bits, 1);
    let args = [bits as i128, form.columns as i128];
    let mut samples = Vec::new();
    let mut strip = |k| {
        let mut data = bytes(rng, form.columns * form.rows_per_strip);
        data.iter_mut().for_each(|sample| *sample &= (1 << bits) - 1);
        let stored = encoded(&PackedBits, &args, &data, index + k as u64);
        samples.extend(data);
        (stored.clone(), stored)
    };
    let strips = (0..count).map(&mut strip).collect();
    Batch { form, strips, in_tiff_crate: true, samples: Some(samples) }
}

/// The rows, coded, with any bytes after each row.
fn packed_bits_coded(rng: &mut dyn Rng, count: usize, index: u64) -> Batch {
    let mut batch = packed_bits(rng, count, index);
    while batch.form.bits != 1 {
        batch = packed_bits(rng, count, index);
    }
    let form = &mut batch.form;
    form.compression = 2;
    let args = [form.columns as i128];
    let unused = form.row_bytes() * 8 - form.columns;
    for (k, (data, stored)) in batch.strips.iter_mut().enumerate() {
        let mut source = ChoiceSource::seeded(8, index + k as u64);
        *stored = ModifiedHuffman.encode(data, Encoding::any_length(&args, &mut source)).unwrap();
        data.chunks_mut(form.row_bytes()).for_each(|row| {
            *row.last_mut().unwrap() &= u8::MAX << unused;
        });
        stored.extend(AFTER_ROWS);
        assert_eq!(ModifiedHuffman.decode(stored, &args, data.len()).as_ref(), Ok(&*data));
    }
    batch.in_tiff_crate = false;
    batch
}
