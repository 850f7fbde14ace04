//! `nightly`: known findings that get worse, and those that only change their form.

use std::fs;
use std::path::Path;

use crate::{Ran, folder, repfuzz, seed};

/// TIFF's values of Compression, in either byte order, as `case` patterns over a hexadecimal dump.
const LZW: &str = "*030103000100000005000000*|*010300030000000100050000*";
const PACK_BITS: &str = "*030103000100000005800000*|*010300030000000180050000*";

/// A client that runs the shell command `deed` on files that match `pattern`.
fn client(folder: &Path, pattern: &str, deed: &str) {
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let toml = format!(
        "name = \"mine\"\nsummary = \"a test\"\ndecoder = \"own\"\napplies = [\"orientation\"]\n\
         [run]\ncommand = [\"sh\", \"-c\", '''\n\
         case $(od -An -tx1 -v \"$1\" | tr -d \" \\n\") in {pattern}) {deed};; esac\n\
         exec \"{repfuzz}\" normalize \"$1\" -o \"$2\"\n''', \"sh\", \"{{in}}\", \"{{out}}\"]\n\
         [output]\nformat = \"png\"\n"
    );
    fs::write(folder.join("mine.toml"), toml).unwrap();
}

fn night(folder: &Path) -> Ran {
    fs::copy(seed("tiny.tif"), folder.join("tiny.tif")).unwrap();
    let config = "seeds = ['*.tif']\nclients = ['mine']\ndescribe = ['mine.toml']\nvariants = 12\n\
                  number = 3\nvary = ['compression']\n";
    fs::write(folder.join("nightly.toml"), config).unwrap();
    repfuzz!("nightly", folder.join("nightly.toml"))
}

/// Asserts the counts in the first line, and the exit code.
fn told(ran: &Ran, code: i32, counts: &str) {
    let line = ran.stdout.lines().next().unwrap_or_default();
    assert!(
        line.contains(counts) && ran.code == code,
        "{} {}\n{}",
        ran.code,
        ran.stderr,
        ran.stdout
    );
}

#[test]
fn another_value_a_message_and_an_outcome_are_worse_once() {
    let folder = folder();
    let folder = folder.path();
    client(folder, LZW, "echo no such code >&2; exit 3");
    told(&night(folder), 1, ": 1 new, 0 worse, 0 fixed, 0 known");
    told(&night(folder), 0, ": 0 new, 0 worse, 0 fixed, 1 known");

    // PackBits as well, which it read before, and which is in baseline files.
    let both = format!("{LZW}|{PACK_BITS}");
    client(folder, &both, "echo no such code >&2; exit 3");
    let ran = night(folder);
    told(&ran, 1, ": 0 new, 1 worse, 0 fixed, 0 known");
    let lines = [
        "WORSE",
        "now also with compression = PackBits, which was read on 20",
        "of class baseline",
    ];
    for line in lines {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.stdout);
    }
    let report = folder.join("nightly-report");
    assert!(report.join("worse/01-mine-refused.tif").is_file());
    let read = |name: &str| fs::read_to_string(report.join(name)).unwrap();
    assert!(read("junit.xml").contains("now also with compression = PackBits"));
    assert!(read("results.sarif").contains("\"baselineState\": \"updated\""));
    assert!(read("nightly.html").contains("<h2>Worse</h2>"));
    assert!(read("summary.txt").contains("WORSE"));
    told(&night(folder), 0, ": 0 new, 0 worse, 0 fixed, 1 known");

    // Another message.
    client(folder, &both, "echo out of memory >&2; exit 3");
    let ran = night(folder);
    told(&ran, 1, ": 0 new, 1 worse, 0 fixed, 0 known");
    let line = "another message on the same file: \"out of memory\", before \"no such code\"";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    told(&night(folder), 0, ": 0 new, 0 worse, 0 fixed, 1 known");

    // Another outcome.
    client(folder, &both, "kill -SEGV $$");
    let ran = night(folder);
    told(&ran, 1, ": 0 new, 1 worse, 0 fixed,");
    assert!(ran.stdout.contains("the outcome was refused and is now crash"), "{}", ran.stdout);
    let ran = night(folder);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
}

