//! `normalize` and `equal`.

use std::fs;

use crate::{folder, repfuzz, seed};

#[test]
fn normalize_prints_size_and_digest() {
    insta::assert_snapshot!(repfuzz!("normalize", seed("rgb.tif")).fine(), @"61x43 dc7780e22341dac9f60a8019a88ef3cdb0b3faa636e34bf308238fe64c3ec20b");
    assert!(repfuzz!("normalize", seed("gray.tif")).fine().starts_with("37x23 "));
}

#[test]
fn normalize_writes_png() {
    let folder = folder();
    let out = folder.path().join("no-ending");
    assert_eq!(repfuzz!("normalize", seed("rgb.tif"), "-o", &out).fine(), "");
    let bytes = fs::read(out).unwrap();
    let png = image::load_from_memory_with_format(&bytes, image::ImageFormat::Png).unwrap();
    let seed = tiff_harness::Seed::open(fs::read(seed("rgb.tif")).unwrap()).unwrap();
    assert_eq!((png.width(), png.height()), (61, 43));
    assert_eq!(png.to_rgba16().as_raw().as_slice(), seed.picture().rgba());
}

#[test]
fn normalize_says_where_it_cannot_write() {
    let ran = repfuzz!("normalize", seed("rgb.tif"), "-o", "/nowhere/a.png");
    assert!(ran.error().starts_with("/nowhere/a.png: No such file"), "{}", ran.stderr);
}

#[test]
fn equal_has_three_answers() {
    let folder = folder();
    let turned = folder.path().join("turned.tif");
    let choices = folder.path().join("choices.json");
    fs::write(&choices, r#"{"orientation": 6, "byte order": "MM"}"#).unwrap();
    let made = repfuzz!("replay", seed("rgb.tif"), "--choices", &choices, "-o", &turned);
    assert_eq!(made.fine(), "");
    assert_eq!(repfuzz!("equal", seed("rgb.tif"), &turned).fine(), "");

    let ran = repfuzz!("equal", seed("rgb.tif"), seed("gray.tif"));
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stdout, @"It is 37 × 23 instead of 61 × 43");

    let missing = folder.path().join("missing.tif");
    for (a, b) in [(&missing, &turned), (&turned, &missing)] {
        let ran = repfuzz!("equal", a, b);
        let why = ran.error().strip_prefix("cannot compare: ").unwrap();
        assert!(why.contains("missing.tif: No such file"), "{why}");
    }
}
