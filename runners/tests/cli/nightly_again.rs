//! `nightly --report-only`: any number of times the same, on parts and on stores that cannot be written;
//! and stores that are empty or cut off.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assert_cmd::Command;

use crate::{Ran, folder, installed, ran, repfuzz, seed, skipped};

/// A night of one client that refuses files in big-endian byte order.
fn configure(folder: &Path) {
    for name in ["tiny.tif", "gray.tif"] {
        fs::copy(seed(name), folder.join(name)).unwrap();
    }
    client(folder, "MM", "");
    let config = "seeds = ['*.tif']\nclients = ['mine']\ndescribe = ['mine.toml']\nvariants = 4\n\
                  number = 3\nvary = ['byte order']\n";
    fs::write(folder.join("nightly.toml"), config).unwrap();
}

/// A client that refuses files whose first two bytes match `bad`.
fn client(folder: &Path, bad: &str, more: &str) {
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let toml = format!(
        "name = \"mine\"\nsummary = \"a test\"\ndecoder = \"own\"\n[run]\n\
         command = [\"sh\", \"-c\", '''\n\
         case $(head -c 2 \"$1\") in {bad}) echo no >&2; exit 3;; esac\n\
         exec \"{repfuzz}\" normalize \"$1\" -o \"$2\"\n''', \"sh\", \"{{in}}\", \"{{out}}\"]\n\
         [output]\nformat = \"png\"\n{more}"
    );
    fs::write(folder.join("mine.toml"), toml).unwrap();
}

fn night(folder: &Path) -> Ran {
    repfuzz!("nightly", folder.join("nightly.toml"))
}

/// Runs `--report-only`; it must run nothing: there is no client any more.
fn again(folder: &Path) -> Ran {
    repfuzz!("nightly", folder.join("nightly.toml"), "--report-only")
}

/// The reports of the night as text.
fn reports(folder: &Path) -> BTreeMap<&'static str, String> {
    let names = ["summary.txt", "junit.xml", "results.sarif", "nightly.html", "history.html"];
    let read = |name| (name, fs::read_to_string(folder.join("nightly-report").join(name)).unwrap());
    names.map(read).into()
}