#[test]
fn another_crash_stack_is_worse() {
    let folder = folder();
    let folder = folder.path();
    let crash = |name: &str| format!("printf \"#0 0x7f in {name} a.c:3\\\\n\" >&2; kill -SEGV $$");
    client(folder, LZW, &crash("get_tile"));
    told(&night(folder), 1, ": 1 new,");
    client(folder, LZW, &crash("read_row"));
    let ran = night(folder);
    told(&ran, 1, ": 0 new, 1 worse,");
    assert!(
        ran.stdout.contains("in read_row") && ran.stdout.contains("in get_tile"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_gate_that_is_left_open_fails_no_night() {
    let folder = folder();
    let folder = folder.path();
    client(folder, LZW, "exit 3");
    night(folder);
    client(folder, LZW, "kill -SEGV $$");
    let config = folder.join("nightly.toml");
    let ran = repfuzz!("nightly", &config, "--fail-on", "new,coverage");
    told(&ran, 0, ": 0 new, 1 worse,");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, format!("{text}fail_on = ['nothing']\n")).unwrap();
    client(folder, "*", "kill -SEGV $$");
    assert_eq!(repfuzz!("nightly", &config, "--fail-on", "coverage").code, 2, "no client is left");
    fs::write(&config, format!("{text}fail_on = ['wrong']\n")).unwrap();
    assert!(repfuzz!("nightly", &config).error().contains("unknown variant `wrong`"));
}

#[test]
fn acceptance_ends_with_the_version() {
    let folder = folder();
    let folder = folder.path();
    let versioned = |version: &str| {
        client(folder, LZW, "exit 3");
        let path = folder.join("mine.toml");
        let text = fs::read_to_string(&path).unwrap();
        let command = format!("[version]\ncommand = [\"echo\", \"{version}\"]\n");
        fs::write(&path, format!("{text}{command}")).unwrap();
    };
    versioned("mine 1.0");
    told(&night(folder), 1, ": 1 new,");
    let config = folder.join("nightly.toml");
    let ran = repfuzz!("nightly", &config, "--accept", "--this-version", "--reason=bug 7");
    assert!(ran.fine().contains("1 finding accepted"), "{}", ran.stdout);
    let ran = night(folder);
    told(&ran, 0, ": 0 new, 0 worse, 0 fixed, 1 known (1 accepted)");
    assert!(ran.stdout.contains("accepted for version \"mine 1.0\": bug 7"), "{}", ran.stdout);
    versioned("mine 2.0");
    let ran = night(folder);
    told(&ran, 1, ": 1 new,");
    let line = "accepted only for version \"mine 1.0\", and it is \"mine 2.0\" now";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    assert!(ran.stdout.contains("changed: mine from mine 1.0 to mine 2.0"), "{}", ran.stdout);
}

#[test]
fn a_value_that_was_read_again_and_is_broken_again_is_worse() {
    let folder = folder();
    let folder = folder.path();
    let (one, both) = (LZW.to_owned(), format!("{LZW}|{PACK_BITS}"));
    for (night_number, (pattern, code, counts)) in [
        (&one, 1, ": 1 new, 0 worse, 0 fixed, 0 known"),
        (&both, 1, ": 0 new, 1 worse, 0 fixed, 0 known"),
        (&one, 0, ": 0 new, 0 worse, 0 fixed, 1 known"),
        (&both, 1, ": 0 new, 1 worse, 0 fixed, 0 known"),
        (&both, 0, ": 0 new, 0 worse, 0 fixed, 1 known"),
    ]
    .into_iter()
    .enumerate()
    {
        client(folder, pattern, "echo no such code >&2; exit 3");
        let ran = night(folder);
        told(&ran, code, counts);
        let again = ran.stdout.contains("again with compression = PackBits on ");
        assert_eq!(again, night_number == 3, "{}", ran.stdout);
    }
}

#[test]
fn a_crash_that_became_a_refusal_and_is_a_crash_again_is_told() {
    let folder = folder();
    let folder = folder.path();
    let (refuses, crashes) = ("echo no such code >&2; exit 3", "kill -SEGV $$");
    for (deed, code, counts) in [
        (refuses, 1, ": 1 new, 0 worse, 0 fixed, 0 known"),
        (crashes, 1, ": 0 new, 1 worse, 0 fixed, 0 known"),
        (refuses, 0, ": 0 new, 0 worse, 1 fixed, 1 known"),
        (refuses, 0, ": 0 new, 0 worse, 0 fixed, 1 known"),
        (crashes, 1, ": 1 new, 0 worse, 0 fixed, 0 known"),
        (crashes, 0, ": 0 new, 0 worse, 0 fixed, 1 known"),
    ] {
        client(folder, LZW, deed);
        told(&night(folder), code, counts);
    }
}

/// Deflate in big-endian files only.
const BIG_DEFLATE: &str = "4d4d*010300030000000100080000*";

#[test]
fn what_was_read_is_new_though_it_resembles_what_is_known() {
    let folder = folder();
    let folder = folder.path();
    fs::copy(seed("tiny.tif"), folder.join("tiny.tif")).unwrap();
    // Other files each night.
    let night = |number: usize| {
        let config = format!(
            "seeds = ['*.tif']\nclients = ['mine']\ndescribe = ['mine.toml']\nvariants = 60\n\
             number = {number}\nvary = ['compression', 'byte order']\n"
        );
        fs::write(folder.join("nightly.toml"), config).unwrap();
        repfuzz!("nightly", folder.join("nightly.toml"))
    };
    client(folder, LZW, "echo no such code >&2; exit 3");
    told(&night(1), 1, ": 1 new, 0 worse, 0 fixed, 0 known");
    client(folder, &format!("{LZW}|{BIG_DEFLATE}"), "echo no such code >&2; exit 3");
    let ran = night(2);
    told(&ran, 1, ": 1 new, 0 worse, 0 fixed, 1 known");
    assert!(ran.stdout.contains("byte order = MM") && ran.stdout.contains(" was read on 20"));
    told(&night(3), 0, ": 0 new, 0 worse, 0 fixed, 2 known");
}

/// A night that varies these dimensions, and fails for these results.
fn night_of(folder: &Path, vary: &str, fail_on: &str) -> Ran {
    fs::copy(seed("tiny.tif"), folder.join("tiny.tif")).unwrap();
    let config = format!(
        "seeds = ['*.tif']\nclients = ['mine']\ndescribe = ['mine.toml']\nvariants = 12\nnumber = 3\n\
         vary = ['{vary}']\n"
    );
    fs::write(folder.join("nightly.toml"), config).unwrap();
    repfuzz!("nightly", folder.join("nightly.toml"), "--fail-on", fail_on)
}

#[test]
fn an_unchanged_program_has_no_new_findings_after_two_nights() {
    let folder = folder();
    let folder = folder.path();
    let big_endian = "4d4d*";
    client(folder, big_endian, "echo no >&2; exit 3");
    told(&night_of(folder, "compression", "new,worse"), 0, ": 0 new, 0 worse, 0 fixed, 0 known");
    // What the first night missed may have come with the program.
    let store = folder.join("nightly.sqlite");
    let first = fs::read(&store).unwrap();
    told(&night_of(folder, "byte order", "new,worse"), 1, ": 1 new, 0 worse,");
    fs::write(&store, &first).unwrap();
    told(&night_of(folder, "compression", "new,worse"), 0, ": 0 new, 0 worse, 0 fixed, 0 known");
    let second = fs::read(&store).unwrap();
    let ran = night_of(folder, "byte order", "new,worse");
    let counts = ": 0 new, 0 worse, 0 fixed, 0 known, 1 found with unchanged programs";
    told(&ran, 0, counts);
    assert!(
        ran.stdout.contains("FOUND, WITH UNCHANGED PROGRAMS\n  mine: refused, byte order = MM")
    );
    let report = folder.join("nightly-report");
    assert!(report.join("found/01-mine-refused.tif").is_file());
    let read = |name: &str| fs::read_to_string(report.join(name)).unwrap();
    assert!(read("results.sarif").contains("\"baselineState\": \"unchanged\""));
    assert!(read("nightly.html").contains("<h2>Found, with unchanged programs</h2>"));
    let config = folder.join("nightly.toml");
    told(&repfuzz!("nightly", &config, "--report-only", "--fail-on=found"), 1, counts);
    told(&night_of(folder, "byte order", "found"), 0, ": 0 new, 0 worse, 0 fixed, 1 known");
    // Another program: the same finding is new.
    fs::write(&store, &second).unwrap();
    client(folder, big_endian, "echo cannot >&2; exit 3");
    told(&night_of(folder, "byte order", "new,worse"), 1, ": 1 new, 0 worse,");
}

#[test]
fn a_file_that_was_read_and_fails_is_new_though_the_program_is_unchanged() {
    let folder = folder();
    let folder = folder.path();
    // A part of the program that its command does not name.
    let part = folder.join("part");
    fs::write(&part, "exit 0").unwrap();
    let deed = format!("D={}; sh \"$D/part\" || exit 3", folder.display());
    client(folder, "4d4d*", &deed);
    for _ in 0..3 {
        told(&night_of(folder, "byte order", "new,worse"), 0, ": 0 new, 0 worse, 0 fixed, 0 known");
    }
    fs::write(&part, "exit 1").unwrap();
    let ran = night_of(folder, "byte order", "new,worse");
    told(&ran, 1, ": 1 new, 0 worse,");
    assert!(ran.stdout.contains("byte order = MM was read on 20"), "{}", ran.stdout);
}
