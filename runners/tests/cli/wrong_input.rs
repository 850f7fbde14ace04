//! Wrong input to every command that takes a file: one line, exit 2, little memory.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tiff_harness::Seed;

use crate::{Ran, folder, ran, seed};

/// Runs repfuzz with at most 1 GiB of address space.
fn held(words: &[&OsStr]) -> Ran {
    let mut sh = Command::new("sh");
    sh.args(["-c", "ulimit -v 1048576; exec \"$0\" \"$@\""]);
    sh.arg(assert_cmd::cargo::cargo_bin!("repfuzz")).args(words).env("COLUMNS", "80");
    ran(&mut sh)
}

/// The error of each command: one line, which names the file once. Neighbours that are equal count as one.
fn errors_of_each_command(bad: &Path) -> Vec<String> {
    let folder = folder();
    let choices = folder.path().join("choices.json");
    fs::write(&choices, "{}").unwrap();
    let good = seed("tiny.tif");
    let (good, choices) = (good.as_os_str(), choices.as_os_str());
    let out = folder.path().join("out");
    let (bad_word, out_word) = (bad.as_os_str(), out.as_os_str());
    let word = |text: &'static str| OsStr::new(text);
    let calls: [&[&OsStr]; 7] = [
        &[word("normalize"), bad_word],
        &[word("normalize"), bad_word, word("-o"), out_word],
        &[word("equal"), bad_word, good],
        &[word("equal"), good, bad_word],
        &[word("variants"), bad_word, word("-n2"), word("-o"), out_word],
        &[word("replay"), bad_word, word("--choices"), choices, word("-o"), out_word],
        &[
            word("fuzz"),
            bad_word,
            word("--clients=rust-image"),
            word("-n2"),
            word("--report"),
            out_word,
        ],
    ];
    let mut said: Vec<String> = calls
        .iter()
        .map(|words| {
            let ran = held(words);
            let line = ran.error();
            let line = line.strip_prefix("cannot compare: ").unwrap_or(line);
            assert!(!out.exists(), "{words:?} wrote something");
            line.strip_prefix(&format!("{}: ", bad.display())).expect(line).to_owned()
        })
        .collect();
    said.dedup();
    said
}

/// The error of each command: the same line.
fn each_command_refuses(bad: &Path) -> String {
    let mut said = errors_of_each_command(bad);
    assert_eq!(said.len(), 1, "{said:?}");
    said.remove(0)
}

fn refused(bytes: impl AsRef<[u8]>) -> String {
    let folder = folder();
    let bad = folder.path().join("bad.tif");
    fs::write(&bad, bytes).unwrap();
    each_command_refuses(&bad)
}

/// The errors of each command, of which `replay` reads larger pictures than the others.
fn refused_for_its_size(bytes: impl AsRef<[u8]>) -> Vec<String> {
    let folder = folder();
    let bad = folder.path().join("bad.tif");
    fs::write(&bad, bytes).unwrap();
    errors_of_each_command(&bad)
}

