//! Every page of every variant of a file with several pages means in libtiff what it means in the seed:
//! its samples are those of the canonical value, exactly. The files are made here of files of one page, or
//! are those of `../shared/seeds/image-tiff` where that exists.
//!
//! `PAGES_OF=folder VARIANTS=20 cargo test -p repfuzz-tiff-harness --test it -- pages_libtiff --nocapture`
//! compares the files of another folder as well, and prints the table.

use crate::reference;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use inverter::solve::ChoiceSource;
use reference::{Decoder, Reference};
use tiff_harness::image::{Content, read_image, read_pages};
use tiff_harness::{ImageFile, Picture, Seed, VariantError, container};

use crate::support::corpus;
use crate::support::document;

/// The maximum number of bytes of a file of a folder: decoding takes time.
const MAX_BYTES: u64 = 4 << 20;

/// The value of one page in libtiff.
#[derive(Clone, PartialEq, Eq)]
enum Value {
    /// Colors of 16 bits: red, green, blue, alpha.
    Colors(Picture),
    /// The samples, or the pixels of streams.
    Decoded(Reference),
}

/// The decoders.
struct Libtiff {
    samples: Decoder,
    pixels: Decoder,
}

impl Libtiff {
    /// Returns the value of page `index` of the file at `path`; the error is the reason why libtiff does not
    /// read it.
    fn value(&self, path: &Path, index: usize, page: &ImageFile) -> Result<Value, String> {
        if let Content::Streams(_) = page.content {
            return self.pixels.decode_page(path, index).map(Value::Decoded);
        }
        let decoded = self.samples.decode_page(path, index)?;
        Ok(Value::Decoded(decoded))
    }
}

/// Converts the samples of a page of exact colors to its picture (TIFF 6.0, sections 4 to 6 and 18).
/// `None` if a sample has no exact level.
fn colors(page: &ImageFile, decoded: &Reference) -> Option<Picture> {
    let samples: Vec<u64> = decoded
        .rgba
        .chunks_exact(8)
        .map(|bytes| bytes.iter().fold(0, |n, byte| n << 8 | u64::from(*byte)))
        .collect();
    let most = (1u64 << page.bits) - 1;
    let level = |sample: u64| {
        let scaled = sample * 65535;
        scaled.is_multiple_of(most).then_some((scaled / most) as u16)
    };
    let count = usize::from(page.samples_per_pixel);
    let has_alpha = matches!(page.extra_samples.first(), Some(1 | 2));
    let mut rgba = Vec::new();
    for pixel in samples.chunks_exact(count) {
        let rgb = match page.photometric {
            3 => {
                let third = page.color_map.len() / 3;
                let at = pixel[0] as usize;
                [0, 1, 2].map(|k| page.color_map.get(k * third + at).copied())
            }
            2 => [level(pixel[0]), level(pixel[1]), level(pixel[2])],
            0 => [level(most - pixel[0]); 3],
            _ => [level(pixel[0]); 3],
        };
        let alpha = if has_alpha {
            level(pixel[if page.photometric == 2 { 3 } else { 1 }])?
        } else {
            65535
        };
        rgba.extend([rgb[0]?, rgb[1]?, rgb[2]?, alpha]);
    }
    Some(Picture::new(decoded.width, decoded.height, rgba))
}

/// Returns the pages of a file, at most so many.
fn pages(bytes: &[u8], most: usize) -> Vec<ImageFile> {
    let container = container::read(bytes).unwrap();
    let first = read_image(&container, bytes).unwrap();
    let (later, left_out) = read_pages(&container, &first, bytes, most, u64::MAX);
    assert_eq!(left_out, None);
    std::iter::once(first).chain(later).collect()
}

