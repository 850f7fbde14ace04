//! `export`: sets of equivalent files with expectations.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use inverter::solve::{ChoiceSource, Choices};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tiff_harness::Seed;

use crate::{folder, repfuzz, seed};

/// The content of `expectations.json`.
fn expectations(set: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(set.join("expectations.json")).unwrap()).unwrap()
}

/// Every file below `folder`, by its path in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for inner in ["", "files"] {
        for entry in fs::read_dir(folder.join(inner)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn what_is_expected_of_each_file_is_so() {
    let folder = folder();
    let set = folder.path().join("set");
    let said = repfuzz!("export", seed("rgb.tif"), "-n", "20", "-o", &set);
    assert!(said.fine().starts_with("20 equivalents of "), "{}", said.stdout);
    let whole = Seed::open(fs::read(seed("rgb.tif")).unwrap()).unwrap();
    let known = expectations(&set);
    let canonical = whole.picture().digest();
    assert_eq!(
        (&known["seed"], &known["canonical"]),
        (&"rgb.tif".into(), &canonical.clone().into())
    );
    let all = known["files"].as_array().unwrap();
    assert_eq!(all.len(), 21);
    let mut classes = Vec::new();
    for (k, one) in all.iter().enumerate() {
        let file = one["file"].as_str().unwrap();
        assert!(file.starts_with(&format!("files/{}-", &canonical[..16])), "{file}");
        let bytes = fs::read(set.join(file)).unwrap();
        let digest: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!((&one["sha256"], &one["size"]), (&digest.into(), &bytes.len().into()));
        let read = Seed::open(bytes.clone()).unwrap();
        assert_eq!(one["canonical"], read.picture().digest(), "{file}");
        let size = (read.picture().width(), read.picture().height());
        assert_eq!((&one["width"], &one["height"]), (&size.0.into(), &size.1.into()));
        // The choices that differ reproduce it, and determine its class.
        let choices: Choices = serde_json::from_value(one["choices"].clone()).unwrap();
        assert_eq!(choices.is_empty(), k == 0, "the seed is the first, {file}");
        if k > 0 {
            let again = whole.variant(ChoiceSource::replaying(choices)).unwrap();
            assert!(again.bytes == bytes, "{file}");
            assert_eq!(one["class"], again.class.word());
        }
        classes.push(one["class"].clone());
    }
    assert_eq!(classes[0], "baseline");
    assert!(classes.contains(&"extension".into()));
    // The reference picture: 61 by 43 pixels of four bytes.
    let pam = fs::read(set.join("reference.pam")).unwrap();
    let head = b"P7\nWIDTH 61\nHEIGHT 43\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n";
    let samples = pam.strip_prefix(head).unwrap();
    assert!(samples.iter().map(|v| u16::from(*v) * 257).eq(whole.picture().rgba().iter().copied()));
    let png = image::open(set.join("reference.png")).unwrap().into_rgba16();
    assert!(png.as_raw() == whole.picture().rgba());
}

#[test]
fn a_set_is_a_function_of_its_seed() {
    let folder = folder();
    let make = |name: &str, more: &[&str]| {
        let set = folder.path().join(name);
        let mut command = crate::command();
        command.arg("export").arg(seed("tiny.tif")).arg("-o").arg(&set).args(more);
        crate::ran(&mut command).fine();
        files(&set)
    };
    let covering = ["--cover", "pairwise", "-n", "8"];
    let one = make("one", &[&covering[..], &["--jobs", "1"]].concat());
    assert!(one == make("two", &[&covering[..], &["--jobs", "4"]].concat()));
    assert!(one != make("three", &["-n", "8"]));
    assert_eq!(one.keys().filter(|name| name.starts_with("files/")).count(), 9);
    // Files of different sets are never mixed.
    let again = repfuzz!("export", seed("tiny.tif"), "-n", "1", "-o", folder.path().join("one"));
    assert!(again.error().ends_with("one: not empty"), "{}", again.stderr);
}

/// A set for a client has no file that the client does not support.
#[test]
fn files_that_a_client_refuses_are_left_out() {
    let folder = folder();
    let script = folder.path().join("little.sh");
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let text = format!(
        "[ \"$(head -c2 \"$1\")\" = II ] || {{ echo 'big-endian files are not supported' >&2; exit 1; }}\n\
         exec \"{repfuzz}\" normalize \"$1\" -o \"$2\"\n"
    );
    fs::write(&script, text).unwrap();
    let client = format!("little=sh {} {{in}} {{out}}", script.display());
    let export = |seed: &Path, name: &str, more: &[&str]| {
        let mut command = crate::command();
        command.arg("export").arg(seed).args(["--no-sandbox", "--client", &client, "-o"]);
        crate::ran(command.arg(folder.path().join(name)).args(more))
    };
    let made = export(&seed("rgb.tif"), "set", &["-n", "40"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let left_out =
        "files, which are left out; the last one with: big-endian files are not supported";
    assert!(made.stderr.contains("little refuses "), "{}", made.stderr);
    assert!(made.stderr.contains(left_out), "{}", made.stderr);
    let known = expectations(&folder.path().join("set"));
    let files = known["files"].as_array().unwrap();
    assert!((10..35).contains(&files.len()), "{}", files.len());
    for file in files {
        let bytes = fs::read(folder.path().join("set").join(file["file"].as_str().unwrap()));
        assert!(bytes.unwrap().starts_with(b"II"), "{file}");
    }
    // A covering set has hundreds of files; one for a client has at most a hundred beside the seed.
    assert_eq!(export(&seed("rgb.tif"), "covering", &[]).code, 0);
    assert_eq!(
        expectations(&folder.path().join("covering"))["files"].as_array().unwrap().len(),
        101
    );
    let big = folder.path().join("big.tif");
    fs::write(&big, big_endian()).unwrap();
    let error = export(&big, "none", &[]);
    assert!(error.error().contains("little refuses "), "{}", error.stderr);
}

/// A big-endian equivalent of a seed.
fn big_endian() -> Vec<u8> {
    let whole = Seed::open(fs::read(seed("tiny.tif")).unwrap()).unwrap();
    let choices: Choices = [("byte order", "MM".into())].into_iter().collect();
    whole.variant(ChoiceSource::replaying(choices)).unwrap().bytes.to_vec()
}

/// The set tests a decoder without repfuzz: one that assumes that rows follow the header.
#[test]
fn a_decoder_is_checked_by_a_shell_alone() {
    let folder = folder();
    repfuzz!("new", "pic", "-o", folder.path()).fine();
    let set = folder.path().join("set");
    let (spec, pic) = (folder.path().join("pic.rs"), folder.path().join("seed.pic"));
    repfuzz!("export", &pic, "--spec", &spec, "-n", "12", "-o", &set).fine();
    let script = folder.path().join("decode.sh");
    let write = |place: &str| {
        let text = format!(
            "n() {{ od -An -v -tu1 -j$2 -N1 \"$1\" | tr -d ' '; }}\n\
             width=$(n $1 8); height=$(n $1 10); pitch=$(( $(n $1 12) + 256 * $(n $1 13) ))\n\
             place={place}; row=0; : >$2\n\
             while [ $row -lt $height ]; do\n\
             od -An -v -tx1 -j$((place + row * pitch)) -N$width $1 >>$2; row=$((row + 1)); done\n"
        );
        fs::write(&script, text).unwrap();
    };
    let check = || {
        let mut command = Command::new("sh");
        command.arg(set.join("check.sh")).arg("sh").arg(&script).args(["{in}", "{out}"]);
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        (output.status.code().unwrap(), said, String::from_utf8(output.stderr).unwrap())
    };
    write("$(( $(n $1 4) + 256 * $(n $1 5) + 65536 * $(n $1 6) ))");
    let (code, said, why) = check();
    assert_eq!((code, why.as_str()), (0, ""), "{said}");
    assert_eq!(said, "0 of 12 equivalents of the seed are decoded differently\n");

    write("16");
    let (code, said, _) = check();
    let known = expectations(&set);
    let moved = |one: &&Value| one["choices"].get("place gap").is_some();
    let names: Vec<&str> = known["files"]
        .as_array()
        .unwrap()
        .iter()
        .filter(moved)
        .map(|one| one["file"].as_str().unwrap())
        .collect();
    assert_eq!(code, 1);
    assert!(!names.is_empty());
    for name in names {
        assert!(said.contains(name.strip_prefix("files/").unwrap()), "{name}: {said}");
    }

    // A file that git or an editor has changed is not blamed on a decoder.
    let changed = set.join(known["files"][3]["file"].as_str().unwrap());
    fs::write(changed, b"PIC1").unwrap();
    let (code, said, why) = check();
    assert_eq!((code, said.lines().count()), (2, 1), "{said}{why}");
}

/// Content that is no picture has its canonical value as a text file.
#[test]
fn what_is_no_picture_has_its_value_beside() {
    let folder = folder();
    let spec = folder.path().join("pair.rs");
    let text = "struct File { file: [u8] }\nstruct Pair { a: u16, b: u16 }\n\
                fn pair(x: &File, y: &mut Pair) {\n    let place = u8(x.file, 0);\n    \
                y.a = u16le(x.file, place);\n    y.b = u16be(x.file, place + 2);\n}\n";
    fs::write(&spec, text).unwrap();
    let pair = folder.path().join("seed.pair");
    fs::write(&pair, [1, 7, 0, 0, 9]).unwrap();
    let set = folder.path().join("set");
    repfuzz!("export", &pair, "--spec", &spec, "-n", "4", "-o", &set).fine();
    assert_eq!(fs::read_to_string(set.join("reference.json")).unwrap(), "{\"a\":7,\"b\":9}\n");
    let known = expectations(&set);
    assert_eq!(
        (&known["value"], &known["files"][1]["width"]),
        (&"reference.json".into(), &Value::Null)
    );
    assert!(!set.join("reference.png").exists());
}
