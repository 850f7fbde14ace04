//! `fuzz`, end to end: correct clients, and small shell scripts with faults.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use clients::probe;
use serde_json::{Value, json};

use crate::{Ran, folder, repfuzz, seed};

/// The lines of a report's `results.jsonl`, by their kind.
pub(crate) fn results(report: &Path) -> BTreeMap<String, Vec<Value>> {
    let text = fs::read_to_string(report.join("results.jsonl")).unwrap();
    let mut results: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        results.entry(line["record"].as_str().unwrap().to_owned()).or_default().push(line);
    }
    results
}

/// A client's description: a shell script that runs `deed` on big-endian files, and decodes all
/// others by repfuzz itself. `$1` is the file to read, `$2` the one to write.
pub(crate) fn describe(folder: &Path, name: &str, deed: &str, limits: &str) {
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let toml = format!(
        "name = \"{name}\"\nsummary = \"a test\"\ndecoder = \"own\"\napplies = [\"orientation\"]\n\
         [run]\ncommand = [\"sh\", \"-c\", '''\n\
         case $(head -c 2 \"$1\") in MM) {deed};; esac\n\
         exec \"{repfuzz}\" normalize \"$1\" -o \"$2\"\n''', \"sh\", \"{{in}}\", \"{{out}}\"]\n\
         [output]\nformat = \"png\"\n[limits]\n{limits}\n"
    );
    fs::write(folder.join(format!("{name}.toml")), toml).unwrap();
}

/// Fuzzes `tiny.tif` with one such client.
fn fuzz(deed: &str, limits: &str) -> (Ran, BTreeMap<String, Vec<Value>>) {
    let folder = folder();
    describe(folder.path(), "bad", deed, limits);
    let report = folder.path().join("report");
    let ran = repfuzz!(
        "fuzz",
        seed("tiny.tif"),
        "--describe",
        folder.path().join("bad.toml"),
        "--clients=bad",
        "-n60",
        "--hang-limit=1",
        "--report",
        &report,
    );
    assert_eq!(ran.stderr, "");
    assert!(fs::read_to_string(report.join("index.html")).unwrap().contains("bad"));
    let results = results(&report);
    (ran, results)
}

/// Returns true if the only cause is the byte order, with this outcome.
fn shows(outcome: &str, deed: &str, limits: &str) {
    let (ran, results) = fuzz(deed, limits);
    assert_eq!(ran.code, 1, "{deed}: {}", ran.stdout);
    let causes = &results["cause"];
    assert_eq!(causes.len(), 1, "{deed}: {causes:?}");
    assert_eq!(causes[0]["outcome"], outcome, "{deed}");
    assert_eq!(causes[0]["dimensions"], serde_json::json!(["byte order"]), "{deed}");
    assert_eq!(causes[0]["choices"], serde_json::json!({"byte order": "MM"}), "{deed}");
    assert!(ran.stdout.contains(outcome), "{}", ran.stdout);
}

#[test]
fn a_client_that_is_right_shows_nothing() {
    let (ran, results) = fuzz(":", "");
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(ran.stdout.starts_with("No difference: "), "{}", ran.stdout);
    assert!(!results.contains_key("cause"));
    assert_eq!(results["end"].len(), 1);
}

#[test]
fn a_client_that_fails() {
    shows("refused", "echo cannot do that >&2; exit 3", "");
}

#[test]
fn a_client_that_crashes() {
    shows("crash", "kill -SEGV $$", "");
}

#[test]
fn a_client_that_hangs() {
    shows("hang", "sleep 600", "time_s = 3");
}

#[test]
fn a_client_that_leaves_processes_behind() {
    shows("refused", "setsid sleep 600 & sleep 600 & exit 1", "");
}

#[test]
fn a_client_that_prints_without_end() {
    shows("resource", "yes; yes", "messages_mb = 2");
    shows("refused", "head -c 3000000 /dev/zero | tr '\\0' x >&2; exit 1", "");
}

#[test]
fn a_client_that_shows_something_else() {
    shows("wrong", &format!("set -- '{}' \"$2\"", seed("gray.tif").display()), "");
}

