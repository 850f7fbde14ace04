//! `normalize` and `equal`.

use std::fs;
use std::path::{Path, PathBuf};

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

/// Writes a variant of tiny.tif with these further pages.
fn paged(folder: &Path, further: &str) -> PathBuf {
    let choices = folder.join("choices.json");
    let out = folder.join(format!("{further}.tif"));
    fs::write(&choices, format!(r#"{{"further pages": "{further}"}}"#)).unwrap();
    let made = repfuzz!("replay", seed("tiny.tif"), "--choices", &choices, "-o", &out);
    assert_eq!(made.fine(), "");
    out
}

#[test]
fn normalize_prints_each_page() {
    let folder = folder();
    let two = paged(folder.path(), "two pages after");
    let ran = repfuzz!("normalize", &two);
    assert!(ran.fine().starts_with(repfuzz!("normalize", seed("tiny.tif")).fine()));
    insta::assert_snapshot!(ran.fine(), @r"
    5x4 2e617e9562023140cb206dc5ce1121abce979c2ec2bf0045b681275de7763da9
    page 2: 4x4 03a977863d8e15e7815adb6916692c17c9497bba6940a30246cbdbb695576ccb
    page 3: 4x5 8bee750f1155021c9beabf93e4545bbb17e13bbcdaf48394e30410e7268f9bca
    ");
    let ran = repfuzz!("dimensions", &two);
    let text = ran.fine();
    assert!(text.contains("\npage 2: orientation: ") && text.contains("\npage segment order: "));

    // A page that is damaged is left out, with those after it.
    let mut bytes = fs::read(&two).unwrap();
    let container = tiff_harness::container::read(&bytes).unwrap();
    let second = container.later_ifds[0] as usize;
    let is_width = |entry: &usize| bytes[*entry..][..2] == 256u16.to_le_bytes();
    let width = (0..14).map(|k| second + 2 + 12 * k).find(is_width).unwrap();
    bytes[width + 8..width + 12].fill(0);
    let damaged = folder.path().join("damaged.tif");
    fs::write(&damaged, bytes).unwrap();
    let ran = repfuzz!("normalize", &damaged);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 1));
    let note = format!("note: {}: pages after page 1 are left out: ImageWidth", damaged.display());
    assert!(ran.stderr.starts_with(&note) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
}

#[test]
fn equal_compares_all_pages() {
    let folder = folder();
    let page = paged(folder.path(), "page after");
    let thumbnail = paged(folder.path(), "thumbnail after");
    let both = paged(folder.path(), "thumbnail and page after");
    // Pages after the last of the other file are not compared.
    for (a, b) in [(&seed("tiny.tif"), &page), (&page, &seed("tiny.tif")), (&both, &thumbnail)] {
        assert_eq!(repfuzz!("equal", a, b).fine(), "");
    }
    let ran = repfuzz!("equal", &page, &thumbnail);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    insta::assert_snapshot!(ran.stdout, @r"
    page 2: 4x4 03a977863d8e15e7815adb6916692c17c9497bba6940a30246cbdbb695576ccb
    page 2: 3x2 be2082a39e171d343468bd47684d861cb404b1f4538c2861bde534be1a2ea38e
    ");
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
