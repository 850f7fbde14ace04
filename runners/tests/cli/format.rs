//! A format from a spec alone: `new`, and `--format` of `variants`, `normalize`, `equal`, `replay` and `fuzz`.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::{file, folder, installed, repfuzz};

fn bmp() -> (PathBuf, PathBuf) {
    (file("normalizers/specs/bmp/bmp.rs"), file("corpus/bmp/gm24.bmp"))
}

#[test]
fn a_new_format_can_be_varied_at_once() {
    let folder = folder();
    let made = repfuzz!("new", "pic", "-o", folder.path());
    assert!(made.fine().contains("next: repfuzz variants"), "{}", made.stdout);
    let (spec, seed) = (folder.path().join("pic.rs"), folder.path().join("seed.pic"));
    let variants = folder.path().join("variants");
    repfuzz!("variants", &seed, "--spec", &spec, "-n", "20", "-o", &variants).fine();
    let list = fs::read_to_string(variants.join("variants.jsonl")).unwrap();
    let lines: Vec<Value> = list.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 20);
    let mut seen = std::collections::BTreeSet::new();
    for line in &lines {
        let name = line["file"].as_str().unwrap();
        assert!(name.ends_with(".pic"));
        let path = variants.join(name);
        repfuzz!("equal", &seed, &path, "--spec", &spec).fine();
        seen.insert(fs::read(&path).unwrap());
        // It is reproduced byte for byte.
        let (given, out) = (folder.path().join("c.json"), folder.path().join("out.pic"));
        fs::write(&given, line.to_string()).unwrap();
        repfuzz!("replay", &seed, "--spec", &spec, "--choices", &given, "-o", &out).fine();
        assert_eq!(fs::read(&out).unwrap(), fs::read(&path).unwrap());
    }
    assert!(seen.len() > 15, "{}", seen.len());
    // Existing files are not overwritten.
    let again = repfuzz!("new", "pic", "-o", folder.path());
    assert!(again.error().contains("pic.rs: "));
    assert!(repfuzz!("new", "../x", "-o", folder.path()).stderr.contains("lower-case letters"));
}

#[test]
fn a_format_that_ships_is_recognized_and_has_a_name() {
    let (spec, seed) = bmp();
    let meaning = repfuzz!("normalize", &seed);
    assert_eq!(meaning.fine(), repfuzz!("normalize", &seed, "--spec", &spec).fine());
    assert_eq!(meaning.fine(), repfuzz!("normalize", &seed, "--format", "bmp").fine());
    // The first bytes count, not the name.
    let folder = folder();
    let renamed = folder.path().join("renamed.tif");
    fs::copy(&seed, &renamed).unwrap();
    assert_eq!(meaning.fine(), repfuzz!("normalize", &renamed).fine());
    assert!(repfuzz!("invert", "bmp").fine().starts_with("stage colors\n"));
    let mixed = repfuzz!("fuzz", &seed, file("corpus/seeds/rgb.tif"), "--clients", "rust-image");
    assert!(mixed.error().contains("a file of the format bmp, and"), "{}", mixed.stderr);
    let unknown = repfuzz!("normalize", &seed, "--format", "jpeg");
    assert!(unknown.error().contains("`repfuzz formats` lists them"), "{}", unknown.stderr);
    let list = repfuzz!("formats");
    let names: Vec<&str> = list.fine().lines().filter(|l| !l.starts_with(' ')).collect();
    assert_eq!(names.len(), 17, "{names:?}");
}

#[test]
fn seeds_of_many_producers_mean_the_same() {
    let (spec, seed) = bmp();
    for name in ["im12", "im124", "im32", "im565", "gm8r", "np4", "np4os2", "pil8", "ff32"] {
        let other = file(&format!("corpus/bmp/{name}.bmp"));
        let equal = repfuzz!("equal", &seed, &other, "--spec", &spec);
        assert_eq!((equal.code, equal.stdout.as_str()), (0, ""), "{name}: {}", equal.stderr);
    }
    let black_and_white = file("corpus/bmp/pil1.bmp");
    let equal = repfuzz!("equal", &seed, &black_and_white, "--spec", &spec);
    assert_eq!(equal.code, 1, "{}", equal.stderr);
}