#[test]
fn the_last_report_is_written_again_any_number_of_times() {
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    let first = night(folder);
    assert!(first.stdout.contains(": 1 new, 0 worse,"), "{} {}", first.stdout, first.stderr);
    let (store, told) = (fs::read(folder.join("nightly.sqlite")).unwrap(), reports(folder));
    fs::remove_file(folder.join("mine.toml")).unwrap();
    for _ in 0..2 {
        fs::remove_dir_all(folder.join("nightly-report")).unwrap();
        let ran = again(folder);
        assert_eq!((ran.code, ran.stdout.as_str()), (1, first.stdout.as_str()), "{}", ran.stderr);
        assert_eq!(reports(folder), told);
        assert!(folder.join("nightly-report/new/01-mine-refused.tif").is_file());
    }
    assert_eq!(fs::read(folder.join("nightly.sqlite")).unwrap(), store, "the store has changed");
    // The gate is that of the command line.
    let config = folder.join("nightly.toml");
    let ran = repfuzz!("nightly", &config, "--report-only", "--fail-on=nothing");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn a_part_is_reported_alone_without_harm() {
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    let config = folder.join("nightly.toml");
    let parts = ["1/2", "2/2"].map(|part| {
        let store = folder.join(part.replace('/', "-of-"));
        let ran = repfuzz!("nightly", &config, "--shard", part, "--store", &store);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        store
    });
    for part in &parts {
        let before = fs::read(part).unwrap();
        let ran = repfuzz!("nightly", &config, "--report-only", "--store", part);
        assert_eq!(ran.code, 1, "{} {}", ran.stdout, ran.stderr);
        assert!(
            ran.stderr.contains("is missing or unfinished; nothing is recorded"),
            "{}",
            ran.stderr
        );
        assert!(ran.stdout.contains("coverage: 1 of 2 seeds run;"), "{}", ran.stdout);
        assert_eq!(fs::read(part).unwrap(), before, "the part has changed");
    }
    let whole = folder.join("nightly.sqlite");
    assert_eq!(repfuzz!("merge", &parts[0], &parts[1], "-o", &whole).fine(), "");
    let first = again(folder);
    assert!(first.stdout.contains(": 1 new, 0 worse,"), "{} {}", first.stdout, first.stderr);
    let ran = again(folder);
    assert_eq!((ran.code, &ran.stdout), (first.code, &first.stdout), "{}", ran.stderr);
}

#[test]
fn a_store_without_a_night_has_no_report() {
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    assert!(again(folder).error().contains("nightly.sqlite: No such file"));
    let store = folder.join("fuzzed.sqlite");
    let seed = folder.join("tiny.tif");
    let report = folder.join("report");
    repfuzz!("fuzz", seed, "--clients=rust-tiff", "-n2", "--report", report, "--store", &store);
    let ran = repfuzz!("nightly", folder.join("nightly.toml"), "--report-only", "--store", &store);
    assert!(ran.error().contains("it has no report of a night"), "{}", ran.stderr);
}

#[test]
fn a_store_on_a_read_only_volume_is_reported() {
    if !installed("bwrap") {
        return;
    }
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    let first = night(folder);
    let volume = folder.join("volume");
    fs::create_dir(&volume).unwrap();
    let config = folder.join("nightly.toml");
    let one = repfuzz!("nightly", &config, "--shard", "1/2", "--store", volume.join("one.sqlite"));
    assert_eq!(one.code, 0, "{}", one.stderr);
    fs::copy(folder.join("nightly.sqlite"), volume.join("nights.sqlite")).unwrap();
    let read_only = |args: &[&str]| {
        let mut command = Command::new("bwrap");
        command.args(["--dev-bind", "/", "/", "--ro-bind"]).args([&volume, &volume]);
        command.arg(assert_cmd::cargo::cargo_bin!("repfuzz")).args(args).env("NO_COLOR", "1");
        ran(&mut command)
    };
    let config = config.to_str().unwrap();
    let store = volume.join("nights.sqlite").display().to_string();
    let works = Command::new("bwrap").args(["--dev-bind", "/", "/", "true"]).output();
    if !works.is_ok_and(|output| output.status.success()) {
        return skipped("no namespaces");
    }
    for _ in 0..2 {
        let ran = read_only(&["nightly", config, "--report-only", "--store", &store]);
        assert_eq!((ran.code, &ran.stdout), (first.code, &first.stdout), "{}", ran.stderr);
    }
    let report = folder.join("report").display().to_string();
    let ran = read_only(&["report", &store, "-o", &report]);
    assert!(ran.code < 2, "{}", ran.stderr);
    let one = volume.join("one.sqlite").display().to_string();
    let ran = read_only(&["nightly", config, "--report-only", "--store", &one]);
    assert!(ran.stderr.contains("nothing is recorded"), "{} {}", ran.code, ran.stderr);
}

#[test]
fn an_empty_store_and_one_that_was_cut_off_are_no_first_night() {
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    night(folder);
    let store = folder.join("nightly.sqlite");
    let whole = fs::read(&store).unwrap();
    for (length, line) in [(0, "the file is empty"), (whole.len() - 1, "its file was cut off")] {
        fs::write(&store, &whole[..length]).unwrap();
        for options in [&[][..], &["--report-only"], &["--accept"]] {
            let config = folder.join("nightly.toml");
            let mut command = Command::new(assert_cmd::cargo::cargo_bin!("repfuzz"));
            let ran = ran(command.arg("nightly").arg(config).args(options).env("NO_COLOR", "1"));
            assert!(ran.error().contains(line), "{options:?}: {}", ran.stderr);
        }
    }
    fs::write(&store, &whole).unwrap();
    assert!(night(folder).fine().contains(": 0 new, 0 worse, 0 fixed, 1 known"));
}

#[test]
fn a_version_that_cannot_be_asked_is_told_and_is_no_version() {
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    let version = |command: &str| {
        let more =
            format!("[limits]\ntime_s = 10\n[version]\ncommand = [\"sh\", \"-c\", '{command}']\n");
        client(folder, "XX", &more);
    };
    version("echo mine 1.0");
    night(folder).fine();
    for (command, why) in [
        (
            "echo cannot load libmine.so.7 >&2; exit 1",
            "its command fails: cannot load libmine.so.7",
        ),
        ("echo mine 2.0; kill -SEGV $$", "its command crashes: SIGSEGV"),
        ("true", "its command prints none"),
        ("sleep 60", "its command does not finish"),
    ] {
        version(command);
        let ran = night(folder);
        let line = format!("; changed: mine, version unknown: {why}");
        assert!(ran.fine().contains(&line), "{line}\n{}", ran.stdout);
        assert!(ran.stdout.contains("(last known: mine 1.0)"), "{}", ran.stdout);
    }
    version("echo mine 1.0");
    assert!(!night(folder).fine().contains("changed"));
    version("echo mine 1.1");
    assert!(night(folder).fine().contains("; changed: mine from mine 1.0 to mine 1.1"));
}

#[test]
fn a_night_that_starts_during_another_leaves_its_reports_alone() {
    let folder = folder();
    let folder = folder.path();
    configure(folder);
    night(folder);
    let told = reports(folder);
    let mut second = Command::new("flock");
    second.arg(folder.join("nightly.sqlite-lock"));
    second.arg(assert_cmd::cargo::cargo_bin!("repfuzz"));
    let second = ran(second.arg("nightly").arg(folder.join("nightly.toml")));
    assert!(second.error().contains("in use by another repfuzz"), "{}", second.stderr);
    assert_eq!(reports(folder), told);
}
