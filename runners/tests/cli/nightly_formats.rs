//! `nightly` on seeds of several formats: TIFF and BMP, which are recognized, and one that a spec of one's own describes.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{Ran, file, folder, program, repfuzz, seed};

/// A client called `name` that reads files with these extensions. It runs the shell command `deed` first, which may refuse.
fn client(folder: &Path, name: &str, formats: &str, deed: &str) {
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let toml = format!(
        "name = \"{name}\"\nsummary = \"a test\"\ndecoder = \"own\"\nformats = [{formats}]\n\
         [run]\ncommand = [\"sh\", \"-c\", '''\n{deed}\n\
         exec \"{repfuzz}\" normalize \"$1\" -o \"$2\"\n''', \"sh\", \"{{in}}\", \"{{out}}\"]\n\
         [output]\nformat = \"png\"\n"
    );
    fs::write(folder.join(format!("{name}.toml")), toml).unwrap();
}

/// Refuses a BMP file whose pixels do not follow its header of 54 bytes.
const BMP: &str = "case $1 in *.bmp) [ $(od -An -tu1 -j10 -N1 \"$1\") -eq 54 ] || { echo no >&2; exit 3; };; esac";

/// Refuses a big-endian TIFF file.
const MM: &str = "case $(head -c 2 \"$1\") in MM) echo no >&2; exit 3;; esac";

/// Refuses a file of the format of `repfuzz new` whose picture does not follow its header of 16 bytes.
const MINE: &str =
    "    if struct.unpack_from(\"<I\", data, 4)[0] != 16:\n        sys.exit(\"no such place\")\n";

/// The configuration of a night of three formats: `both` reads two of them, `tiff` one, and `mine-reader` that of the spec.
fn configure(folder: &Path, more: &str) {
    fs::copy(seed("tiny.tif"), folder.join("tiny.tif")).unwrap();
    fs::copy(file("corpus/bmp/gm24.bmp"), folder.join("gm24.bmp")).unwrap();
    repfuzz!("new", "mine", "-o", folder).fine();
    client(folder, "both", "'tif', 'bmp'", "");
    client(folder, "tiff", "'tif'", "");
    let config = format!(
        "seeds = ['*.tif', '*.bmp']\nclients = ['both', 'tiff', 'mine-reader']\n\
         describe = ['both.toml', 'tiff.toml', 'mine-client.toml']\nvariants = 20\nnumber = 3\n{more}\n\
         [[format]]\nseeds = ['seed.mine']\nspec = 'mine.rs'\n"
    );
    fs::write(folder.join("nightly.toml"), config).unwrap();
}

/// Adds a fault to the reader of the own format.
fn break_mine(folder: &Path) {
    let path = folder.join("read-mine.py");
    let text = fs::read_to_string(&path).unwrap();
    let line = "    place, width, height, pitch";
    assert!(text.contains(line));
    fs::write(&path, text.replace(line, &format!("{MINE}{line}"))).unwrap();
}

fn night(folder: &Path) -> Ran {
    repfuzz!("nightly", folder.join("nightly.toml"))
}

fn results(folder: &Path) -> Vec<Value> {
    let sarif = fs::read_to_string(folder.join("nightly-report/results.sarif")).unwrap();
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    sarif["runs"][0]["results"].as_array().unwrap().clone()
}

