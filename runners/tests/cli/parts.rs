//! Readers that return all pages of a file, or a region of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::fuzz::results;
use crate::pages::paged;
use crate::{Ran, folder, repfuzz, seed};

/// Fuzzes `file` with the client of `description`.
fn fuzz(
    folder: &Path,
    file: &Path,
    description: &str,
    vary: &str,
) -> (Ran, BTreeMap<String, Vec<Value>>) {
    let (described, report) = (folder.join("parts.toml"), folder.join("report"));
    let about =
        "name = \"parts\"\nsummary = \"a test\"\ndecoder = \"own\"\napplies = [\"orientation\"]";
    fs::write(&described, format!("{about}\n{description}")).unwrap();
    let vary = format!("--vary={vary}");
    let ran = repfuzz!(
        "fuzz",
        file,
        "--describe",
        &described,
        "--clients=parts",
        "-n24",
        vary,
        "--fresh",
        "--report",
        &report,
    );
    assert_eq!(ran.stderr, "");
    (ran, results(&report))
}

/// A description of a client that writes a picture for each page, and does `deed` after that on big-endian files.
fn of_pages(deed: &str) -> String {
    format!(
        "[[ignores]]\nwhat = \"further pages\"\nreason = \"it returns them\"\n\
         [run]\ncommand = [\"sh\", \"-c\", '''\ngm convert \"$1\" +adjoin PNG:page-%d.png || exit 1\n\
         case $(head -c 2 \"$1\") in MM) {deed};; esac\n''', \"sh\", \"{{in}}\"]\n\
         [output]\nformat = \"png\"\npath = \"page-*.png\"\npages = true\n"
    )
}

#[test]
fn readers_that_drop_pages_or_swap_them() {
    if !test_support::installed("gm") {
        return;
    }
    let folder = folder();
    let pages = paged(folder.path(), "two pages after");
    let vary = "byte order,compression,page 2: compression";
    let (ran, found) = fuzz(folder.path(), &pages, &of_pages(":"), vary);
    assert!(ran.code == 0 && !found.contains_key("cause"), "{}", ran.stdout);
    for deed in ["rm page-1.png", "mv page-1.png x; mv page-2.png page-1.png; mv x page-2.png"] {
        let (ran, found) = fuzz(folder.path(), &pages, &of_pages(deed), vary);
        assert_eq!(ran.code, 1, "{}", ran.stdout);
        let [cause] = &found["cause"][..] else { panic!("{deed}: {:?}", found["cause"]) };
        assert_eq!(
            (&cause["outcome"], &cause["dimensions"]),
            (&json!("wrong"), &json!(["byte order"]))
        );
    }
}

/// A description of a client that reads the whole picture rightly, and does `deed` before it reads a region of a
/// big-endian file.
fn of_regions(deed: &str) -> String {
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    format!(
        "[run]\ncommand = [\"{repfuzz}\", \"normalize\", \"{{in}}\", \"-o\", \"{{out}}\"]\n\
         [output]\nformat = \"png\"\nregion = [\"sh\", \"-c\", '''\n\
         x=$4\ncase $(head -c 2 \"$1\") in MM) {deed};; esac\n\
         \"{repfuzz}\" normalize \"$1\" -o whole.png && exec gm convert whole.png -crop \"$3+$x+$5\" +repage \"PNG:$2\"\n\
         ''', \"sh\", \"{{in}}\", \"{{out}}\", \"{{w}}x{{h}}\", \"{{x}}\", \"{{y}}\"]\n"
    )
}

#[test]
fn readers_of_other_regions_than_those_of_the_picture() {
    if !test_support::installed("gm") {
        return;
    }
    let folder = folder();
    let fuzz =
        |deed| fuzz(folder.path(), &seed("tiny.tif"), &of_regions(deed), "byte order,compression");
    let (ran, found) = fuzz(":");
    assert!(ran.code == 0 && !found.contains_key("cause"), "{}", ran.stdout);
    for (deed, why) in [
        ("x=$((x + 1))", "of 3x2 pixels at (1, 1), read by themselves, "),
        (
            "echo no regions >&2; exit 3",
            "3x2 pixels at (1, 1), read by themselves, are refused: no regions",
        ),
        ("kill -SEGV $$", "3x2 pixels at (1, 1), read by themselves, crash it: SIGSEGV"),
    ] {
        let (ran, found) = fuzz(deed);
        assert_eq!(ran.code, 1, "{}", ran.stdout);
        let [cause] = &found["cause"][..] else { panic!("{deed}: {:?}", found["cause"]) };
        assert_eq!(
            (&cause["outcome"], &cause["dimensions"]),
            (&json!("region"), &json!(["byte order"]))
        );
        assert!(cause["message"].as_str().unwrap().starts_with(why), "{cause}");
    }
}

#[test]
fn descriptions_of_parts_are_checked() {
    let folder = folder();
    let regions = of_regions(":");
    for (description, why) in [
        (
            of_pages(":").replace("page-*.png", "page.png"),
            "a file for each page needs a path with a `*`",
        ),
        (of_pages(":").replace("further pages", "bits"), "ignores `further pages`"),
        (of_pages(":") + "[contract]\npages = \"first\"\n", "has no `pages` in its contract"),
        (
            regions.replace("{x}", "1").replace("{y}", "1").replace("{w}x{h}", "1x1"),
            "the region in {x}, {y}, {w}, {h}",
        ),
        (
            regions.replace("\"normalize\", \"{in}\"", "\"normalize\", \"{in}\", \"{x}\""),
            "only the command of [output] `region`",
        ),
        (
            regions.replace("command =", "worker = [\"x\"]\ncommand ="),
            "only commands that write one picture file",
        ),
    ] {
        let file = folder.path().join("parts.toml");
        let about = "name = \"parts\"\nsummary = \"a test\"\ndecoder = \"own\"\napplies = [\"orientation\"]";
        fs::write(&file, format!("{about}\n{description}")).unwrap();
        let ran = repfuzz!("clients", "parts", "--describe", &file);
        assert!(ran.code == 2 && ran.stderr.contains(why), "{why}: {}", ran.stderr);
    }
}
