//! Causes in formats that specs describe are named by what a reader decides by, not by what follows from
//! it: `bits = 32`, not `length = 140`.

use std::io;
use std::path::Path;

use equivalents::Format;
use equivalents::subject::Subject;
use indicatif::ProgressBar;
use runners::campaign::{About, Campaign, Log, Settings, Stop};
use runners::client::{Client, Reply};
use runners::contract::Contract;
use tiff_harness::Picture;
use tiff_harness::container::Profile;

/// A client that refuses files by what is in them, and shows all others the same.
struct Refusing(fn(&[u8]) -> bool);

impl Client for Refusing {
    fn name(&self) -> &str {
        "refusing"
    }
    fn version(&self) -> &str {
        "1.0"
    }
    fn summary(&self) -> &str {
        "a client made up for this test"
    }
    fn command(&self) -> Option<String> {
        None
    }
    fn contract(&self) -> Option<&Contract> {
        None
    }
    fn run(&self, file: &[u8]) -> io::Result<Reply> {
        Ok(match (self.0)(file) {
            true => Reply::Refused { message: "this kind is not supported".to_owned() },
            false => Reply::Picture(Picture::new(1, 1, vec![7, 7, 7, u16::MAX])),
        })
    }
}

/// Returns the names of the causes that a campaign finds in a client which refuses such files.
fn causes(format: &str, seed: &str, refuses: fn(&[u8]) -> bool) -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let spec = here.join(format!("normalizers/specs/{format}/{format}.rs"));
    let bytes = std::fs::read(here.join("corpus").join(format).join(seed)).unwrap();
    assert!(!refuses(&bytes), "{format}: the seed itself is refused");
    let format = Format::from_file(&spec).unwrap();
    let subject: Box<dyn Subject> = format.open(bytes, Profile::Strict).unwrap();
    let clients: [Box<dyn Client>; 1] = [Box::new(Refusing(refuses))];
    let run = Campaign {
        subject: &*subject,
        clients: &clients,
        settings: Settings { variants: 150, jobs: 2, ..Settings::default() },
        about: About::default(),
        log: &Log::to(io::sink()),
        stop: &Stop::new(),
        progress: ProgressBar::hidden(),
    }
    .run()
    .unwrap();
    let name = |c: &runners::campaign::Cause| {
        let values = c.examples.first().into_iter().flat_map(|choices| {
            choices.iter().map(|(dimension, value)| format!("{dimension} = {value}"))
        });
        values.collect::<Vec<_>>().join(", ")
    };
    run.causes.iter().map(name).collect()
}

/// The number of two bytes there, the least significant first.
fn word(file: &[u8], at: usize) -> u16 {
    file.get(at..at + 2).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]))
}

/// True if `part` is somewhere in the file.
fn has(file: &[u8], part: &[u8]) -> bool {
    file.windows(part.len()).any(|w| w == part)
}

/// The formats, with the condition by which a client refuses files, and the cause.
type Case = (&'static str, &'static str, fn(&[u8]) -> bool, &'static str);

const CASES: &[Case] = &[
    ("bmp", "gm24.bmp", |f| word(f, 28) == 32, "bits = 32"),
    ("bmp", "gm24.bmp", |f| word(f, 28) == 16, "bits = 16"),
    ("au", "py16.au", |f| f.get(15) == Some(&5), "encoding = 5"),
    ("wav", "py16.wav", |f| has(f, &[0xFE, 0xFF]), "tag = 65534"),
    ("aiff", "py16.aiff", |f| has(f, b"AIFC"), "form = 1"),
    ("tga", "gm24.tga", |f| matches!(f.get(2), Some(9..=11)), "kind = 10"),
    ("nifti", "nib16.nii", |f| f.first() == Some(&0), "order = 0"),
    ("npy", "np16f.npy", |f| has(f, b"'>"), "big = 1"),
    ("ico", "ico4.ico", |f| word(f, 12) == 32, "bits = 32"),
    ("baseline_tiff", "pil24.tif", |f| f.starts_with(b"MM"), "order = 19789"),
];

#[test]
fn causes_are_named_by_what_a_reader_decides_by() {
    let mut wrong = Vec::new();
    for (format, seed, refuses, wanted) in CASES {
        let found = causes(format, seed, *refuses);
        if found != [*wanted] {
            wrong.push(format!("{format}: {wanted}: found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