/// A directory of these entries (tag, type, count, value), at offset 8 of a file of 100 bytes
/// or more, with the offset of the next directory.
fn tiff(entries: &[(u16, u16, u32, u32)], next: u32) -> Vec<u8> {
    let mut file = b"II*\0\x08\0\0\0".to_vec();
    file.extend((entries.len() as u16).to_le_bytes());
    for (tag, kind, count, value) in entries {
        file.extend(tag.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend(count.to_le_bytes());
        file.extend(value.to_le_bytes());
    }
    file.extend(next.to_le_bytes());
    file.resize(file.len().max(100), 0);
    file
}

/// A gray picture of this size, in one strip at this offset.
fn gray(width: u32, height: u32, offset: u32, next: u32) -> Vec<u8> {
    let bytes = width.saturating_mul(height);
    let entries = [
        (256, 4, 1, width),
        (257, 4, 1, height),
        (258, 3, 1, 8),
        (259, 3, 1, 1),
        (262, 3, 1, 1),
        (273, 4, 1, offset),
        (279, 4, 1, bytes),
    ];
    tiff(&entries, next)
}

#[test]
fn not_a_tiff_file() {
    assert!(
        refused("")
            .starts_with("not a TIFF file: it has 0 bytes, a header has 8; `repfuzz formats`")
    );
    assert!(refused("\x1b[31m just some words\n").starts_with("not a TIFF file"));
    assert!(refused(b"MM\0\x2C\0\0\0\x08").starts_with("not a TIFF file"));
}

#[test]
fn missing_or_a_directory() {
    let folder = folder();
    let missing = each_command_refuses(&folder.path().join("missing.tif"));
    assert!(missing.starts_with("No such file"), "{missing}");
    let directory = each_command_refuses(folder.path());
    assert!(directory.starts_with("Is a directory"), "{directory}");
}

#[test]
fn numbers_that_lead_nowhere() {
    // The file that the others are derived from is valid.
    assert!(Seed::open(gray(2, 2, 8, 0)).is_ok());
    assert!(refused(gray(2, 2, u32::MAX, 0)).contains("at offset 4294967295"));
    assert!(refused(gray(2, 2, 97, 0)).contains("at offset 97"));
    let said = refused_for_its_size(gray(65_536, 65_536, 8, 0));
    assert!(said[0].contains("65536 x 65536 = 4294967296 pixels"), "{said:?}");
    assert!(said[1].contains("strip 0 needs"), "the file has not that many bytes: {said:?}");
    let said = refused_for_its_size(gray(u32::MAX, u32::MAX, 8, 0));
    assert!(said.iter().all(|line| line.contains("pixels is not supported")), "{said:?}");
    assert!(refused(gray(0, 2, 8, 0)).contains("ImageWidth"));
    assert!(refused(tiff(&[(256, 12, u32::MAX, 8)], 0)).contains("the file has 100"));
    assert!(refused(b"II*\0\xff\xff\xff\xff").contains("at offset 4294967295"));
    // The first page is whole where the chain of directories is a loop.
    let looped = Seed::open(gray(2, 2, 8, 8)).unwrap();
    assert!(looped.pages_left_out().is_some_and(|left| left.to_string().contains("is a loop")));
}

#[test]
fn cut_anywhere() {
    let whole = fs::read(seed("tiny.tif")).unwrap();
    for len in 0..whole.len() {
        let error = Seed::open(whole[..len].to_vec()).expect_err("it is cut").to_string();
        assert!(!error.is_empty() && !error.contains('\n'), "{len}: {error:?}");
    }
    for len in [1, 7, 8, 9, 10, whole.len() / 2, whole.len() - 1] {
        refused(&whole[..len]);
    }
}

/// Changing any byte of the smallest seed causes no panic.
#[test]
fn any_byte_changed() {
    let mut bytes = fs::read(seed("tiny.tif")).unwrap();
    for at in 0..bytes.len() {
        for other in [0x00, 0xFF, bytes[at] ^ 0x01, bytes[at] ^ 0x80] {
            let byte = std::mem::replace(&mut bytes[at], other);
            if let Err(error) = Seed::open(bytes.clone()) {
                assert!(!error.to_string().contains('\n'), "{at}: {error}");
            }
            bytes[at] = byte;
        }
    }
}

/// Messages that nobody can read are lost, and the exit code is the same.
#[test]
fn a_standard_error_that_takes_nothing_is_no_crash() {
    let folder = folder();
    let spec = folder.path().join("bad.rs");
    std::fs::write(&spec, "fn f(").unwrap();
    let missing = folder.path().join("nosuch.tif");
    let (spec, missing) = (spec.to_string_lossy(), missing.to_string_lossy());
    for arguments in [&["check", &*spec][..], &["fuzz", &*missing, "--clients=rust-image"][..]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (reader, closed) = std::io::pipe().unwrap();
        drop(reader);
        for stderr in [std::process::Stdio::from(full), std::process::Stdio::from(closed)] {
            let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("repfuzz"));
            let status = command.args(arguments).stderr(stderr).status().unwrap();
            assert_eq!(status.code(), Some(2), "{arguments:?}");
        }
    }
}

#[cfg(not(feature = "fleet"))]
#[test]
fn a_command_of_fleets_names_the_feature_that_it_needs() {
    for command in ["serve", "work", "top"] {
        for rest in ["--help", "--nats", "nightly.toml"] {
            let ran = crate::repfuzz!(command, rest);
            assert!(ran.error().contains("without the feature `fleet`"), "{}", ran.stderr);
        }
    }
    assert!(!crate::repfuzz!("--help").fine().contains("serve"));
}
