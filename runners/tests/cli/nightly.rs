//! `nightly`: a bug of a client appears, stays, is fixed, and reappears.

use std::fs;
use std::path::Path;

use quick_junit::Report;
use serde_json::Value;

use crate::{Ran, folder, repfuzz, seed};

/// A client that refuses files whose first two bytes match the pattern `bad`.
fn client(folder: &Path, bad: &str) {
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let toml = format!(
        "name = \"mine\"\nsummary = \"a test\"\ndecoder = \"own\"\napplies = [\"orientation\"]\n\
         [run]\ncommand = [\"sh\", \"-c\", '''\n\
         case $(head -c 2 \"$1\") in {bad}) echo no >&2; exit 3;; esac\n\
         exec \"{repfuzz}\" normalize \"$1\" -o \"$2\"\n''', \"sh\", \"{{in}}\", \"{{out}}\"]\n\
         [output]\nformat = \"png\"\n"
    );
    fs::write(folder.join("mine.toml"), toml).unwrap();
}

fn configure(folder: &Path) {
    fs::copy(seed("tiny.tif"), folder.join("tiny.tif")).unwrap();
    let config = "seeds = ['*.tif']\nclients = ['mine']\ndescribe = ['mine.toml']\nvariants = 40\nnumber = 3\n";
    fs::write(folder.join("nightly.toml"), config).unwrap();
}

fn nightly(folder: &Path) -> Ran {
    repfuzz!("nightly", folder.join("nightly.toml"))
}

fn written(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("nightly-report").join(name)).unwrap()
}

#[test]
fn only_new_findings_are_reported_as_new() {
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    client(folder, "XX");
    let ran = nightly(folder);
    assert!(ran.fine().contains(": 0 new, 0 worse, 0 fixed, 0 known"), "{}", ran.stdout);

    // The bug appears.
    client(folder, "MM");
    let ran = nightly(folder);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert!(ran.stdout.contains(": 1 new, 0 worse, 0 fixed, 0 known"), "{}", ran.stdout);
    assert!(ran.stdout.contains("mine: refused, byte order = MM"), "{}", ran.stdout);
    let file = fs::read(folder.join("nightly-report/new/01-mine-refused.tif")).unwrap();
    assert_eq!(&file[..2], b"MM");
    // On a small picture, with a seed of its own.
    assert!(file.len() < 400, "{} bytes", file.len());
    let small = folder.join("nightly-report/new/01-mine-refused.seed.tif");
    repfuzz!("equal", small, folder.join("nightly-report/new/01-mine-refused.tif")).fine();
    assert_eq!(written(folder, "summary.txt").lines().next(), ran.stdout.lines().next());
    let junit = Report::deserialize_from_str(&written(folder, "junit.xml")).unwrap();
    assert_eq!((junit.tests, junit.failures), (2, 1));
    let sarif: Value = serde_json::from_str(&written(folder, "results.sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["baselineState"], "new");
    assert!(written(folder, "nightly.html").contains("byte order = MM"));
    assert!(folder.join("nightly-report/01-tiny/index.html").is_file());

    // It is still there, which is not new.
    let ran = nightly(folder);
    assert!(ran.fine().contains(": 0 new, 0 worse, 0 fixed, 1 known"), "{}", ran.stdout);
    assert!(!folder.join("nightly-report/new").exists());

    // It is fixed, which is reported once.
    client(folder, "XX");
    assert!(nightly(folder).fine().contains(": 0 new, 0 worse, 1 fixed, 0 known"));
    assert!(nightly(folder).fine().contains(": 0 new, 0 worse, 0 fixed, 0 known"));

    // It reappears, which is new.
    client(folder, "MM");
    let ran = nightly(folder);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("reappeared after it was fixed"), "{}", ran.stdout);

    // All six nights are in the history.
    let history = written(folder, "history.html");
    assert_eq!(history.matches("<th scope=\"row\">").count(), 6, "{history}");
    assert!(history.contains("1 new, 0 worse, 0 known, 0 fixed."), "{history}");
}

#[test]
fn what_is_accepted_is_no_news() {
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    client(folder, "MM");
    assert_eq!(nightly(folder).code, 1);
    let config = folder.join("nightly.toml");
    let ran = repfuzz!("nightly", &config, "--accept", "--reason=on purpose", "--until=2999-12-31");
    assert!(ran.fine().contains("1 finding accepted, 0 removed because"), "{}", ran.stdout);
    let ran = nightly(folder);
    assert!(
        ran.fine().contains(": 0 new, 0 worse, 0 fixed, 1 known (1 accepted)"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("(accepted until 2999-12-31: on purpose)"), "{}", ran.stdout);
    // Even in a store without it.
    fs::remove_file(folder.join("nightly.sqlite")).unwrap();
    assert!(nightly(folder).fine().contains("1 known (1 accepted)"));
    // Until its last day.
    let accepted = folder.join("repfuzz-accepted.toml");
    let text = fs::read_to_string(&accepted).unwrap();
    fs::write(&accepted, text.replace("2999-12-31", "2020-02-02")).unwrap();
    let ran = nightly(folder);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("accepted only until 2020-02-02"), "{}", ran.stdout);
    // Fixed, and broken again: that is new, whatever was accepted before.
    fs::write(&accepted, &text).unwrap();
    client(folder, "XX");
    assert!(nightly(folder).fine().contains("1 fixed"));
    client(folder, "MM");
    let ran = nightly(folder);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains(": 1 new, 0 worse, 0 fixed, 0 known"), "{}", ran.stdout);
    assert!(ran.stdout.contains("reappeared after it was fixed"), "{}", ran.stdout);
    assert!(nightly(folder).fine().contains("1 known (1 accepted)"));
    // Fixed findings are no longer accepted.
    client(folder, "XX");
    assert_eq!(nightly(folder).code, 0);
    let ran = repfuzz!("nightly", &config, "--accept");
    assert!(ran.fine().contains("0 findings accepted, 1 removed because"), "{}", ran.stdout);
}

