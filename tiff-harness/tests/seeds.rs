//! The seed files of the corpus are what the example makes, and what they should be.

use std::path::Path;

use tiff_harness::ImageFile;
use tiff_harness::container::ByteOrder;

#[path = "../examples/make-seeds.rs"]
mod make_seeds;

#[test]
fn the_committed_files_are_what_the_example_makes() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds");
    for (name, bytes) in make_seeds::seeds().unwrap() {
        let committed = std::fs::read(corpus.join(name)).unwrap();
        assert!(
            committed == bytes,
            "{name} differs: `cargo run -p tiff-harness --example make-seeds`"
        );
    }
}

#[test]
fn the_seeds_are_ordinary() {
    for (name, bytes) in make_seeds::seeds().unwrap() {
        let seed = ImageFile::read(&bytes).unwrap();
        assert_eq!((seed.order, seed.orientation), (ByteOrder::Little, 1), "{name}");
        assert_eq!(seed.oversized().next(), None, "{name}");
        assert!(seed.strips.is_sorted_by(|a, b| a.offset + a.byte_count <= b.offset), "{name}");
        assert!(seed.left_out.is_empty(), "{name}");
    }
}

/// Turned or mirrored in any way, each picture is another one; so is it with any two rows
/// or columns exchanged. Without that, a seed would hide mistakes.
#[test]
fn the_pictures_have_no_symmetry() {
    for (name, bytes) in make_seeds::seeds().unwrap() {
        let seed = ImageFile::read(&bytes).unwrap();
        let raster = seed.raster(&bytes).unwrap();
        let (w, h) = (seed.width as usize, seed.height as usize);
        let n = usize::from(seed.samples);
        let pixel = |x: usize, y: usize| &raster[(y * w + x) * n..][..n];
        let rows: Vec<Vec<&[u8]>> = (0..h).map(|y| (0..w).map(|x| pixel(x, y)).collect()).collect();
        let columns: Vec<Vec<&[u8]>> =
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