#[test]
fn without_a_sandbox_the_report_says_so() {
    let folder = folder();
    let report = folder.path().join("report");
    describe(folder.path(), "mine", ":", "");
    let description = folder.path().join("mine.toml");
    let reported = |more: &str| {
        let ran = repfuzz!(
            "fuzz",
            seed("tiny.tif"),
            "--describe",
            &description,
            "--clients=mine,rust-image",
            "-n2",
            "--report",
            &report,
            more,
        );
        (ran.stdout, fs::read_to_string(report.join("index.html")).unwrap())
    };
    let (stdout, page) = reported("--no-sandbox");
    // The summary is wrapped.
    let words: Vec<&str> = stdout.split_whitespace().collect();
    assert!(words.join(" ").contains("1 client ran without a sandbox."), "{stdout}");
    let line = "no sandbox, limits only (can write files and use the network): 1 client; none, linked into repfuzz: 1 client";
    assert!(page.contains(line) && page.contains("1 client ran without a sandbox."), "{page}");
    let (_, page) = reported("--hang-limit=5");
    assert!(
        page.contains("<dt>Sandbox</dt>") && page.contains("none, linked into repfuzz: 1 client")
    );
}

#[test]
fn linked_in_clients_on_several_seeds() {
    let folder = folder();
    let report = folder.path().join("report");
    let clients = "--clients=rust-image,rust-tiff";
    let ran =
        repfuzz!("fuzz", seed("tiny.tif"), seed("gray.tif"), clients, "-n8", "--report", &report);
    // The results of the libraries on variants do not matter here.
    assert!(ran.code <= 1 && ran.stderr.is_empty(), "{}{}", ran.stdout, ran.stderr);
    assert!(report.join("index.html").is_file());
    for part in ["01-tiny", "02-gray"] {
        assert!(report.join(part).join("index.html").is_file());
        let results = results(&report.join(part));
        assert_eq!((results["run"].len(), results["end"].len()), (1, 1));
        assert_eq!(results["client"].len(), 2);
        let variants = results["variant"].len();
        assert!(variants >= 8, "{variants}");
        assert!(results["result"].iter().any(|line| line["outcome"] == "same"));
    }
    let json = repfuzz!("fuzz", seed("tiny.tif"), clients, "-n2", "--json", "--report", &report);
    for line in json.stdout.lines() {
        assert!(serde_json::from_str::<Value>(line).unwrap()["record"].is_string());
    }
}

#[test]
fn a_seed_that_cannot_be_read_does_not_stop_the_others() {
    let folder = folder();
    let clients = "--clients=rust-image";
    let missing = folder.path().join("missing.tif");
    let report = folder.path().join("report");
    let ran = repfuzz!("fuzz", &missing, seed("tiny.tif"), clients, "-n2", "--report", &report);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.stderr.matches("missing.tif").count(), 1, "{}", ran.stderr);
    assert!(report.join("02-tiny/index.html").is_file());
}

#[test]
fn without_a_client_that_can_be_judged_it_is_trouble() {
    let folder = folder();
    let tiny = seed("tiny.tif");
    let report = folder.path().join("report");
    // It decodes nothing at all.
    let client = "--client=bad=sh -c 'exit 3' {in}";
    let ran = repfuzz!("fuzz", &tiny, client, "--report", &report);
    assert!(ran.error().starts_with("client bad cannot be used here: "), "{}", ran.stderr);
    let ran = repfuzz!("fuzz", &tiny, "--clients=nobody", "--report", &report);
    assert_eq!(ran.error(), "no client is called \"nobody\"");
    assert!(!report.exists());
    // It decodes the probe picture, but no file of the seed's.
    let larger = format!("test $(wc -c < \"$1\") -ne {} && exit 3", probe::file(1).len());
    describe(folder.path(), "picky", &format!("exit 3;; II) {larger}"), "");
    let ran = repfuzz!(
        "fuzz",
        &tiny,
        "--describe",
        folder.path().join("picky.toml"),
        "--clients=picky",
        "-n2",
        "--report",
        &report,
    );
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("no client could be tested"), "{}", ran.stderr);
    // The report cannot be written.
    let ran = repfuzz!("fuzz", &tiny, "--clients=rust-image", "-n2", "--report", &tiny);
    assert!(ran.error().starts_with("cannot write the report: "), "{}", ran.stderr);
}

