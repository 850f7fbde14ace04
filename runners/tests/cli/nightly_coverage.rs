//! `nightly`: what is no longer read is told, and fails the night.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Instant;

use assert_cmd::Command;
use clients::probe;

use crate::{Ran, folder, installed, ran, repfuzz, seed, skipped};

/// A client called `name` that runs the shell command `deed` first.
fn client(folder: &Path, name: &str, deed: &str) {
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let toml = format!(
        "name = \"{name}\"\nsummary = \"a test\"\ndecoder = \"own\"\napplies = [\"orientation\"]\n\
         [run]\ncommand = [\"sh\", \"-c\", '''\n{deed}\n\
         exec \"{repfuzz}\" normalize \"$1\" -o \"$2\"\n''', \"sh\", \"{{in}}\", \"{{out}}\"]\n\
         [output]\nformat = \"png\"\n"
    );
    fs::write(folder.join(format!("{name}.toml")), toml).unwrap();
}

/// Runs `deed` on all files but the one by which repfuzz checks that clients work.
fn on_seeds(deed: &str) -> String {
    format!("[ $(wc -c < \"$1\") -ne {} ] && {deed}", probe::file(1).len())
}

fn configure(folder: &Path, clients: &str, more: &str) {
    for name in ["tiny.tif", "gray.tif"] {
        fs::copy(seed(name), folder.join(name)).unwrap();
    }
    let config = format!(
        "seeds = ['*.tif']\nclients = [{clients}]\ndescribe = ['.']\nvariants = 4\nnumber = 3\n\
         vary = ['byte order']\n{more}"
    );
    // Client descriptions are the other TOML files.
    fs::create_dir_all(folder.join("clients")).unwrap();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "toml") && !path.ends_with("nightly.toml") {
            fs::rename(&path, folder.join("clients").join(entry.file_name())).unwrap();
        }
    }
    let config = config.replace("describe = ['.']", "describe = ['clients']");
    fs::write(folder.join("nightly.toml"), config).unwrap();
}

fn night(folder: &Path) -> Ran {
    repfuzz!("nightly", folder.join("nightly.toml"))
}

fn report(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join("nightly-report").join(name)).unwrap()
}

/// A folder with these clients, which are right, after a night of theirs.
fn after_a_night(names: &[&str]) -> tempfile::TempDir {
    let folder = folder();
    for name in names {
        client(folder.path(), name, "");
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    configure(folder.path(), &quoted.join(", "), "");
    night(folder.path()).fine();
    folder
}

#[test]
fn a_client_that_crashes_on_every_seed_fails_the_night() {
    let folder = folder();
    let folder = folder.path();
    client(folder, "mine", "");
    client(folder, "other", "");
    configure(folder, "'mine', 'other'", "");
    let ran = night(folder);
    let line = "coverage: 2 of 2 seeds run; 4 pairs of client and seed read;";
    assert!(ran.fine().lines().nth(1).unwrap().starts_with(line), "{}", ran.stdout);

    client(folder, "mine", &on_seeds("kill -SEGV $$"));
    configure(folder, "'mine', 'other'", "");
    let ran = night(folder);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let lines = [
        "2 pairs of client and seed read (4 in the last night)",
        "  mine: 2 seeds not read (gray.tif, tiny.tif): crash: SIGSEGV; read on 20",
        "mine             0 of 2      2",
    ];
    for line in lines {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.stdout);
    }
    for name in ["summary.txt", "junit.xml", "results.sarif", "nightly.html"] {
        let text = report(folder, name);
        assert!(
            text.contains("mine: 2 seeds not read (gray.tif, tiny.tif): crash: SIGSEGV"),
            "{text}"
        );
    }
    // It is told every night until it is accepted.
    let ran = repfuzz!("nightly", folder.join("nightly.toml"), "--fail-on=coverage");
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let config = folder.join("nightly.toml");
    let ran = repfuzz!("nightly", &config, "--accept", "--reason=is being mended");
    assert!(ran.fine().contains("and 2 losses of coverage accepted"), "{}", ran.stdout);
    let ran = night(folder);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(ran.stdout.contains("(accepted: is being mended)"), "{}", ran.stdout);
}

#[test]
fn a_client_that_crashes_on_everything_fails_the_night() {
    let folder = after_a_night(&["mine", "other"]);
    let folder = folder.path();
    client(folder, "mine", "kill -SEGV $$");
    configure(folder, "'mine', 'other'", "");
    let ran = night(folder);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let line = "cannot be used here: crashes on a plain picture: SIGSEGV; it read 2 seeds before";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
}

