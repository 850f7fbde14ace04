//! What other people's validators say of files that the strict profile makes.
//!
//! Where a validator is not installed, its test says so and checks nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use inverter::solve::{ChoiceSource, Choices};
use tiff_harness::Seed;
use tiff_harness::container::Profile;
use tiff_harness::container::choices::Freedom;

mod support;
use support::{lay_out, seeds};

/// Warnings of libtiff that are no fault of a file, and why.
const TIFFINFO: &[(&str, &str)] = &[
    // 65200 to 65535.
    ("Unknown field with tag 65", "TIFF 6.0, section 2: readers must ignore private fields"),
];

/// Warnings of ExifTool that are no fault of a file, and why.
const EXIFTOOL: &[(&str, &str)] = &[
    ("[minor] Unknown IFD0 tag 0xfe", "TIFF 6.0, section 2: readers must ignore private fields"),
    ("[minor] Unknown IFD0 tag 0xff", "the same"),
    ("Missing required TIFF IFD0 tag 0x0116 RowsPerStrip", "TIFF 6.0, section 8: it has a default"),
    (
        "Non-standard format (ifd) for IFD0 0x014a",
        "Adobe PageMaker 6.0 TIFF technical notes, note 1: SubIFDs are LONG or IFD",
    ),
];

/// Files with everything, in the plainest layout, and variants as they are made today.
fn files() -> Vec<(Choices, Vec<u8>)> {
    let mut files = Vec::new();
    for (_, bytes) in seeds() {
        let seed = Seed::open(bytes.clone()).unwrap();
        for index in 0..25 {
            let source = ChoiceSource::seeded(8, index);
            let made = lay_out(&bytes, source.clone(), &Freedom::all(Profile::Strict));
            files.push((made.choices, made.bytes));
            if index % 5 == 0 {
                let variant = seed.variant(source).unwrap();
                files.push((variant.choices, variant.bytes));
            }
        }
    }
    files
}

/// The lines that `complain` gives of each file, without those that are known.
fn judge(name: &str, known: &[(&str, &str)], complain: impl Fn(&Path) -> Option<Vec<String>>) {
    let directory = std::env::temp_dir().join(format!("repfuzz-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let mut complaints: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for (choices, bytes) in files() {
        // ExifTool calls BigTIFF by another name.
        let big = choices.get("format") == Some(&"BigTIFF".into());
        let path = directory.join(if big { "file.btf" } else { "file.tif" });
        std::fs::write(&path, bytes).unwrap();
        let Some(lines) = complain(&path) else {
            eprintln!("skipped: {name} is not installed");
            break;
        };
        for line in lines.iter().filter(|line| !known.iter().any(|k| line.contains(k.0))) {
            let made = serde_json::to_string(&choices).unwrap();
            complaints.entry(line.clone()).or_insert((0, made)).0 += 1;
        }
    }
    std::fs::remove_dir_all(&directory).unwrap();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

/// Runs a program; `None` if it is not installed.
fn run(program: &str, arguments: &[&str], path: &Path) -> Option<(String, String)> {
    let output = Command::new(program).args(arguments).arg(path).output().ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some((text(&output.stdout), text(&output.stderr)))
}

#[test]
fn tiffinfo_does_not_warn() {
    judge("tiffinfo", TIFFINFO, |path| {
        let (_, stderr) = run("tiffinfo", &["-D"], path)?;
        Some(stderr.lines().map(str::to_owned).collect())
    });
}

#[test]
fn exiftool_does_not_warn() {
    judge("exiftool", EXIFTOOL, |path| {
        let (stdout, stderr) =
            run("exiftool", &["-validate", "-warning", "-error", "-a", "-G1"], path)?;
        let bad = |line: &&str| {
            (line.contains("Warning ") || line.contains("Error ")) && !line.contains(" Validate ")
        };
        let lines = stdout.lines().chain(stderr.lines()).filter(bad);
        Some(lines.map(|line| line.split_once(": ").map_or(line, |l| l.1).to_owned()).collect())
    });
}
