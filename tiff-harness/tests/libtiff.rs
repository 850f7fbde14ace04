//! Files of other programs are refused in one line, or have the picture that libtiff decodes: the files
//! of `corpus/producers`, and those of `../shared/seeds/image-tiff` where that exists. If the canonical
//! value of a file is no picture, libtiff decodes its variants to the pixels of the file.
//!
//! `cargo test -p repfuzz-tiff-harness --test libtiff -- --nocapture` prints the table.

mod reference;

use std::path::{Path, PathBuf};

use inverter::solve::{Choice, ChoiceSource};
use reference::{Decoder, Reference, difference, guesses_alpha};
use tiff_harness::image::Content;
use tiff_harness::{Picture, Seed};

/// The variants of a file whose canonical value is no picture.
const VARIANTS: u64 = 8;

/// The variants of a file of streams.
const OF_STREAMS: u64 = 20;

/// The result of comparing a file.
enum Verdict {
    /// The picture is the same; the decoder that agrees.
    Equal(&'static str),
    /// The canonical value is no picture, and this many variants have the pixels of the file.
    Alike(&'static str, usize),
    /// The file is refused; the error.
    Refused(String),
    /// No decoder returns a picture that can be compared.
    Alone(String),
    /// The picture is another one.
    Wrong(String),
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Returns the TIFF files in a folder and its subfolders, by name; none if it does not exist.
fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.unwrap().path();
        let ends = |end: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(end));
        if path.is_dir() {
            found.extend(files(&path));
        } else if ends("tif") || ends("tiff") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn judge(path: &Path, decoders: &[Decoder]) -> Verdict {
    let bytes = std::fs::read(path).unwrap();
    let seed = match Seed::open(bytes) {
        Ok(seed) => seed,
        Err(e) => {
            let why = e.to_string();
            let in_one_line = !why.is_empty() && !why.contains('\n') && why.len() < 400;
            return if in_one_line { Verdict::Refused(why) } else { Verdict::Wrong(why) };
        }
    };
    if seed.value().is_some() {
        // libtiff's RGBA interface misplaces tiles of signed 16 bits and of more than one gray sample.
        let of_streams = matches!(seed.file().content, Content::Streams(_));
        let samples = Decoder::samples().filter(|_| !of_streams);
        return match samples {
            Some(samples) => judge_variants(path, &seed, &[samples]),
            None => judge_variants(path, &seed, decoders),
        };
    }
    let mut why = String::new();
    for decoder in decoders {
        match decoder.decode(path) {
            Ok(mut reference) => {
                if guesses_alpha(seed.file()) {
                    reference.rgba.chunks_exact_mut(4).for_each(|pixel| pixel[3] = u8::MAX);
                }
                let Some(what) = difference(seed.picture(), &reference) else {
                    return Verdict::Equal(decoder.name());
                };
                why = format!("{}: {what}", decoder.name());
                // Other decoders support less of TIFF: without libtiff, only agreement counts.
                if decoders.iter().any(|d| matches!(d, Decoder::Libtiff(_))) {
                    return Verdict::Wrong(why);
                }
            }
            Err(e) => why = e,
        }
    }
    Verdict::Alone(why)
}

/// Compares the pixels of a file, as a decoder returns them, with those of its variants.
fn judge_variants(path: &Path, seed: &Seed, decoders: &[Decoder]) -> Verdict {
    let scratch = tempfile::Builder::new().suffix(".tif").tempfile().unwrap();
    let mut why = String::new();
    let of_streams = matches!(seed.file().content, Content::Streams(_));
    let variants = if of_streams { OF_STREAMS } else { VARIANTS };
    for decoder in decoders {
        let expected = match decoder.decode(path) {
            Ok(expected) => expected,
            Err(e) => {
                why = e;
                continue;
            }
        };
        let mut alike = 0;
        for index in 0..variants {
            let variant = seed.variant(ChoiceSource::seeded(1, index)).unwrap();
            std::fs::write(scratch.path(), &variant.bytes).unwrap();
            match decoder.decode(scratch.path()) {
                Ok(found) if found == expected => alike += 1,
                Ok(_) => {
                    let name = decoder.name();
                    return Verdict::Wrong(format!("{name}: variant {index} has other pixels"));
                }
                // The layout of the samples does not vary.
                Err(e) if of_streams => {
                    let name = decoder.name();
                    return Verdict::Wrong(format!("{name}: variant {index}: {e}"));
                }
                // The interface supports less of some layouts.
                Err(e) => why = e,
            }
        }
        if alike > 0 {
            return Verdict::Alike(decoder.name(), alike);
        }
    }
    Verdict::Alone(why)
}

/// Compares all files of a folder, prints the table, and fails if a picture is wrong.
fn compare(folder: &Path) {
    let files = files(folder);
    if files.is_empty() {
        return test_support::skipped(format_args!("there is no {}", folder.display()));
    }
    let decoders = Decoder::all();
    let (mut equal, mut refused, mut wrong) = (0, 0, Vec::new());
    for path in &files {
        let name = path.strip_prefix(folder).unwrap().display().to_string();
        let told = match judge(path, &decoders) {
            Verdict::Equal(decoder) => {
                equal += 1;
                format!("equal ({decoder})")
            }
            Verdict::Alike(decoder, variants) => {
                equal += 1;
                format!("{variants} variants alike ({decoder})")
            }
            Verdict::Refused(why) => {
                refused += 1;
                format!("refused: {why}")
            }
            Verdict::Alone(why) => format!("not compared: {why}"),
            Verdict::Wrong(why) => {
                wrong.push(format!("{name}: {why}"));
                format!("WRONG: {why}")
            }
        };
        println!("{name:50} {told}");
    }
    println!("{} files: {equal} equal, {refused} refused, {} wrong", files.len(), wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns a variant of a seed of the corpus, as a file.
fn variant(name: &str, choices: &[(&str, Choice)], folder: &Path) -> PathBuf {
    let seed = Seed::open(std::fs::read(root().join("corpus/seeds").join(name)).unwrap()).unwrap();
    let choices = choices.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    let variant = seed.variant(ChoiceSource::replaying(choices.collect())).unwrap();
    let path = folder.join(format!("libtiff-{}-{name}", std::process::id()));
    std::fs::write(&path, variant.bytes).unwrap();
    path
}

#[test]
fn what_is_compared_is_turned() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let decoders = Decoder::all();
    for orientation in 1..=8 {
        let choices = [("orientation", Choice::Int(orientation)), ("byte order", "MM".into())];
        for name in ["rgb.tif", "gray.tif"] {
            let path = variant(name, &choices, folder);
            let seed = Seed::open(std::fs::read(&path).unwrap()).unwrap();
            for decoder in &decoders {
                let reference = decoder.decode(&path).unwrap();
                assert_eq!(difference(seed.picture(), &reference), None, "{orientation} {name}");
            }
            std::fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn a_difference_is_told() {
    let picture = Picture::new(2, 1, vec![0, 257, 514, 65535, 60000, 0, 0, 32768]);
    let mut reference = Reference {
        width: 2,
        height: 1,
        rgba: vec![0, 1, 2, 255, 117, 0, 0, 128],
        premultiplied: true,
    };
    assert_eq!(difference(&picture, &reference), None);
    reference.rgba[1] = 3;
    let told = difference(&picture, &reference).unwrap();
    assert_eq!(told, "pixel (0, 0) is [0, 257, 514, 65535] (16 bits), and not [0, 3, 2, 255]");
    reference.rgba[1] = 1;
    reference.premultiplied = false;
    assert!(difference(&picture, &reference).unwrap().starts_with("pixel (1, 0)"));
    reference.width = 1;
    assert_eq!(difference(&picture, &reference).unwrap(), "(2, 1) pixels, and not (1, 1)");
}

#[test]
fn the_files_of_real_producers_are_read_as_libtiff_does() {
    compare(&root().join("corpus/producers"));
}

#[test]
fn the_files_of_the_image_tiff_project_are_read_as_libtiff_does() {
    compare(&root().join("../shared/seeds/image-tiff"));
}