#[test]
fn a_picture_without_pixels_is_a_wrong_one() {
    let deed = "printf \"RGBA 0 0\\n\" > \"$2\"; exit 0";
    let folder = folder();
    describe(folder.path(), "bad", deed, "");
    let description = folder.path().join("bad.toml");
    let text = fs::read_to_string(&description).unwrap();
    fs::write(&description, text.replace("format = \"png\"", "format = \"auto\"")).unwrap();
    let report = folder.path().join("report");
    let ran = repfuzz!(
        "fuzz",
        seed("tiny.tif"),
        "--describe",
        &description,
        "--clients=bad",
        "-n2",
        "--vary=byte order",
        "--report",
        &report
    );
    assert_eq!(ran.code, 1, "{} {}", ran.stdout, ran.stderr);
    let causes = results(&report).remove("cause").unwrap();
    let shown: Vec<[&Value; 4]> = causes
        .iter()
        .map(|c| [&c["outcome"], &c["difference"], &c["dimensions"], &c["message"]])
        .collect();
    let expected = json!([["wrong", "empty", ["byte order"], "0x0 pixels"]]);
    assert_eq!(json!(shown), expected);
    assert!(words(&ran).contains("an empty picture"), "{}", ran.stdout);
    let pages = fs::read_dir(report.join("causes")).unwrap().count();
    assert_eq!(pages, 1);
}

#[test]
fn a_run_with_limits_alone_says_so_and_one_with_faults_does_not_count_them_as_limits() {
    let folder = folder();
    let fuzz = |says: &str| {
        let is_large = "case $fields in 49492b00*|4d4d002b*)";
        reader(folder.path(), "bad", &format!("{is_large} echo {says} >&2; exit 3;; esac"));
        let (describe, report) = (folder.path().join("bad.toml"), folder.path().join("report"));
        let vary = "--vary=format,byte order";
        let tiny = seed("tiny.tif");
        repfuzz!(
            "fuzz",
            &tiny,
            "--describe",
            describe,
            "--clients=bad",
            "-n2",
            vary,
            "--fresh",
            "--report",
            &report
        )
    };
    let ran = fuzz("BigTIFF is not supported");
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
    let said = words(&ran);
    assert!(said.contains("No difference but 1 limit: 1 client decoded "), "{said}");
    assert!(said.contains("bad supports the features of "), "{said}");
    assert!(!said.contains("0 causes"), "{said}");
    for page in ["index.html", "clients/01-bad.html"] {
        let page = fs::read_to_string(folder.path().join("report").join(page)).unwrap();
        assert!(page.contains("1 limit"), "{page}");
        assert!(!page.contains("0 causes") && !page.contains("1 cause"), "{page}");
    }
    let ran = fuzz("IndexError: index 7 out of range");
    assert_eq!(ran.code, 1, "{} {}", ran.stdout, ran.stderr);
    assert!(!words(&ran).contains("supports the features"), "{}", ran.stdout);
}

#[test]
fn a_run_that_would_try_nothing_is_an_error() {
    let folder = folder();
    let report = folder.path().join("report");
    for (option, line) in [
        ("-n0", "-n 0: no variant would be tried; give their number, such as -n 200"),
        ("--time=0", "--time 0: no variant would be tried; give the seconds, or leave it out"),
    ] {
        let clients = "--clients=rust-image";
        let ran = repfuzz!("fuzz", seed("tiny.tif"), clients, option, "--report", &report);
        assert_eq!(ran.error(), line);
        assert!(!report.exists());
    }
}

