//! Writes the seed files of `corpus/seeds`: test pictures in their most ordinary representation, with
//! the same bytes every time.
//!
//!     cargo run -p repfuzz-tiff-harness --example make-seeds [DIRECTORY]

use std::path::PathBuf;

use tiff_harness::PlanError;
use tiff_harness::container::write::{Plan, PlannedEntry, PlannedIfd, Spare};
use tiff_harness::container::write::{ifd_size, needs_block, write};
use tiff_harness::container::{ByteOrder, Format, Tag, Values};

/// A letter without any symmetry, so that every wrong orientation is visible at once.
const LETTER: [&str; 7] = ["####", "#   ", "#   ", "### ", "#   ", "#   ", "#   "];
/// An arrow that points to the top.
const ARROW: [&str; 7] = ["  #  ", " ### ", "# # #", "  #  ", "  #  ", "  #  ", "  #  "];

type Rgb = [u8; 3];

/// A test picture and its layout.
struct Test {
    width: u32,
    height: u32,
    gray: bool,
    rows_per_strip: u32,
    title: &'static str,
}

/// Returns the name and the bytes of each seed file.
pub fn seeds() -> Result<Vec<(&'static str, Vec<u8>)>, PlanError> {
    let test = |width, height, gray, rows_per_strip, title| Test {
        width,
        height,
        gray,
        rows_per_strip,
        title,
    };
    let tests = [
        ("gray.tif", test(37, 23, true, 8, "37 x 23, gray, 3 strips")),
        ("rgb.tif", test(61, 43, false, 8, "61 x 43, RGB, 6 strips")),
        ("square.tif", test(64, 64, false, 42, "64 x 64, RGB, 2 strips of about 8 KB")),
        ("tiny.tif", test(5, 4, false, 4, "5 x 4, RGB, 1 strip")),
    ];
    tests.into_iter().map(|(name, test)| Ok((name, file(&test)?))).collect()
}

/// Returns the color of a pixel. Gradients to the right (red) and down (green) make every row and every
/// column differ. The corners are red, green, blue and yellow, clockwise from the top left. The letter
/// and the arrow are added where there is room.
fn color(test: &Test, x: u32, y: u32) -> Rgb {
    let (w, h) = (test.width, test.height);
    let corner = (w.min(h) / 6).max(1);
    match (x < corner, x >= w - corner, y < corner, y >= h - corner) {
        (true, _, true, _) => return [230, 20, 20],
        (_, true, true, _) => return [20, 200, 40],
        (_, true, _, true) => return [30, 50, 240],
        (true, _, _, true) => return [250, 220, 20],
        _ => {}
    }
    let scale = h / 14;
    if inked(&LETTER, scale, x, y, w / 5, h / 4) {
        return [255, 255, 255];
    }
    if inked(&ARROW, scale, x, y, w * 3 / 5, h / 4) {
        return [0, 0, 0];
    }
    let ramp = |at: u32, of: u32| (40 + at * 160 / (of - 1).max(1)) as u8;
    [ramp(x, w), ramp(y, h), 110]
}

/// Returns true if `figure`, with `scale` pixels a cell and its corner at (`left`, `top`), has ink at
/// (`x`, `y`).
fn inked(figure: &[&str], scale: u32, x: u32, y: u32, left: u32, top: u32) -> bool {
    let cell = |at: u32, from: u32| at.checked_sub(from)?.checked_div(scale);
    let (Some(column), Some(row)) = (cell(x, left), cell(y, top)) else {
        return false;
    };
    let row = figure.get(row as usize).map(|row| row.as_bytes());
    row.and_then(|row| row.get(column as usize)) == Some(&b'#')
}

/// Returns the stored bytes of a pixel; gray is its luma (ITU-R BT.601, in 256ths).
fn pixel(test: &Test, x: u32, y: u32) -> Vec<u8> {
    let rgb = color(test, x, y);
    if test.gray {
        let [r, g, b] = rgb.map(u32::from);
        vec![((77 * r + 150 * g + 29 * b) >> 8) as u8]
    } else {
        rgb.to_vec()
    }
}

/// Writes a little-endian file: header, strips in order, directory, blocks.
fn file(test: &Test) -> Result<Vec<u8>, PlanError> {
    let mut file = vec![0; Format::Classic.header_size() as usize];
    let (mut offsets, mut byte_counts) = (Vec::new(), Vec::new());
    for top in (0..test.height).step_by(test.rows_per_strip as usize) {
        let start = file.len();
        for y in top..test.height.min(top + test.rows_per_strip) {
            file.extend((0..test.width).flat_map(|x| pixel(test, x, y)));
        }
        offsets.push(start as u32);
        byte_counts.push((file.len() - start) as u32);
        pad(&mut file);
    }

    let samples: u16 = if test.gray { 1 } else { 3 };
    let description = format!("repfuzz test picture, {}", test.title);
    let entries = [
        (Tag::IMAGE_WIDTH, Values::shorts(&[test.width as u16])),
        (Tag::IMAGE_LENGTH, Values::shorts(&[test.height as u16])),
        (Tag::BITS_PER_SAMPLE, Values::shorts(&vec![8; samples.into()])),
        (Tag::COMPRESSION, Values::shorts(&[1])),
        (Tag::PHOTOMETRIC_INTERPRETATION, Values::shorts(&[if test.gray { 1 } else { 2 }])),
        (Tag::IMAGE_DESCRIPTION, Values::ascii(&description)),
        (Tag::STRIP_OFFSETS, Values::longs(&offsets)),
        (Tag::ORIENTATION, Values::shorts(&[1])),
        (Tag::SAMPLES_PER_PIXEL, Values::shorts(&[samples])),
        (Tag::ROWS_PER_STRIP, Values::shorts(&[test.rows_per_strip as u16])),
        (Tag::STRIP_BYTE_COUNTS, Values::longs(&byte_counts)),
        (Tag::X_RESOLUTION, Values::rationals(&[(72, 1)])),
        (Tag::Y_RESOLUTION, Values::rationals(&[(72, 1)])),
        (Tag::PLANAR_CONFIGURATION, Values::shorts(&[1])),
        (Tag::RESOLUTION_UNIT, Values::shorts(&[2])),
    ];

    let ifd_at = file.len() as u64;
    file.resize(file.len() + ifd_size(Format::Classic, entries.len()) as usize, 0);
    let mut planned = Vec::new();
    for (tag, values) in entries {
        pad(&mut file);
        let value_at = needs_block(Format::Classic, &values).then_some(file.len() as u64);
        if value_at.is_some() {
            file.resize(file.len() + values.size() as usize, 0);
        }
        planned.push(PlannedEntry { tag, values, value_at });
    }
    let plan = Plan::new(
        ByteOrder::Little,
        Format::Classic,
        Spare::Zeros,
        PlannedIfd { at: ifd_at, entries: planned, next: 0 },
    );
    write(&plan, &mut file)?;
    Ok(file)
}

/// Pads the file to an even offset, where directories and values begin (TIFF 6.0, section 2).
fn pad(file: &mut Vec<u8>) {
    file.resize(file.len().next_multiple_of(2), 0);
}

#[allow(dead_code, reason = "the test of the seed files includes this file as a module")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/seeds");
    let directory = std::env::args_os().nth(1).map_or(PathBuf::from(corpus), PathBuf::from);
    std::fs::create_dir_all(&directory)?;
    for (name, bytes) in seeds()? {
        std::fs::write(directory.join(name), bytes)?;
    }
    Ok(())
}
