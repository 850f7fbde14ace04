//! Other people's validators accept the files of the strict profile.
//!
//! If a validator is not installed, its test reports that and checks nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use inverter::solve::{ChoiceSource, Choices};
use tiff_harness::container::Class;

#[path = "support/corpus.rs"]
mod corpus;

/// Warnings of libtiff about files that are legal, and the reasons.
const TIFFINFO: &[(&str, &str)] = &[
    // 65200 to 65535.
    ("Unknown field with tag 65", "TIFF 6.0, section 2: readers must ignore private fields"),
];

/// Warnings of ExifTool about files that are legal, and the reasons.
const EXIFTOOL: &[(&str, &str)] = &[
    ("Invalid value for IFD0 tag 0x0103 Compression", "Adobe's notes: 8 is Deflate"),
    ("Invalid value for IFD0 tag 0x0115 SamplesPerPixel", "TIFF 6.0, section 8, ExtraSamples"),
    ("Missing required TIFF IFD0 tag 0x0111 StripOffsets", "TIFF 6.0, section 15: it has tiles"),
    ("Missing required TIFF IFD0 tag 0x0117 StripByteCounts", "the same"),
    ("[minor] Unknown IFD0 tag 0xfe", "TIFF 6.0, section 2: readers must ignore private fields"),
    ("[minor] Unknown IFD0 tag 0xff", "the same"),
    ("Missing required TIFF IFD0 tag 0x0116 RowsPerStrip", "TIFF 6.0, section 8: it has a default"),
    ("IFD format not handled", "Adobe's TIFF technical notes, note 1: a field type"),
    (
        "[minor] Oversized IFD0 StripByteCounts",
        "TIFF 6.0, section 7: each row of less than 8 bits a sample begins on a byte",
    ),
    ("[minor] Oversized IFD0 TileByteCounts", "TIFF 6.0, section 15: tiles at the edge are padded"),
    (
        "Non-standard format (ifd) for IFD0 0x014a",
        "Adobe PageMaker 6.0 TIFF technical notes, note 1: SubIFDs are LONG or IFD",
    ),
];

/// Writes `count` variants of the strict profile into a folder. Returns their choices by path.
fn files(folder: &Path, count: u64) -> BTreeMap<PathBuf, Choices> {
    let mut files = BTreeMap::new();
    let seeds = corpus::forty();
    for index in 0..count {
        let (name, seed) = &seeds[index as usize % seeds.len()];
        let Ok(variant) = seed.variant(ChoiceSource::seeded(8, index)) else { continue };
        assert_ne!(variant.class, Class::Questionable, "{name} {index}");
        // ExifTool calls BigTIFF by another name.
        let big = variant.choices.get("format") == Some(&"BigTIFF".into());
        let path = folder.join(format!("{index}.{}", if big { "btf" } else { "tif" }));
        std::fs::write(&path, variant.bytes).unwrap();
        files.insert(path, variant.choices);
    }
    files
}

/// Complaints about files: the file and a line.
type Complaints = Vec<(PathBuf, String)>;

/// Fails on all complaints about `count` files, except for known ones. Prints the number of those.
fn judge(
    name: &str,
    count: u64,
    known: &[(&str, &str)],
    complain: impl Fn(&[&PathBuf]) -> Option<Complaints>,
) {
    let folder = std::env::temp_dir().join(format!("repfuzz-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let files = files(&folder, count);
    assert!(files.len() as u64 > count / 2, "{} files", files.len());
    let said = complain(&files.keys().collect::<Vec<_>>());
    std::fs::remove_dir_all(&folder).unwrap();
    // Tags that are carried along from a seed are not examined.
    let seeds: Vec<PathBuf> = corpus::forty().iter().map(|(n, _)| corpus::path(n)).collect();
    let (Some(said), Some(of_seeds)) = (said, complain(&seeds.iter().collect::<Vec<_>>())) else {
        return test_support::skipped(format_args!("no {name}"));
    };
    let mut complaints: BTreeMap<String, (usize, String)> = BTreeMap::new();
    println!("{name}: {} files", files.len());
    for (text, why) in known {
        let times = said.iter().filter(|(_, line)| line.contains(text)).count();
        println!("  {times:6} {text}: {why}");
    }
    let carried: BTreeSet<String> =
        of_seeds.into_iter().map(|(path, l)| pattern(&path, &l)).collect();
    for (path, line) in said.into_iter().filter(|s| !known.iter().any(|k| s.1.contains(k.0))) {
        let choices = serde_json::to_string(&files[&path]).unwrap();
        let shown = pattern(&path, &line);
        if carried.contains(&shown) {
            continue;
        }
        complaints.entry(shown).or_insert((0, format!("{line}: {path:?}: {choices}"))).0 += 1;
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// Returns a complaint without the parts that differ from file to file.
fn pattern(path: &Path, line: &str) -> String {
    let line = line.replace(&path.display().to_string(), "FILE");
    line.replace(|c: char| c.is_ascii_digit(), "#")
}

fn tiffinfo(files: &[&PathBuf]) -> Option<Complaints> {
    let mut said = Vec::new();
    for path in files {
        let output = Command::new("tiffinfo").arg("-D").arg(path).output().ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        said.extend(text.lines().map(|line| ((*path).clone(), line.to_owned())));
    }
    Some(said)
}

fn exiftool(files: &[&PathBuf]) -> Option<Complaints> {
    let mut said = Vec::new();
    for files in files.chunks(200) {
        let arguments = ["-validate", "-warning", "-error", "-a", "-G1"];
        let output = Command::new("exiftool").args(arguments).args(files).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut path = files[0].clone();
        for line in text.lines() {
            if let Some(next) = line.strip_prefix("======== ") {
                path = PathBuf::from(next);
            } else if (line.contains("Warning ") || line.contains("Error "))
                && !line.contains(" Validate ")
            {
                let line = line.split_once(": ").map_or(line, |l| l.1);
                said.push((path.clone(), line.to_owned()));
            }
        }
    }
    Some(said)
}

#[test]
fn tiffinfo_does_not_warn() {
    judge("tiffinfo", 80, TIFFINFO, tiffinfo);
}

#[test]
fn exiftool_does_not_warn() {
    judge("exiftool", 80, EXIFTOOL, exiftool);
}

/// Checks `VARIANTS` variants, by default 20000.
#[test]
#[ignore = "slow: run it with --release"]
fn neither_warns_of_many_files() {
    let count = std::env::var("VARIANTS").map_or(20_000, |v| v.parse().unwrap());
    judge("tiffinfo", count, TIFFINFO, tiffinfo);
    judge("exiftool", count, EXIFTOOL, exiftool);
}