/// The night, failing only for new and worse findings.
fn told_by_findings(folder: &Path) -> Ran {
    repfuzz!("nightly", folder.join("nightly.toml"), "--fail-on=new,worse")
}

#[test]
fn a_client_that_fails_on_everything_is_worse() {
    let folder = after_a_night(&["mine", "other"]);
    let folder = folder.path();
    let refuses = "{ echo no >&2; exit 3; }";
    for deed in ["kill -SEGV $$", refuses, "sleep 600", "exec /no/such/program"] {
        // On the picture by which clients are checked as well, and only on the seeds.
        for deed in [deed.to_owned(), on_seeds(deed)] {
            client(folder, "mine", &deed);
            let description = folder.join("mine.toml");
            let text = fs::read_to_string(&description).unwrap();
            fs::write(&description, format!("{text}[limits]\ntime_s = 2\n")).unwrap();
            configure(folder, "'mine', 'other'", "");
            let ran = told_by_findings(folder);
            assert_eq!(ran.code, 1, "{deed}: {} {}", ran.stdout, ran.stderr);
            assert!(!ran.stdout.contains(" 0 worse,"), "{deed}: {}", ran.stdout);
            assert!(ran.stdout.contains("WORSE\n  mine: "), "{deed}: {}", ran.stdout);
        }
    }
    // A program that is gone.
    let toml = "name = \"mine\"\nsummary = \"a test\"\ndecoder = \"own\"\n\
                [run]\ncommand = [\"{here}/gone\", \"{in}\", \"{out}\"]\n";
    fs::write(folder.join("clients/mine.toml"), toml).unwrap();
    let ran = told_by_findings(folder);
    assert!(ran.code == 1 && ran.stdout.contains(" 1 worse,"), "{} {}", ran.stdout, ran.stderr);
    // Until that is accepted.
    repfuzz!("nightly", folder.join("nightly.toml"), "--accept", "--reason=known").fine();
    let ran = told_by_findings(folder);
    assert!(ran.code == 0 && ran.stdout.contains(" 0 worse,"), "{} {}", ran.stdout, ran.stderr);
}

#[test]
fn a_client_that_never_worked_is_new() {
    let folder = folder();
    let folder = folder.path();
    client(folder, "mine", "kill -SEGV $$");
    client(folder, "other", "");
    configure(folder, "'mine', 'other'", "");
    let ran = told_by_findings(folder);
    assert_eq!(ran.code, 1, "{} {}", ran.stdout, ran.stderr);
    let line = "NEW\n  mine: client mine cannot be used here: crashes on a plain picture: SIGSEGV";
    assert!(
        ran.stdout.contains(": 1 new, 0 worse,") && ran.stdout.contains(line),
        "{}",
        ran.stdout
    );
    assert!(report(folder, "nightly.html").contains("crashes on a plain picture"));
}