/// The words of what was printed, without the lines' ends.
fn words(ran: &Ran) -> String {
    ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn fewer_variants_than_requested_are_explained() {
    let folder = folder();
    describe(folder.path(), "mine", ":", "");
    let ran = repfuzz!(
        "fuzz",
        seed("tiny.tif"),
        "--describe",
        folder.path().join("mine.toml"),
        "--clients=mine",
        "-n20",
        "--vary=byte order",
        "--report",
        folder.path().join("report"),
    );
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
    let said = words(&ran);
    assert!(said.contains("Of the 20 variants requested, 2 were made: "), "{said}");
}

#[test]
fn a_client_that_cannot_be_used_ends_no_run_of_others() {
    let folder = folder();
    let folder = folder.path();
    describe(folder, "mine", ":", "");
    let fuzz = |client: &str, order: &str| {
        repfuzz!(
            "fuzz",
            seed("tiny.tif"),
            "--describe",
            folder.join("mine.toml"),
            format!("--clients=mine{order}"),
            "--client",
            client,
            "-n40",
            "--report",
            folder.join("report"),
            "--fresh"
        )
    };
    let ran = fuzz("bad=sh -c 'echo never >&2; exit 3' {in}", "");
    assert_eq!(ran.code, 3, "{} {}", ran.stdout, ran.stderr);
    let line = "note: client bad cannot be used here: refuses a plain picture: never; the run goes on without it";
    assert!(ran.stderr.contains(line), "{}", ran.stderr);
    let said = words(&ran);
    assert!(said.contains("No difference: 1 client decoded"), "{said}");
    assert!(said.contains("1 client could not be tested."), "{said}");
    assert!(said.contains("bad: cannot be run: refuses a plain picture: never"), "{said}");
    let results = results(&folder.join("report"));
    let states: Vec<&Value> = results["client"].iter().map(|line| &line["state"]).collect();
    assert_eq!(states, ["ready", "cannot-run"]);
    // A fault of the others is found all the same.
    describe(folder, "mine", "exit 3", "");
    assert_eq!(fuzz("bad=/no/such/program {in}", "").code, 1);
    // A name that nobody has is one as well, and the nearest name is told.
    describe(folder, "mine", "", "");
    let ran = fuzz("bad=/no/such/program {in}", ",nobody,imagemagic");
    assert_eq!(ran.code, 3, "{} {}", ran.stdout, ran.stderr);
    for line in [
        "note: no client is called \"nobody\"; the run goes on without it",
        "note: no client is called \"imagemagic\": did you mean imagemagick? The run goes on without it",
    ] {
        assert!(ran.stderr.contains(line), "{}", ran.stderr);
    }
    assert!(words(&ran).contains("3 clients could not be tested."), "{}", ran.stdout);
}

#[test]
fn clients_that_refuse_the_seed_have_no_causes_and_no_differences() {
    let folder = folder();
    let picky = |name: &str| {
        let larger = format!("test $(wc -c < \"$1\") -ne {} && exit 3", probe::file(1).len());
        describe(folder.path(), name, &format!("exit 3;; II) {larger}"), "");
    };
    picky("one");
    picky("two");
    describe(folder.path(), "fine", ":", "");
    describe(folder.path(), "good", ":", "");
    let ran = repfuzz!(
        "fuzz",
        seed("tiny.tif"),
        "--describe",
        folder.path(),
        "--clients=one,two,fine,good",
        "-n2",
        "--report",
        folder.path().join("report"),
    );
    assert_eq!(ran.code, 3, "{} {}", ran.stdout, ran.stderr);
    let said = words(&ran);
    assert!(said.contains("No difference: 2 clients decoded"), "{said}");
    assert!(said.contains("2 clients could not be tested."), "{said}");
}

#[test]
fn a_client_that_refuses_the_seed_makes_a_run_incomplete_unless_a_fault_is_found() {
    let folder = folder();
    let folder = folder.path();
    let larger = format!("test $(wc -c < \"$1\") -ne {} && exit 3", probe::file(1).len());
    describe(folder, "picky", &format!("exit 3;; II) {larger}"), "");
    let fuzz = |deed: &str, seeds: &[&str]| {
        describe(folder, "other", deed, "");
        let mut command = crate::command();
        command.arg("fuzz").args(seeds.iter().map(|name| seed(name)));
        command.args([
            "--clients=picky,other",
            "-n12",
            "--vary=byte order",
            "--fresh",
            "--describe",
        ]);
        crate::ran(command.arg(folder).arg("--report").arg(folder.join("report")))
    };
    let ran = fuzz(":", &["tiny.tif"]);
    assert_eq!(ran.code, 3, "{} {}", ran.stdout, ran.stderr);
    assert!(words(&ran).contains("picky: cannot read the seed: exit status 3"), "{}", ran.stdout);
    assert!(words(&ran).contains("1 client could not be tested."), "{}", ran.stdout);
    assert_eq!(fuzz("exit 3", &["tiny.tif"]).code, 1);
    // One file of two seeds shows a fault.
    let tiny = fs::metadata(seed("tiny.tif")).unwrap().len();
    let small = format!("test $(wc -c < \"$1\") -lt {} && exit 3", tiny + 200);
    assert_eq!(fuzz(&small, &["tiny.tif", "rgb.tif"]).code, 1);
    assert_eq!(fuzz(":", &["tiny.tif", "rgb.tif"]).code, 3);
}

#[test]
fn a_reader_that_needs_fields_with_defaults_is_tried_and_so_is_one_that_refuses_them() {
    let folder = folder();
    // PlanarConfiguration, as the hexadecimal dump of its entry.
    let has = "case $(od -An -tx1 -v \"$1\" | tr -d \" \\n\") in *1c0103000100000001000000*)";
    for (name, script) in [
        ("needs", format!("{has} ;; *) echo no planes >&2; exit 3;; esac")),
        ("refuses", format!("{has} echo planes >&2; exit 3;; esac")),
    ] {
        describe(folder.path(), name, &format!(":;; esac\n{script}\ncase x in x)"), "");
        let description = folder.path().join(format!("{name}.toml"));
        let ran = repfuzz!("clients", name, "--describe", &description);
        assert!(ran.stdout.contains("ready"), "{name}: {} {}", ran.stdout, ran.stderr);
    }
}

/// A client that runs `script` first: `$fields` are its file as hexadecimal digits.
pub(crate) fn reader(folder: &Path, name: &str, script: &str) {
    let fields = "fields=$(od -An -tx1 -v \"$1\" | tr -d \" \\n\")";
    describe(folder, name, &format!(":;; esac\n{fields}\n{script}\ncase x in x) :"), "");
}

#[test]
fn a_reader_that_refuses_an_orientation_is_ready() {
    let folder = folder();
    reader(folder.path(), "plain", "case $fields in *120103000100000001000000*) exit 3;; esac");
    let description = folder.path().join("plain.toml");
    let ran = repfuzz!("clients", "plain", "--describe", &description);
    assert!(ran.stdout.contains("ready"), "{} {}", ran.stdout, ran.stderr);
}

/// The plain pictures have no field Predictor, and the plainest has no field Orientation: neither is what these read.
#[test]
fn a_reader_that_fails_on_the_plain_pictures_is_used_if_it_reads_the_seed() {
    let folder = folder();
    let folder = folder.path();
    // A description is in the seed and in neither plain picture.
    let has_description = "case $fields in *0e010200*|*010e0002*)";
    reader(folder, "needs", &format!("{has_description} ;; *) echo no name >&2; exit 3;; esac"));
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let other = format!("exec \"{repfuzz}\" normalize {} -o \"$2\"", seed("gray.tif").display());
    reader(folder, "shows", &format!("{has_description} ;; *) {other};; esac"));
    reader(folder, "none", "echo never >&2; exit 3");
    reader(folder, "always", &other);
    let fuzz = |clients: &str| {
        let vary = "--vary=byte order";
        let (report, clients) = (folder.join("report"), format!("--clients={clients}"));
        let tiny = seed("tiny.tif");
        repfuzz!(
            "fuzz",
            &tiny,
            "--describe",
            folder,
            clients,
            "-n2",
            vary,
            "--fresh",
            "--report",
            &report
        )
    };
    for name in ["needs", "shows"] {
        let description = folder.join(format!("{name}.toml"));
        assert_eq!(repfuzz!("clients", name, "--describe", &description).code, 1);
        let ran = fuzz(name);
        assert_eq!((ran.code, &*ran.stderr), (0, ""), "{name}: {}", ran.stdout);
        assert!(words(&ran).contains("No difference: 1 client decoded"), "{}", ran.stdout);
    }
    let ran = fuzz("none");
    assert_eq!(ran.error(), "client none cannot be used here: refuses a plain picture: never");
    let ran = fuzz("always");
    let why = "client always cannot be used here: decodes a plain 4x3 picture wrongly (as ";
    assert!(ran.error().starts_with(why), "{}", ran.stderr);
}
