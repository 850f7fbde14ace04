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

/// The formats that a spec alone describes: name, path and text.
const SPECS: [(&str, &str, &str); 16] = specs![
    "aiff" "au" "bmp" "dbf" "elf" "gif" "ico" "netcdf" "nifti" "npy" "png" "pnm" "tar" "tga" "wav" "zip"
];

/// Returns the names of the formats that a spec alone describes, in alphabetical order.
pub fn names() -> impl Iterator<Item = &'static str> {
    SPECS.iter().map(|(name, ..)| *name)
}

/// Returns a format that ships; `None` if there is none of this name.
///
/// # Errors
///
/// [`ReadError`], which a test excludes.
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
    fn every_format_is_read() {
        for name in names() {
            assert!(shipped(name).unwrap().is_ok(), "{name}");
        }
        assert!(shipped("jpeg").is_none());
    }
}
