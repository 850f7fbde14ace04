//! Files of several pages: `normalize`, `equal`, `dimensions`, `variants` and `fuzz`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::fuzz::results;
use crate::{folder, repfuzz, seed};

/// Writes a variant of tiny.tif with these further pages.
pub(crate) fn paged(folder: &Path, further: &str) -> PathBuf {
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
    let note = format!(
        "note: {}: pages 2 to 3 are left out, because of page 2: ImageWidth",
        damaged.display()
    );
    assert!(ran.stderr.starts_with(&note) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
}

#[test]
fn dimensions_of_further_pages_are_listed() {
    let folder = folder();
    let ran = repfuzz!("dimensions", paged(folder.path(), "thumbnail after"), "--time", "900");
    let text = ran.fine();
    assert!(text.contains("\npage 2: orientation: ") && text.contains("\npage segment order: "));
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
fn variants_have_all_pages_of_their_seed() {
    let folder = folder();
    let pages = paged(folder.path(), "two pages after");
    let own = repfuzz!("normalize", &pages);
    let out = folder.path().join("variants");
    let made =
        repfuzz!("variants", &pages, "-n", "20", "--vary", "page*,further pages", "-o", &out);
    assert!(made.fine().starts_with("20 equivalents of "), "{}", made.stdout);
    let mut varied = 0;
    for k in 0..20 {
        let file = out.join(format!("{k:06}.tif"));
        assert_eq!(repfuzz!("equal", &pages, &file).fine(), "");
        assert!(repfuzz!("normalize", &file).fine().starts_with(own.fine()), "variant {k}");
        let second = |path: &Path| {
            let seed = tiff_harness::Seed::open(fs::read(path).unwrap()).unwrap();
            let page = seed.pages()[0].file();
            (page.compression, page.orientation, page.bits)
        };
        varied += usize::from(second(&file) != second(&pages));
    }
    assert!(varied >= 15, "{varied}");
}

/// A client that shows what `repfuzz normalize` shows: the first page as a picture, or, if it `lists`, a
/// line for each page. On big-endian files the digest of the second page is wrong.
fn describe(folder: &Path, name: &str, lists: bool) {
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let (script, output) = if lists {
        let fault = "case $(head -c 2 \"$1\") in MM) set -- \"$1\" '2s/.$/x/';; esac";
        let list = format!("\"{repfuzz}\" normalize \"$1\" | sed \"${{2:-}}\"");
        (format!("{fault}\n{list}"), "format = \"bytes\"\nfrom = \"stdout\"")
    } else {
        (format!("exec \"{repfuzz}\" normalize \"$1\" -o \"$2\""), "format = \"png\"")
    };
    let (words, ignores) = if lists {
        ("\"{in}\"", "[[ignores]]\nwhat = \"further pages\"\nreason = \"it lists all pages\"\n")
    } else {
        ("\"{in}\", \"{out}\"", "")
    };
    let toml = format!(
        "name = \"{name}\"\nsummary = \"a test\"\ndecoder = \"own\"\n{ignores}\
         [run]\ncommand = [\"sh\", \"-c\", '''\n{script}\n''', \"sh\", {words}]\n[output]\n{output}\n"
    );
    fs::write(folder.join(format!("{name}.toml")), toml).unwrap();
}

/// A client that returns the first page is compared on that; one that returns all pages is compared on
/// all, and pages that variants add are no finding.
#[test]
fn clients_are_compared_on_the_pages_that_they_return() {
    let folder = folder();
    let pages = paged(folder.path(), "page after");
    let fuzz = |lists: bool| {
        let name = if lists { "lists" } else { "first" };
        describe(folder.path(), name, lists);
        let report = folder.path().join(format!("report of {name}"));
        let description = folder.path().join(format!("{name}.toml"));
        let ran = repfuzz!(
            "fuzz",
            &pages,
            "--describe",
            description,
            format!("--clients={name}"),
            "-n60",
            "--report",
            &report,
        );
        assert_eq!(ran.stderr, "");
        (ran, results(&report))
    };
    let (ran, found) = fuzz(false);
    assert!(ran.code == 0 && !found.contains_key("cause"), "{}", ran.stdout);
    let (ran, found) = fuzz(true);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let causes: Vec<_> = found["cause"].iter().map(|cause| &cause["choices"]).collect();
    assert_eq!(causes, [&json!({"byte order": "MM"})]);
}
