//! Files in the plainest layout: header, strips, directory, and then all other parts, one after the
//! other.
#![allow(dead_code, reason = "each test takes what it needs")]

use inverter::solve::{ChoiceSource, Choices};
use tiff_harness::ImageFile;
use tiff_harness::container::Tag;
use tiff_harness::container::choices::{self, RequiredTags, WriterOptions};
use tiff_harness::container::write::{Plan, write};

use crate::make_seeds;

/// A file with its plan and its choices.
pub struct Made {
    pub bytes: Vec<u8>,
    pub plan: Plan,
    pub choices: Choices,
}

/// Returns the project's seeds: names and bytes.
pub fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    make_seeds::seeds().unwrap()
}

/// Writes the tags of the file `bytes` in the layout that `source` decides on.
pub fn lay_out(bytes: &[u8], source: ChoiceSource, options: &WriterOptions) -> Made {
    let seed = ImageFile::read(bytes).unwrap();
    let mut source = source.with_baseline(choices::baseline(&seed));
    let mut layout = choices::choose(&mut source, options, &RequiredTags::of(&seed)).unwrap();
    let mut file = vec![0xEE; layout.format.header_size() as usize];
    let (mut offsets, mut counts) = (Vec::new(), Vec::new());
    for k in 0..seed.segments.len() {
        let rows = seed.stored(bytes, k).unwrap();
        offsets.push(reserve(&mut file, rows.len() as u64));
        counts.push(rows.len() as u64);
        let at = file.len() - rows.len();
        file[at..].copy_from_slice(rows);
    }
    layout.add_tag(&mut source, Tag::STRIP_OFFSETS, &offsets).unwrap();
    layout.add_tag(&mut source, Tag::STRIP_BYTE_COUNTS, &counts).unwrap();
    let ifd_at = reserve(&mut file, layout.ifd_size(0));
    let places: Vec<u64> = layout.blocks().iter().map(|b| reserve(&mut file, b.1)).collect();
    let plan = layout.plan(ifd_at, &places).unwrap();
    write(&plan, &mut file).unwrap();
    assert!(source.unused().is_empty(), "{:?}", source.unused());
    Made { bytes: file, plan, choices: source.into_recorded() }
}

/// Appends `len` bytes on a word boundary, and returns their offset.
fn reserve(file: &mut Vec<u8>, len: u64) -> u64 {
    let at = file.len().next_multiple_of(2);
    file.resize(at + len as usize, 0xEE);
    at as u64
}
pub mod corpus;
pub mod document;
pub mod memory;
pub mod plain;
pub mod raster;
