//! The files of the corpus: the project's seeds, and files of real programs.

use std::path::{Path, PathBuf};

/// Returns the path of `name` in the corpus: `producers/gdal/gray-tiles.tif`.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus").join(name)
}

/// Returns the bytes of `name` in the corpus.
pub fn file(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Returns the names of all files in the corpus, in alphabetical order.
#[allow(dead_code, reason = "not every test takes all")]
pub fn all() -> Vec<String> {
    let list = |directory: &str| -> Vec<String> {
        let entries = std::fs::read_dir(path(directory)).unwrap();
        let name = |e: std::io::Result<std::fs::DirEntry>| {
            format!("{directory}/{}", e.unwrap().file_name().to_string_lossy())
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    };
    let producers = list("producers").into_iter().filter(|d| path(d).is_dir());
    let mut names = list("seeds");
    names.extend(producers.flat_map(|d| list(&d)));
    names.retain(|name| name.ends_with(".tif"));
    names
}

/// A dozen files of real programs, of every kind that is supported.
#[allow(dead_code, reason = "not every test takes these")]
pub const KINDS: [&str; 13] = [
    "producers/libtiff/rgb-planar-tiles.tif",
    "producers/libtiff/rgb-tiles-big-tiff.tif",
    "producers/libtiff/bilevel-g3-2d-fill.tif",
    "producers/libtiff/bilevel-g4-lsb-first.tif",
    "producers/libtiff/gray-orientation-5.tif",
    "producers/imagemagick/gray2.tif",
    "producers/pillow/gray-alpha-lzw.tif",
    "producers/pillow/bilevel-ccitt-rle.tif",
    "producers/netpbm/palette4.tif",
    "producers/ffmpeg/palette-raw.tif",
    "producers/tifffile/gray32.tif",
    "producers/tifffile/rgba-unspecified.tif",
    "producers/gdal/rgba16-streamable.tif",
];

/// Returns forty files that can be read: the project's seeds, and others spread over all producers.
#[allow(dead_code, reason = "not every test takes these")]
pub fn forty() -> Vec<(String, tiff_harness::Seed)> {
    let open = |name: String| Some((name.clone(), tiff_harness::Seed::open(file(&name)).ok()?));
    let (own, others): (Vec<_>, Vec<_>) =
        all().into_iter().filter_map(open).partition(|(name, _)| name.starts_with("seeds/"));
    let more = 40 - own.len();
    let spread = (0..more).map(|k| others[k * others.len() / more].clone());
    own.into_iter().chain(spread).collect()
}