#[test]
fn findings_of_each_format_are_new_known_accepted_fixed_and_worse() {
    let folder = folder();
    let folder = folder.path();
    configure(folder, "");
    let config = fs::read_to_string(folder.join("nightly.toml")).unwrap();
    fs::write(folder.join("nightly.toml"), config.replace("variants = 20", "variants = 40"))
        .unwrap();
    let ran = night(folder);
    assert!(ran.fine().contains(": 0 new, 0 worse, 0 fixed, 0 known"), "{}", ran.stdout);
    // One client reads two formats, and each seed is read by those that read its format.
    let line = "coverage: 3 of 3 seeds run; 4 pairs of client and seed read;";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    for row in ["both             2 of 3", "mine-reader      ", "tiff             1 of 3"] {
        let words: Vec<&str> = row.split_whitespace().collect();
        let has = |line: &str| line.split_whitespace().take(words.len()).eq(words.iter().copied());
        assert!(ran.stdout.lines().any(has), "{row}\n{}", ran.stdout);
    }

    // Faults appear in two formats.
    client(folder, "both", "'tif', 'bmp'", BMP);
    break_mine(folder);
    let ran = night(folder);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert!(ran.stdout.contains(" (bmp)\n      new/"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  mine-reader: refused, "), "{}", ran.stdout);
    assert!(ran.stdout.contains(" (mine.rs)\n      new/"), "{}", ran.stdout);
    let found = results(folder);
    let of = |format: &str| {
        let has = |result: &&Value| result["properties"]["format"] == format;
        found.iter().filter(has).all(|result| result["baselineState"] == "new")
            && found.iter().any(|result| result["properties"]["format"] == format)
    };
    assert!(of("bmp") && of("mine.rs"), "{found:?}");
    let junit = fs::read_to_string(folder.join("nightly-report/junit.xml")).unwrap();
    assert!(junit.contains(" (bmp)\" classname=\"both\""), "{junit}");
    // Their examples have the extensions of their seeds, and mean the same.
    let mine = folder.join("nightly-report/new");
    let names: Vec<String> = fs::read_dir(&mine)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(names.iter().any(|name| name.ends_with("-both-refused.bmp")), "{names:?}");
    assert!(names.iter().any(|name| name.ends_with("-mine-reader-refused.mine")), "{names:?}");

    // They are known, and accepted with their formats.
    let ran = night(folder);
    assert!(ran.fine().contains(": 0 new, 0 worse, 0 fixed,"), "{}", ran.stdout);
    repfuzz!("nightly", folder.join("nightly.toml"), "--accept", "--reason=known").fine();
    let accepted = fs::read_to_string(folder.join("repfuzz-accepted.toml")).unwrap();
    assert!(accepted.contains("format = \"bmp\"") && accepted.contains("format = \"mine.rs\""));
    assert!(night(folder).fine().contains(" accepted)"));

    // One format is mended, and the client gets worse in another: it read big-endian TIFF files before.
    client(folder, "both", "'tif', 'bmp'", MM);
    let ran = night(folder);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let (first, rest) = ran.stdout.split_once('\n').unwrap();
    assert!(!first.contains(" 0 fixed"), "{first}");
    assert!(rest.contains("  both: refused, byte order = MM\n"), "{rest}");
    let fixed = rest.split("FIXED\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert!(
        fixed.lines().all(|line| line.contains("both: ") && line.contains(" (bmp) ")),
        "{fixed}"
    );
}

#[test]
fn dimensions_of_one_name_in_two_formats_are_two_findings() {
    let folder = folder();
    let folder = folder.path();
    configure(folder, "");
    // Two formats of one text: all names of dimensions are the same.
    for (from, to) in [("mine.rs", "other.rs"), ("seed.mine", "seed.other")] {
        fs::copy(folder.join(from), folder.join(to)).unwrap();
    }
    let client = fs::read_to_string(folder.join("mine-client.toml")).unwrap();
    let client = client.replace("formats = [\"mine\"]", "formats = [\"mine\", \"other\"]");
    fs::write(folder.join("mine-client.toml"), client).unwrap();
    let config = "clients = ['mine-reader']\ndescribe = ['mine-client.toml']\nvariants = 20\nnumber = 3\n\
                  [[format]]\nseeds = ['seed.mine']\nspec = 'mine.rs'\n";
    fs::write(folder.join("nightly.toml"), config).unwrap();
    break_mine(folder);
    let ran = night(folder);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    repfuzz!("nightly", folder.join("nightly.toml"), "--accept", "--reason=known").fine();
    // An acceptance covers one format: the same fault in another one is reported as new.
    let other = "[[format]]\nseeds = ['seed.other']\nspec = 'other.rs'\n";
    fs::write(folder.join("nightly.toml"), format!("{config}{other}")).unwrap();
    let ran = night(folder);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(!ran.stdout.lines().next().unwrap().contains(": 0 new"), "{}", ran.stdout);
    let new = ran.stdout.split("NEW\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert!(new.contains(" (other.rs)\n") && !new.contains(" (mine.rs)\n"), "{new}");
    // A spec with another text is another night, and its findings are those of the same format.
    let spec = fs::read_to_string(folder.join("other.rs")).unwrap();
    fs::write(folder.join("other.rs"), format!("{spec}// Another text.\n")).unwrap();
    let ran = night(folder);
    assert!(ran.fine().contains(": 0 new, 0 worse, 0 fixed,"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("found with unchanged"), "{}", ran.stdout);
}

#[test]
fn what_is_not_read_is_lost_for_its_format_alone() {
    let folder = folder();
    let folder = folder.path();
    configure(folder, "");
    night(folder).fine();
    // It crashes on the plain TIFF file, and reads BMP as before.
    client(folder, "both", "'tif', 'bmp'", "case $1 in *.tif) kill -SEGV $$;; esac");
    let ran = night(folder);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let lost = "both: tiny.tif not read: client both cannot be used here: crashes on a plain picture: SIGSEGV";
    assert!(ran.stdout.contains(lost), "{}", ran.stdout);
    assert!(ran.stdout.contains(": 0 new, 1 worse, 0 fixed, 0 known"), "{}", ran.stdout);
    let line = "coverage: 3 of 3 seeds run; 3 pairs of client and seed read (4 in the last night);";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);

    // A client that reads none of the formats, a seed that no client reads, and one whose format is not known.
    client(folder, "both", "'png'", "");
    fs::write(folder.join("text.txt"), "no picture").unwrap();
    let config = fs::read_to_string(folder.join("nightly.toml")).unwrap();
    fs::write(folder.join("nightly.toml"), config.replace("'*.bmp']", "'*.bmp', '*.txt']"))
        .unwrap();
    let ran = night(folder);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    for lost in [
        "both: client both reads none of the seeds: its description has formats = [\"png\"], and seeds end in \
         .tif, .bmp, .mine; it read 2 seeds before",
        "gm24.bmp: no client that works here reads .bmp files",
        "text.txt: its format is not recognized (`repfuzz formats` lists those that are): name it in a table \
         [[format]] of the configuration",
    ] {
        assert!(ran.stdout.contains(lost), "{lost}\n{}", ran.stdout);
    }
    assert!(ran.stdout.contains("coverage: 2 of 4 seeds run;"), "{}", ran.stdout);
}

#[test]
fn wrong_tables_are_errors_in_one_line() {
    let folder = folder();
    let folder = folder.path();
    configure(folder, "");
    let good = fs::read_to_string(folder.join("nightly.toml")).unwrap();
    let error = |text: &str| {
        fs::write(folder.join("nightly.toml"), text).unwrap();
        night(folder).error().to_owned()
    };
    let why = error(&good.replace("spec = 'mine.rs'", "name = 'jpeg'"));
    assert!(why.contains("no format \"jpeg\" ships; these do: tiff, aiff,"), "{why}");
    let why = error(&good.replace("spec =", "specs ="));
    assert!(why.contains("nightly.toml: line 9: unknown field `specs`"), "{why}");
    fs::create_dir(folder.join("b")).unwrap();
    let spec = fs::read_to_string(folder.join("mine.rs")).unwrap();
    fs::write(folder.join("b/mine.rs"), format!("{spec}// Another one.\n")).unwrap();
    fs::copy(folder.join("seed.mine"), folder.join("b/seed.mine")).unwrap();
    let why = error(&format!("{good}[[format]]\nseeds = ['b/seed.mine']\nspec = 'b/mine.rs'\n"));
    assert!(why.contains("two specs are called mine.rs"), "{why}");
    // The errors of a spec are shown before that of the night.
    fs::write(folder.join("mine.rs"), "fn normalize() {}").unwrap();
    fs::write(folder.join("nightly.toml"), &good).unwrap();
    let ran = night(folder);
    assert_eq!(ran.code, 2);
    let last = ran.stderr.lines().last().unwrap();
    assert!(last.ends_with("mine.rs cannot be used") && last.contains("[[format]] 1"), "{last}");
}

#[test]
fn a_night_that_was_killed_goes_on_in_each_format() {
    let folder = folder();
    let folder = folder.path();
    configure(folder, "jobs = 1");
    for name in ["both", "tiff"] {
        let formats = if name == "both" { "'tif', 'bmp'" } else { "'tif'" };
        client(folder, name, formats, &format!("sleep 0.02\n{BMP}"));
    }
    break_mine(folder);
    let config = folder.join("nightly.toml");
    let whole = repfuzz!("nightly", &config, "--store", folder.join("whole.sqlite"));
    assert_eq!(whole.code, 1, "{}", whole.stderr);
    let finished = |finished: i64| {
        let count = || -> rusqlite::Result<i64> {
            // It is not created here: an empty file is no store.
            let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
            let conn = rusqlite::Connection::open_with_flags(folder.join("nightly.sqlite"), flags)?;
            let count = "SELECT count(*) FROM run WHERE state = 'finished'";
            conn.query_row(count, [], |row| row.get(0))
        };
        count().unwrap_or(0) >= finished
    };
    // After the first seed, and after the second.
    for seeds in [1, 2] {
        let mut night = program().arg("nightly").arg(&config).spawn().unwrap();
        let begun = Instant::now();
        while !finished(seeds) {
            assert!(begun.elapsed() < Duration::from_secs(300), "no seed is finished");
            assert!(night.try_wait().unwrap().is_none(), "it ends before it is killed");
            std::thread::sleep(Duration::from_millis(2));
        }
        night.kill().unwrap();
        night.wait().unwrap();
    }
    let ran = repfuzz!("nightly", &config);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("already finished; using the results in the store"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stdout, whole.stdout);
}

#[test]
fn parts_of_a_night_of_several_formats_come_to_the_same() {
    let folder = folder();
    let folder = folder.path();
    configure(folder, "");
    client(folder, "both", "'tif', 'bmp'", BMP);
    break_mine(folder);
    let config = folder.join("nightly.toml");
    let whole = repfuzz!("nightly", &config, "--store", folder.join("whole.sqlite"));
    assert_eq!(whole.code, 1, "{}", whole.stderr);
    let parts = ["1/2", "2/2"].map(|part| {
        let store = folder.join(part.replace('/', "-of-"));
        let ran = repfuzz!("nightly", &config, "--shard", part, "--store", &store);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
        store
    });
    repfuzz!("merge", &parts[0], &parts[1], "-o", folder.join("nightly.sqlite")).fine();
    let ran = repfuzz!("nightly", &config, "--report-only");
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert_eq!(ran.stdout, whole.stdout);
    // Costs of pairs are known now: the parts of the next night have the same pairs.
    let parts = ["1/2", "2/2"].map(|part| {
        let store = folder.join(format!("next-{}", part.replace('/', "-of-")));
        let ran = repfuzz!("nightly", &config, "--shard", part, "--store", &store);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
        store
    });
    repfuzz!("merge", &parts[0], &parts[1], "-o", folder.join("nightly.sqlite")).fine();
    let ran = repfuzz!("nightly", &config, "--report-only");
    let line = "coverage: 3 of 3 seeds run; 4 pairs of client and seed read (4 in the last night);";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
}

#[test]
fn a_cause_in_another_format_is_accepted_for_that_format() {
    let folder = folder();
    let folder = folder.path();
    configure(folder, "");
    break_mine(folder);
    let (report, accepted) = (folder.join("out"), folder.join("repfuzz-accepted.toml"));
    let fuzz = || {
        repfuzz!(
            "fuzz",
            folder.join("seed.mine"),
            "--format",
            folder.join("mine.rs"),
            "--describe",
            folder.join("mine-client.toml"),
            "--clients=mine-reader",
            "-n20",
            "--report",
            &report,
            "--accepted",
            &accepted,
            "--fresh"
        )
    };
    assert_eq!(fuzz().code, 1);
    let count = fs::read_to_string(report.join("results.jsonl")).unwrap();
    let count = count.lines().filter(|line| line.contains("\"record\":\"cause\"")).count();
    assert!(count > 0);
    for number in 1..=count {
        let number = number.to_string();
        let ran = repfuzz!("accept", &report, number, "--reason=known", "--accepted", &accepted);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    assert!(fs::read_to_string(&accepted).unwrap().contains("format = \"mine.rs\""));
    let ran = fuzz();
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
}