#[test]
fn parts_of_a_night_come_to_the_same() {
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    fs::copy(seed("gray.tif"), folder.join("gray.tif")).unwrap();
    client(folder, "MM");
    let config = folder.join("nightly.toml");
    let parts = ["1/2", "2/2"].map(|part| {
        let store = folder.join(part.replace('/', "-of-"));
        let ran = repfuzz!("nightly", &config, "--shard", part, "--store", &store);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
        store
    });
    let whole = folder.join("nightly.sqlite");
    let ran = repfuzz!("merge", &parts[0], &parts[1], "-o", &whole);
    assert_eq!(ran.fine(), "");
    let ran = repfuzz!("nightly", &config, "--report-only");
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert!(ran.stdout.contains(": 1 new, 0 worse, 0 fixed, 0 known"), "{}", ran.stdout);
    assert!(folder.join("nightly-report/01-gray/index.html").is_file());
    assert!(folder.join("nightly-report/new/01-mine-refused.seed.tif").is_file());
    // The name of earlier versions. It is the same report once more.
    let again = repfuzz!("nightly", &config, "--tell");
    assert_eq!((again.code, again.stdout), (1, ran.stdout), "{}", again.stderr);
}

#[test]
fn errors_are_reported_in_one_line() {
    let folder = folder();
    let folder = folder.path();
    let config = folder.join("nightly.toml");
    assert!(repfuzz!("nightly", &config).error().contains("nightly.toml: No such file"));
    configure(folder);
    assert!(nightly(folder).error().contains("mine.toml"));
    client(folder, "XX");
    let accepted = folder.join("repfuzz-accepted.toml");
    fs::write(&accepted, "version = 9\n").unwrap();
    assert!(nightly(folder).error().contains("accepted.toml: unsupported version 9"));
    fs::remove_file(&accepted).unwrap();
    fs::write(folder.join("nightly.sqlite"), "no database, but a text of some length").unwrap();
    assert!(nightly(folder).error().contains("nightly.sqlite: this file is not a repfuzz store"));
}

#[test]
fn terms_of_an_acceptance_are_checked_and_never_ignored_in_silence() {
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    client(folder, "MM");
    assert_eq!(nightly(folder).code, 1);
    let config = folder.join("nightly.toml");
    let ran = repfuzz!("nightly", &config, "--accept", "--until=2020-02-02");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("is in the past"), "{}", ran.stderr);
    let reason = "--reason=first line\nsecond\r\n  line";
    repfuzz!("nightly", &config, "--accept", reason).fine();
    let accepted = || fs::read_to_string(folder.join("repfuzz-accepted.toml")).unwrap();
    assert!(accepted().contains("reason = \"first line second line\""), "{}", accepted());
    // A reason that was written by hand stays one line in the report.
    let text = accepted().replace("\"first line second line\"", "'''first line\nsecond line'''");
    fs::write(folder.join("repfuzz-accepted.toml"), text).unwrap();
    let ran = nightly(folder);
    assert!(ran.fine().contains("(accepted: first line second line)"), "{}", ran.stdout);
    // What is accepted already keeps its terms, which is said.
    let ran = repfuzz!("nightly", &config, "--accept", "--until=2999-12-31");
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("1 acceptance keeps its earlier reason"), "{}", ran.stderr);
    assert!(!accepted().contains("2999"), "{}", accepted());
    repfuzz!("nightly", &config, "--accept", "--until=2999-12-31", "--renew").fine();
    assert!(accepted().contains("until = 2999-12-31"), "{}", accepted());
}

#[test]
fn nothing_stands_alone() {
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    client(folder, "XX");
    let config = folder.join("nightly.toml");
    for list in ["nothing,new", "new,nothing"] {
        let ran = repfuzz!("nightly", &config, "--fail-on", list);
        assert!(ran.error().contains("`nothing` must be alone"), "{}", ran.stderr);
    }
}
