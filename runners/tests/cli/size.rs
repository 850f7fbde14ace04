//! `--max-size`: a seed that would take more once it is decoded is refused by every command, whatever its format.

use std::fs;
use std::path::PathBuf;

use crate::{file, folder, repfuzz, seed};

/// The first file of a format in the corpus, and its spec.
fn of_format(name: &str) -> (PathBuf, PathBuf) {
    let entries = fs::read_dir(file(&format!("corpus/{name}"))).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.is_file() && path.extension().is_some_and(|e| e != "sh"));
    files.sort();
    (files.remove(0), file(&format!("normalizers/specs/{name}/{name}.rs")))
}

#[test]
fn every_command_that_takes_a_seed_has_the_limit() {
    let (seed, folder) = (seed("gray.tif"), folder());
    let out = folder.path().join("out");
    let size = "--max-size=1KiB";
    for ran in [
        repfuzz!["normalize", &seed, size],
        repfuzz!["dimensions", &seed, size],
        repfuzz!["variants", &seed, "-n1", "-o", &out, size],
        repfuzz!["export", &seed, "-o", &out, size],
        repfuzz!["equal", &seed, &seed, size],
    ] {
        let error = ran.error();
        assert!(error.contains("gray.tif: ") && error.contains("at most 1024 may"), "{error}");
        assert!(error.ends_with("; --max-size sets another limit"), "{error}");
    }
    assert_eq!(repfuzz!["normalize", &seed, "--max-size", "1MiB"].code, 0);
    for command in ["fuzz", "reduce", "replay", "check"] {
        let help = repfuzz![command, "--help"];
        let help = help.fine().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains("--max-size <SIZE>") && help.contains("[default: 256MiB]"), "{help}");
    }
    assert!(repfuzz!["normalize", &seed, "--max-size", "1 parsec"].stderr.contains("256MiB"));
}

/// The file alone has room, but not what is made of it. A tar archive is longer than its value.
#[test]
fn seeds_of_every_format_are_bounded() {
    for name in [
        "aiff", "au", "bmp", "dbf", "gif", "ico", "netcdf", "nifti", "npy", "png", "pnm", "tga",
        "wav", "zip",
    ] {
        let (seed, spec) = of_format(name);
        let length = fs::metadata(&seed).unwrap().len();
        let fits = repfuzz!["normalize", &seed, "--spec", &spec];
        assert_eq!(fits.code, 0, "{name}: {}", fits.stderr);
        let ran = repfuzz!["normalize", &seed, "--spec", &spec, "--max-size", length.to_string()];
        let error = ran.error();
        assert!(error.ends_with("; --max-size sets another limit"), "{name}: {error}");
    }
}

#[test]
fn a_device_without_an_end_is_not_read_to_its_end() {
    let spec = file("normalizers/specs/bmp/bmp.rs");
    for ran in [
        repfuzz!["normalize", "/dev/zero", "--max-size", "1MiB"],
        repfuzz!["normalize", "/dev/zero", "--max-size", "1MiB", "--spec", &spec],
    ] {
        assert!(ran.error().contains("at most 1048576 are read; --max-size"), "{}", ran.stderr);
    }
}

#[test]
fn a_night_has_the_limit_in_its_configuration() {
    let folder = folder();
    let config = |more: &str| {
        fs::copy(seed("gray.tif"), folder.path().join("gray.tif")).unwrap();
        let client = "client = ['none=cat {in}']";
        let text = format!("seeds = ['gray.tif']\nvariants = 1\n{client}\n{more}\n");
        fs::write(folder.path().join("nightly.toml"), text).unwrap();
        let mut command = crate::command();
        crate::ran(command.arg("nightly").current_dir(folder.path()))
    };
    let ran = config("max_size = '1KiB'");
    assert!(ran.stdout.contains("LOST COVERAGE"), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("at most 1024 may be made of a file"), "{}", ran.stdout);
    let wrong = config("max_size = 'much'");
    assert!(wrong.error().contains("256MiB"), "{}", wrong.stderr);
}
