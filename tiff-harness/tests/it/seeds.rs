//! The seed files of the corpus are those that the example writes, and have the intended properties.

use std::path::Path;

use tiff_harness::container::ByteOrder;
use tiff_harness::{ImageFile, Seed};

use crate::make_seeds;

#[test]
fn the_committed_files_are_what_the_example_makes() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds");
    for (name, bytes) in make_seeds::seeds().unwrap() {
        let committed = std::fs::read(corpus.join(name)).unwrap();
        assert!(
            committed == bytes,
            "{name} differs: `cargo run -p repfuzz-tiff-harness --example make-seeds`"
        );
    }
}

#[test]
fn the_seeds_are_ordinary() {
    for (name, bytes) in make_seeds::seeds().unwrap() {
        let seed = ImageFile::read(&bytes).unwrap();
        assert_eq!((seed.order, seed.orientation), (ByteOrder::Little, 1), "{name}");
        let counts = seed.segments.iter().map(|s| s.byte_count);
        let needed = (0..seed.segments.len()).map(|k| seed.grid().bytes(k as u64));
        assert!(counts.eq(needed), "{name}");
        assert!(seed.segments.is_sorted_by(|a, b| a.offset + a.byte_count <= b.offset), "{name}");
        assert!(seed.left_out.is_empty(), "{name}");
    }
}

/// Any rotation, reflection, or exchange of two rows or columns changes each picture. Otherwise a seed
/// would hide mistakes.
#[test]
fn the_pictures_have_no_symmetry() {
    for (name, bytes) in make_seeds::seeds().unwrap() {
        let seed = Seed::open(bytes).unwrap();
        let picture = seed.picture();
        let (w, h) = (picture.width() as usize, picture.height() as usize);
        let pixel = |x: usize, y: usize| &picture.rgba()[(y * w + x) * 4..][..4];
        let rows: Vec<Vec<&[u16]>> =
            (0..h).map(|y| (0..w).map(|x| pixel(x, y)).collect()).collect();
        let columns: Vec<Vec<&[u16]>> =
            (0..w).map(|x| (0..h).map(|y| pixel(x, y)).collect()).collect();
        for lines in [&rows, &columns] {
            for (k, line) in lines.iter().enumerate() {
                assert!(!lines[..k].contains(line), "{name}: two lines are the same");
            }
        }
        if w == h {
            assert_ne!(rows, columns, "{name}");
        }
        let corners = [pixel(0, 0), pixel(w - 1, 0), pixel(w - 1, h - 1), pixel(0, h - 1)];
        for (k, corner) in corners.iter().enumerate() {
            assert!(!corners[..k].contains(corner), "{name}: two corners are the same");
        }
    }
}
