//! The formats that ship, by name.

use inverter::pipeline::{Pipeline, ReadError};
use inverter::program::{Embedded, SpecText};

/// The files that specs use.
const USED: [(&str, &str); 2] = [
    ("specs/file.rs", include_str!("../specs/file.rs")),
    ("specs/picture.rs", include_str!("../specs/picture.rs")),
];

macro_rules! specs {
    ($($name:literal)*) => {
        [$((
            $name,
            concat!("specs/", $name, "/", $name, ".rs"),
            include_str!(concat!("../specs/", $name, "/", $name, ".rs")),
        )),*]
    };
}

/// The formats described by a spec alone: name, path and text.
const SPECS: [(&str, &str, &str); 16] = specs![
    "aiff" "au" "bmp" "dbf" "elf" "gif" "ico" "netcdf" "nifti" "npy" "png" "pnm" "tar" "tga" "wav" "zip"
];

/// Bytes at a place of a file.
type Magic = (usize, &'static [u8]);

/// The bytes that identify files of a format: all bytes of one of these lists must be present. TGA and DBF have none.
const SIGNATURES: [(&str, &[&[Magic]]); 14] = [
    ("aiff", &[&[(0, b"FORM"), (8, b"AIFF")], &[(0, b"FORM"), (8, b"AIFC")]]),
    ("au", &[&[(0, b".snd")]]),
    ("bmp", &[&[(0, b"BM")]]),
    ("elf", &[&[(0, b"\x7FELF")]]),
    ("gif", &[&[(0, b"GIF87a")], &[(0, b"GIF89a")]]),
    ("ico", &[&[(0, b"\0\0\x01\0")]]),
    ("netcdf", &[&[(0, b"CDF\x01")], &[(0, b"CDF\x02")], &[(0, b"CDF\x05")]]),
    ("nifti", &[&[(344, b"n+1\0")]]),
    ("npy", &[&[(0, b"\x93NUMPY")]]),
    ("png", &[&[(0, b"\x89PNG\r\n\x1A\n")]]),
    (
        "pnm",
        &[
            &[(0, b"P1")],
            &[(0, b"P2")],
            &[(0, b"P3")],
            &[(0, b"P4")],
            &[(0, b"P5")],
            &[(0, b"P6")],
            &[(0, b"P7")],
        ],
    ),
    ("tar", &[&[(257, b"ustar")]]),
    ("wav", &[&[(0, b"RIFF"), (8, b"WAVE")]]),
    ("zip", &[&[(0, b"PK\x03\x04")], &[(0, b"PK\x05\x06")]]),
];

/// The maximum number of bytes from the beginning of a file that [`of_file`] reads.
pub const SIGNATURE: usize = 348;

/// Returns the name of the format of a file that begins with `start`, its first [`SIGNATURE`] bytes or the whole file.
/// A format without a signature is identified by the extension of the file's name. `None` if the format is not one of
/// those described by a spec alone.
pub fn of_file(start: &[u8], extension: Option<&str>) -> Option<&'static str> {
    let has = |(at, bytes): &Magic| start.get(*at..).is_some_and(|rest| rest.starts_with(bytes));
    let mut signatures = SIGNATURES.iter();
    let found = signatures.find(|(_, any)| any.iter().any(|all| all.iter().all(has)));
    found.map(|(name, _)| *name).or_else(|| {
        let extension = extension?.to_ascii_lowercase();
        let unsigned = |name: &&str| SIGNATURES.iter().all(|(signed, _)| signed != name);
        names().filter(unsigned).find(|name| *name == extension)
    })
}

/// Returns the first sentence about each format that is described by a spec alone, with its name.
pub fn descriptions() -> impl Iterator<Item = (&'static str, String)> {
    SPECS.iter().map(|(name, _, text)| {
        let lines = text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
        let paragraph: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        (*name, paragraph.join(" "))
    })
}

/// Returns the names of the formats described by a spec alone, in alphabetical order.
pub fn names() -> impl Iterator<Item = &'static str> {
    SPECS.iter().map(|(name, ..)| *name)
}

/// Returns a format that ships; `None` if there is none with this name.
///
/// # Errors
///
/// Returns [`ReadError`], which a test excludes.
pub fn shipped(name: &str) -> Option<Result<Pipeline, ReadError>> {
    let (_, path, text) = SPECS.iter().find(|(known, ..)| *known == name)?;
    Some(crate::from_text(&SpecText { name: path, text, files: &Embedded(&USED) }))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_spec_in_the_folder_is_a_format() {
        let folders = std::fs::read_dir("specs").unwrap().map(|entry| entry.unwrap());
        let folders = folders.filter(|entry| entry.path().is_dir());
        let mut folders: BTreeSet<String> =
            folders.map(|entry| entry.file_name().into_string().unwrap()).collect();
        // TIFF has a harness, and these are examples.
        for other in ["baseline_tiff", "ddraw", "tiff"] {
            assert!(folders.remove(other));
        }
        assert_eq!(folders, names().map(str::to_owned).collect());
    }

    #[test]
    fn a_file_is_recognized_by_its_first_bytes_or_by_its_name() {
        assert_eq!(of_file(b"BM\0\0", Some("png")), Some("bmp"));
        assert_eq!(of_file(b"RIFF\x24\0\0\0WAVEfmt ", None), Some("wav"));
        assert_eq!(of_file(b"RIFF\x24\0\0\0WEBPVP8 ", None), None);
        assert_eq!(of_file(&[0; 40], Some("TGA")), Some("tga"));
        assert_eq!(of_file(&[0; 40], Some("png")), None, "a PNG has a signature");
        assert_eq!(of_file(b"II*\0", Some("tif")), None);
        let ends = SIGNATURES.iter().flat_map(|(_, any)| any.iter().copied().flatten());
        assert!(ends.map(|(at, bytes)| at + bytes.len()).max() <= Some(SIGNATURE));
    }

    #[test]
    fn every_format_is_described_in_a_sentence() {
        for (name, text) in descriptions() {
            assert!(text.ends_with('.') && text.len() < 200, "{name}: {text:?}");
        }
    }

    #[test]
    fn every_format_is_read() {
        for name in names() {
            assert!(shipped(name).unwrap().is_ok(), "{name}");
        }
        assert!(shipped("jpeg").is_none());
    }
}
