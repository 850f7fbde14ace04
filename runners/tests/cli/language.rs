//! `language`, `new`, and the canonical value that `normalize` writes for `sample`.

use serde_json::Value;

use crate::{file, folder, installed, repfuzz};

#[test]
fn topics_are_listed_and_printed() {
    let list = repfuzz!("language");
    let topics = list.fine();
    for topic in ["Losses", "Bytes of a file", "lzw", "packed_bits"] {
        assert!(topics.contains(topic), "{topic}: {topics}");
    }
    assert!(repfuzz!("language", "packed_bits").fine().starts_with("## `packed_bits`\n"));
    assert!(repfuzz!("language", "losses").fine().contains("// loss: the reason"));
    let unknown = repfuzz!("language", "no such topic");
    assert_eq!(
        unknown.error(),
        "no topic is called `no such topic`; repfuzz language lists the topics"
    );
}

#[test]
fn the_canonical_value_of_a_file_is_what_sample_takes() {
    let folder = folder();
    let value = folder.path().join("x.json");
    let spec = file("examples/decoder/spec/sprite.rs");
    let seed = file("examples/decoder/seeds/seed.spr");
    assert_eq!(repfuzz!("normalize", &seed, "--spec", &spec, "-o", &value).fine(), "");
    let sampled = repfuzz!("sample", &spec, "--input", &value, "-n", "3");
    assert_eq!(sampled.fine().lines().count(), 3);
    let json: Value = serde_json::from_str(&std::fs::read_to_string(&value).unwrap()).unwrap();
    assert!(json["width"].is_u64(), "{json}");
    let tiff = repfuzz!("normalize", &seed, "-o", &value);
    assert!(tiff.error().contains("name a spec with --spec"), "{}", tiff.stderr);
}

#[test]
fn the_files_of_a_new_format_work_at_once() {
    if !installed("python3") {
        return;
    }
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    repfuzz!("new", "pic", "-o", folder.path()).fine();
    let ran = repfuzz!(
        "fuzz",
        path("seed.pic"),
        "--spec",
        path("pic.rs"),
        "--describe",
        path("pic-client.toml"),
        "--clients",
        "pic-reader",
        "-n",
        "8",
        "--report",
        path("report"),
    );
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.starts_with("No difference"), "{}", ran.stdout);
    let checked =
        repfuzz!("check", path("pic.rs"), "--seed", path("seed.pic"), "-n", "10", "--values", "2");
    assert_eq!(checked.code, 0, "{}{}", checked.stdout, checked.stderr);
}