#[test]
fn files_that_the_spec_refuses_are_reported() {
    let (spec, seed) = bmp();
    let folder = folder();
    let mut bytes = fs::read(&seed).unwrap();
    bytes.pop();
    let short = folder.path().join("short.bmp");
    fs::write(&short, &bytes).unwrap();
    let why = repfuzz!("normalize", &short, "--spec", &spec);
    assert!(why.error().contains("these bytes say 174, and it is 173"), "{}", why.stderr);
    bytes.truncate(20);
    fs::write(&short, &bytes).unwrap();
    let why = repfuzz!("normalize", &short, "--spec", &spec);
    assert!(
        why.error().contains("file has 20 bytes: it ends before these at 18"),
        "{}",
        why.stderr
    );
    let none =
        repfuzz!("normalize", &seed, "--spec", file("inverter/tests/programs/compressed.rs"));
    assert!(none.error().contains("the file and nothing else"), "{}", none.stderr);
}

/// A client that decodes top-down rows wrongly: exactly that cause is found.
#[test]
fn a_fault_is_found_by_a_spec_alone() {
    if !installed("od") {
        return;
    }
    let (spec, seed) = bmp();
    let folder = folder();
    let script = folder.path().join("view.sh");
    let text = "#!/bin/sh\nb=$(od -An -tu1 -j25 -N1 \"$1\" | tr -d ' ')\nk=$(od -An -tu1 -j14 -N1 \"$1\" | \
                tr -d ' ')\nif [ \"$k\" != 12 ] && [ \"$b\" -ge 128 ]; then printf 'P5 1 1 255 a'; else \
                printf 'P5 1 1 255 b'; fi\n";
    fs::write(&script, text).unwrap();
    let client = format!("view=sh {} {{in}}", script.display());
    let ran = repfuzz!(
        "fuzz",
        &seed,
        "--spec",
        &spec,
        "--client",
        client,
        "-n",
        "30",
        "--report",
        folder.path().join("report"),
    );
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("file: rows = "), "{}", ran.stdout);
    assert!(ran.stdout.contains("1 of 1 client decodes"), "{}", ran.stdout);
    let causes = ran.stdout.lines().filter(|l| l.contains(" view ")).count();
    assert_eq!(causes, 1, "{}", ran.stdout);
    assert!(folder.path().join("report/index.html").is_file());
}

/// Content that is no picture is compared as bytes: for a client that prints the first header's name, this is
/// reported.
#[test]
fn content_that_is_no_picture_is_compared() {
    if !installed("head") {
        return;
    }
    let folder = folder();
    let describe = folder.path().join("first.toml");
    let text = "name = \"first\"\nsummary = \"the first name\"\ndecoder = \"own\"\nformats = [\"tar\"]\n\
                [run]\ncommand = [\"head\", \"-c\", \"100\", \"{in}\"]\n\
                [output]\nformat = \"bytes\"\nfrom = \"stdout\"\n";
    fs::write(&describe, text).unwrap();
    let ran = repfuzz!(
        "fuzz",
        file("corpus/tar/ustar.tar"),
        "--spec",
        file("normalizers/specs/tar/tar.rs"),
        "--describe",
        &describe,
        "--clients",
        "first",
        "-n",
        "20",
        "--report",
        folder.path().join("report"),
    );
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let causes: Vec<&str> = ran.stdout.lines().filter(|l| l.contains("  first ")).collect();
    assert!(!causes.is_empty(), "{}", ran.stdout);
    assert!(causes.iter().all(|l| l.contains("file headers")), "{}", ran.stdout);
}