#[test]
fn a_broken_client_ends_no_night() {
    let folder = after_a_night(&["mine", "other"]);
    let folder = folder.path();
    // Its description is damaged: the night goes on without it.
    fs::write(folder.join("clients/mine.toml"), "name = 3").unwrap();
    let ran = night(folder);
    assert_eq!(ran.code, 1, "{} {}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("mine.toml"), "{}", ran.stdout);
    assert!(ran.stdout.contains("mine: no client is called \"mine\""), "{}", ran.stdout);
    assert!(ran.stdout.contains("other            2 of 2      2"), "{}", ran.stdout);
}

#[test]
fn no_report_of_yesterday_stays_in_place_of_todays() {
    let folder = after_a_night(&["mine"]);
    let folder = folder.path();
    assert!(report(folder, "summary.txt").contains(": 0 new"));
    fs::remove_dir_all(folder.join("clients")).unwrap();
    let error = night(folder);
    assert!(error.error().contains("clients: No such file"), "{}", error.stderr);
    for name in ["summary.txt", "junit.xml", "results.sarif", "nightly.html"] {
        let text = report(folder, name);
        assert!(text.contains("not finished") && text.contains("No such file"), "{text}");
        assert!(!text.contains("0 new"), "{text}");
    }
}

#[test]
fn seeds_that_cannot_be_run_are_told() {
    let folder = folder();
    let folder = folder.path();
    client(folder, "mine", "");
    configure(folder, "'mine'", "");
    fs::copy(seed("tiny.tif"), folder.join(OsStr::from_bytes(b"\xff.tif"))).unwrap();
    let ran = night(folder);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("\u{fffd}.tif: its name is not UTF-8: rename it"),
        "{}",
        ran.stdout
    );
    fs::remove_file(folder.join(OsStr::from_bytes(b"\xff.tif"))).unwrap();
    // A damaged seed is lost coverage, and the others are run.
    fs::write(folder.join("gray.tif"), "II*\0").unwrap();
    let ran = night(folder);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains("coverage: 1 of 2 seeds run; 1 pair"), "{}", ran.stdout);
    assert!(ran.stdout.contains("LOST COVERAGE\n  gray.tif: "), "{}", ran.stdout);
    // So is one that no client reads.
    client(folder, "mine", &on_seeds("{ echo no >&2; exit 3; }"));
    configure(folder, "'mine'", "");
    fs::write(folder.join("gray.tif"), "II*\0").unwrap();
    let ran = night(folder);
    assert_eq!(ran.code, 1, "{} {}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("mine: tiny.tif not read: refused: no; read on"), "{}", ran.stdout);
    let config = folder.join("nightly.toml");
    assert_eq!(repfuzz!("nightly", &config, "--fail-on=nothing").code, 0);
    fs::remove_file(folder.join("nightly.sqlite")).unwrap();
    let ran = night(folder);
    assert_eq!(ran.code, 1, "{} {}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("tiny.tif: no client read it: mine: refused: no"),
        "{}",
        ran.stdout
    );
    let ran = repfuzz!("nightly", &config, "--accept", "--reason=being mended");
    assert!(ran.fine().contains("and 2 losses of coverage accepted"), "{}", ran.stdout);
    assert_eq!(night(folder).code, 0);
}

#[test]
fn time_is_that_of_the_whole_night() {
    let folder = folder();
    let folder = folder.path();
    // A client that fails in every way, so that reductions would take long.
    client(folder, "mine", "case $(head -c 2 \"$1\") in MM) sleep 0.3; exit 3;; esac");
    configure(folder, "'mine'", "time_s = 6\n");
    let config = fs::read_to_string(folder.join("nightly.toml")).unwrap();
    let config = config.replace("vary = ['byte order']\n", "").replace("variants = 4\n", "");
    fs::write(folder.join("nightly.toml"), config).unwrap();
    let begun = Instant::now();
    let ran = night(folder);
    let took = begun.elapsed();
    assert!(ran.stdout.contains("coverage: "), "{} {}", ran.stdout, ran.stderr);
    // Far more than a run of the client and the reports take, and far less than all reductions.
    assert!(took.as_secs() < 60, "{took:?}");
}

/// Runs a night with a file system of 6 MB for scratch folders, of which `used` bytes are used.
fn night_on_a_small_disk(folder: &Path, used: usize) -> Option<Ran> {
    let scratch = folder.join("scratch");
    fs::create_dir_all(&scratch).unwrap();
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let script = format!(
        "head -c {used} /dev/zero > {0}/used && TMPDIR={0} exec {repfuzz} nightly {1}",
        scratch.display(),
        folder.join("nightly.toml").display()
    );
    let mut command = Command::new("bwrap");
    command.args(["--dev-bind", "/", "/", "--size", "6291456", "--tmpfs"]).arg(&scratch);
    command.args(["sh", "-c", &script]).env("NO_COLOR", "1");
    let works = Command::new("bwrap").args(["--dev-bind", "/", "/", "true"]).output();
    works.is_ok_and(|output| output.status.success()).then(|| ran(&mut command))
}

#[test]
fn a_full_scratch_disk_is_told_and_makes_no_findings() {
    if !installed("bwrap") {
        return;
    }
    let folder = folder();
    let folder = folder.path();
    client(folder, "mine", "");
    configure(folder, "'mine'", "");
    let Some(first) = night_on_a_small_disk(folder, 0) else {
        return skipped("no namespaces");
    };
    assert!(
        first.stdout.contains("2 pairs of client and seed read"),
        "{} {}",
        first.stdout,
        first.stderr
    );
    let full = night_on_a_small_disk(folder, (6 << 20) - (64 << 10)).unwrap();
    assert!(full.code > 0, "{}", full.stdout);
    let told = format!("{}{}", full.stdout, full.stderr);
    assert!(told.contains("is full; make room, or name another folder by TMPDIR"), "{told}");
    assert!(!full.stdout.contains(" new,") || full.stdout.contains(": 0 new, 0 worse"), "{told}");
}