/// The numbers of a comparison.
#[derive(Default)]
struct Tally {
    variants: usize,
    equal: usize,
    /// Pages that libtiff does not read, by its words.
    unread: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

/// Compares all pages of variants of `seed`, which has more than one.
fn compare(name: &str, seed: &Seed, variants: u64, libtiff: &Libtiff, tally: &mut Tally) {
    let scratch = tempfile::Builder::new().suffix(".tif").tempfile().unwrap();
    let own = std::iter::once(seed.file()).chain(seed.pages().iter().map(tiff_harness::Page::file));
    let own: Vec<&ImageFile> = own.collect();
    let pictures: Vec<Option<Picture>> =
        std::iter::once(seed.has_colors().then(|| seed.picture().clone()))
            .chain(seed.pages().iter().map(|page| page.value().is_none().then(|| page.picture())))
            .collect();
    std::fs::write(scratch.path(), seed.bytes()).unwrap();
    let value = |k: usize, page: &ImageFile| {
        let value = libtiff.value(scratch.path(), k, page)?;
        Ok::<_, String>(match (&pictures[k], value) {
            (Some(_), Value::Decoded(decoded)) => {
                let colors = colors(page, &decoded).ok_or("a sample has no level")?;
                Value::Colors(colors)
            }
            (_, value) => value,
        })
    };
    let expected: Vec<Result<Value, String>> =
        own.iter().enumerate().map(|(k, page)| value(k, page)).collect();
    for (k, (picture, read)) in pictures.iter().zip(&expected).enumerate() {
        if let (Some(picture), Ok(Value::Colors(read))) = (picture, read)
            && picture != read
        {
            tally.wrong.push(format!("{name}: page {} is another in libtiff", k + 1));
        }
    }
    for index in 0..variants {
        let made = match seed.variant(ChoiceSource::seeded(6, index)) {
            Ok(made) => made,
            Err(VariantError::Impossible(_)) => continue,
            Err(e) => {
                tally.wrong.push(format!("{name}: variant {index}: {e}"));
                continue;
            }
        };
        tally.variants += 1;
        std::fs::write(scratch.path(), &made.bytes).unwrap();
        for (k, page) in pages(&made.bytes, own.len()).iter().enumerate() {
            let expected = match (&pictures[k], &expected[k]) {
                (Some(picture), _) => Ok(Value::Colors(picture.clone())),
                (None, expected) => expected.clone(),
            };
            match (expected, value(k, page)) {
                (Ok(expected), Ok(found)) if expected == found => tally.equal += 1,
                (Ok(_), Ok(_)) => {
                    let page = k + 1;
                    tally.wrong.push(format!("{name}: variant {index} has another page {page}"));
                }
                (Err(why), _) | (_, Err(why)) => {
                    let why = why.split(&['/', '"'][..]).next().unwrap_or_default().to_owned();
                    *tally.unread.entry(why).or_default() += 1;
                }
            }
        }
    }
}

/// Compares the variants of all files that have several pages; prints the numbers, and fails if a page is
/// wrong.
fn compare_all(test: &str, files: Vec<(String, Vec<u8>)>, variants: u64, least: usize) {
    let (Some(samples), Some(pixels)) = (Decoder::samples(), Decoder::libtiff()) else {
        return;
    };
    let libtiff = Libtiff { samples, pixels };
    let (mut tally, mut seeds, mut count) = (Tally::default(), 0, 0);
    for (name, bytes) in files {
        let Ok(seed) = Seed::open(bytes) else { continue };
        if seed.pages().is_empty() {
            continue;
        }
        seeds += 1;
        count += 1 + seed.pages().len();
        let before = tally.wrong.len();
        compare(&name, &seed, variants, &libtiff, &mut tally);
        println!("{name}: {} pages, {} wrong", 1 + seed.pages().len(), tally.wrong.len() - before);
    }
    let Tally { variants, equal, unread, wrong } = tally;
    println!("{test}: {seeds} seeds of {count} pages, {variants} variants, {equal} pages equal");
    println!("not read by libtiff: {unread:#?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(equal >= least, "{equal} pages are equal");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Returns the TIFF files of a folder, by name; prints a line if there are none.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_tiff = |path: &PathBuf| {
        let small = path.metadata().is_ok_and(|data| data.len() <= MAX_BYTES);
        small && path.extension().is_some_and(|end| end == "tif" || end == "tiff")
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_tiff).collect();
    paths.sort();
    if paths.is_empty() {
        test_support::skipped(format_args!("there is no {}", folder.display()));
    }
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, std::fs::read(path).unwrap())
    };
    paths.into_iter().map(read).collect()
}

fn variants(otherwise: u64) -> u64 {
    std::env::var("VARIANTS").map_or(otherwise, |n| n.parse().unwrap())
}

#[test]
fn documents_of_all_kinds_of_pages() {
    let names = [
        &corpus::KINDS[..],
        &["seeds/gray.tif", "seeds/rgb.tif", "seeds/square.tif", "seeds/tiny.tif"],
    ]
    .concat();
    let little = |name: &&str| {
        let bytes = corpus::file(name);
        let container = container::read(&bytes).unwrap();
        let classic = container.format == container::Format::Classic;
        (classic && container.order == container::ByteOrder::Little).then_some(bytes)
    };
    let alone: Vec<Vec<u8>> = names.iter().filter_map(little).collect();
    assert!(alone.len() >= 8, "{}", alone.len());
    // Each kind is among the pages that vary by themselves in one document, and among the others in
    // another.
    let shift = |k: usize| {
        let pages: Vec<Vec<u8>> =
            (0..7).map(|n| alone[(k * 3 + n) % alone.len()].clone()).collect();
        (format!("document {k}"), document::document(&pages, &[]))
    };
    compare_all("pages of all kinds", (0..5).map(shift).collect(), variants(6), 150);
}

#[test]
fn pages_of_the_image_tiff_project() {
    let test = "pages of image-tiff";
    let files = files(&root().join("../shared/seeds/image-tiff"));
    if !files.is_empty() {
        compare_all(test, files, variants(6), 40);
    }
}

#[test]
fn pages_of_another_folder() {
    if let Some(folder) = std::env::var_os("PAGES_OF") {
        let test = "pages of another folder";
        compare_all(test, files(Path::new(&folder)), variants(6), 1);
    }
}
