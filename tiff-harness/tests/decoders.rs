//! Other decoders (GraphicsMagick, and libtiff's RGBA interface) decode variants to the picture of the
//! seed. Known limits of theirs are listed with the reason; any other difference is examined, since it
//! may be a mistake of this crate.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use inverter::solve::ChoiceSource;
use reference::{Decoder, difference, guesses_alpha};
use tiff_harness::image::{Layout, Segment};
use tiff_harness::{ImageFile, Seed};

#[path = "support/corpus.rs"]
mod corpus;
mod reference;

/// A limit of a decoder: its name, the files that it applies to, and the reason.
struct Limit {
    decoder: &'static str,
    why: &'static str,
    when: fn(&ImageFile) -> bool,
}

/// Returns true if some tile extends beyond the right edge.
fn has_wide_tiles(file: &ImageFile) -> bool {
    matches!(file.layout, Layout::Tiles { width, .. } if !file.width.is_multiple_of(width))
}

const GRAY: [u16; 2] = [0, 1];
const RGB: u16 = 2;

const LIMITS: &[Limit] = &[
    Limit {
        decoder: "GraphicsMagick",
        why: "of samples below 8 bits only one beside the colors is skipped (import.c)",
        when: |f| f.bits < 8 && f.planar == 1 && f.extra_samples.len() > 1,
    },
    Limit {
        decoder: "libtiff",
        why: "32 bits a sample are refused (tif_getimage.c, TIFFRGBAImageOK)",
        when: |f| f.bits == 32,
    },
    Limit {
        decoder: "libtiff",
        why: "RGB of less than 8 bits a sample is refused",
        when: |f| f.photometric == RGB && f.bits < 8,
    },
    Limit {
        decoder: "libtiff",
        why: "gray of less than 8 bits beside other samples is refused",
        when: |f| GRAY.contains(&f.photometric) && f.bits < 8 && f.samples_per_pixel > 1,
    },
    Limit {
        decoder: "libtiff",
        why: "gray in tiles beyond the right edge: putgreytile and put16bitbwtile go on by pixels, \
              not by bytes",
        when: |f| {
            GRAY.contains(&f.photometric)
                && has_wide_tiles(f)
                && (f.bits == 16 || f.samples_per_pixel > 1)
        },
    },
    Limit {
        decoder: "libtiff",
        why: "WhiteIsZero in planes is not inverted (PickSeparateCase takes it for RGB)",
        when: |f| f.photometric == 0 && f.planar == 2 && f.samples_per_pixel > 1,
    },
    Limit {
        decoder: "libtiff",
        why: "uncompressed tiles of the other fill order, and a size that is no multiple of 1024: \
              _TIFFReadEncodedTileAndAllocBuffer takes its own buffer's size for the byte count",
        when: |f| {
            let odd = |s: &Segment| !s.byte_count.is_multiple_of(1024);
            let tiles = matches!(f.layout, Layout::Tiles { .. });
            tiles && f.compression == 1 && f.fill_order == 2 && f.segments.iter().any(odd)
        },
    },
];

/// Runs each decoder on `total` variants of `seeds`. Returns for each decoder the number of right
/// pictures, and the others by reason.
fn tally(total: u64, seeds: &[(String, Seed)], decoders: &[Decoder]) {
    let next = AtomicU64::new(0);
    type Others = BTreeMap<String, (u64, String)>;
    let told: Mutex<BTreeMap<&str, (u64, Others, Others)>> = Mutex::default();
    let work = |thread: usize| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("decoders-{}-{thread}.tif", std::process::id()));
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= total {
                break;
            }
            let (name, seed) = &seeds[k as usize % seeds.len()];
            let variant = seed.variant(ChoiceSource::seeded(10, k)).unwrap();
            std::fs::write(&path, &variant.bytes).unwrap();
            let file = Seed::open(variant.bytes).unwrap();
            for decoder in decoders {
                let why = judge(decoder, &path, &file, seed);
                let mut told = told.lock().unwrap();
                let (right, known, unknown) = told.entry(decoder.name()).or_default();
                let Some(why) = why else {
                    *right += 1;
                    continue;
                };
                let limit =
                    LIMITS.iter().find(|l| l.decoder == decoder.name() && (l.when)(file.file()));
                let example = || format!("{name} {k} {}", short(file.file()));
                match limit {
                    Some(limit) => known.entry(limit.why.to_owned()),
                    None => {
                        let pattern = why.replace(|c: char| c.is_ascii_digit(), "#");
                        unknown.entry(pattern.chars().take(120).collect())
                    }
                }
                .or_insert_with(|| (0, format!("{} {why}", example())))
                .0 += 1;
            }
        }
        let _ = std::fs::remove_file(path);
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        (0..threads).for_each(|thread| drop(scope.spawn(move || work(thread))));
    });
    let told = told.into_inner().unwrap();
    for (decoder, (right, known, unknown)) in &told {
        println!("{decoder}: {right} of {total} are right");
        known.iter().for_each(|(why, (count, _))| println!("  {count:6} {why}"));
        unknown.iter().for_each(|(_, (count, e))| println!("  {count:6} ? {e}"));
    }
    assert!(told.values().all(|(_, _, unknown)| unknown.is_empty()), "see above");
}

/// Returns the reason why the decoder's picture is not the seed's; `None` if it is.
fn judge(decoder: &Decoder, path: &Path, file: &Seed, seed: &Seed) -> Option<String> {
    let mut reference = match decoder.decode(path) {
        Ok(reference) => reference,
        Err(why) => return Some(why.replace(&path.display().to_string(), "FILE")),
    };
    // GraphicsMagick makes the same guess for gray.
    let guessed = match decoder {
        Decoder::GraphicsMagick => file.file().extra_samples.first() == Some(&0),
        _ => guesses_alpha(file.file()),
    };
    if guessed {
        reference.rgba.chunks_exact_mut(4).for_each(|pixel| pixel[3] = u8::MAX);
    }
    difference(seed.picture(), &reference)
}

/// Returns a short summary of a file.
fn short(f: &ImageFile) -> String {
    format!(
        "photometric {} bits {} samples {} {:?} planar {} compression {} predictor {} \
         orientation {} fill order {} {:?} {:?} {:?}",
        f.photometric,
        f.bits,
        f.samples_per_pixel,
        f.extra_samples,
        f.planar,
        f.compression,
        f.predictor,
        f.orientation,
        f.fill_order,
        f.layout,
        f.order,
        f.format
    )
}

fn decoders() -> Vec<Decoder> {
    Decoder::libtiff().into_iter().chain(Decoder::graphics_magick()).collect()
}

/// Returns the forty files without transparent ones, where decoders multiply colors by alpha.
fn opaque() -> Vec<(String, Seed)> {
    let mut seeds = corpus::forty();
    seeds.retain(|(_, s)| s.picture().rgba().chunks_exact(4).all(|p| p[3] == u16::MAX));
    seeds
}

#[test]
fn others_see_the_same_in_some_variants() {
    tally(120, &opaque(), &decoders());
}

/// Checks `VARIANTS` variants, by default 20000.
#[test]
#[ignore = "slow: run it with --release"]
fn others_see_the_same_in_many_variants() {
    let total = std::env::var("VARIANTS").map_or(20_000, |v| v.parse().unwrap());
    tally(total, &opaque(), &decoders());
}
