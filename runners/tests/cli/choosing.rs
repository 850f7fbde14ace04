//! `dimensions`, and the options `--vary`, `--without` and `--fix` of the other commands.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use inverter::solve::{Choice, Choices};
use serde_json::{Value, json};
use tiff_harness::Seed;

use crate::fuzz::{describe, results};
use crate::{Ran, file, folder, repfuzz, seed};

fn bmp() -> [PathBuf; 2] {
    [file("corpus/bmp/gm24.bmp"), file("normalizers/specs/bmp/bmp.rs")]
}

fn own(path: &Path) -> Choices {
    Seed::open(fs::read(path).unwrap()).unwrap().own_choices().clone()
}

/// Runs `variants NAME` with these options, and returns the choices of each file.
fn variants(name: &str, options: &[&str]) -> Vec<Choices> {
    let folder = folder();
    let mut command = crate::command();
    command.arg("variants").arg(seed(name)).args(options).arg("-o").arg(folder.path());
    let ran = crate::ran(&mut command);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let lines = fs::read_to_string(folder.path().join("variants.jsonl")).unwrap();
    let line = |line: &str| -> Value { serde_json::from_str(line).unwrap() };
    let choices = |line: Value| serde_json::from_value(line["choices"].clone()).unwrap();
    lines.lines().map(line).map(choices).collect()
}

fn values(all: &[Choices], name: &str) -> BTreeSet<String> {
    all.iter().filter_map(|choices| choices.get(name)).map(Choice::to_string).collect()
}

#[test]
fn only_orientation_and_rows_per_strip_vary() {
    let own = own(&seed("rgb.tif"));
    let made = variants("rgb.tif", &["-n50", "--vary", "orientation,rows_per_strip"]);
    assert_eq!(made.len(), 50);
    assert_eq!(values(&made, "orientation").len(), 8);
    assert!(values(&made, "rows_per_strip").len() > 10);
    let mut compared = 0;
    for choices in &made {
        for (name, value) in choices.iter() {
            match (name, value) {
                ("orientation" | "rows_per_strip", _) => {}
                // One entry for each strip, of which there are more or fewer.
                (_, Choice::List(items)) => assert!(items.is_sorted(), "{name} {value}"),
                // Positions count the strips before them.
                (_, Choice::Int(_)) if name.ends_with("place") => {}
                _ => {
                    compared += usize::from(own.get(name).is_some());
                    assert!(own.get(name).is_none_or(|own| own == value), "{name} = {value}");
                }
            }
        }
    }
    assert!(compared > 20 * made.len(), "{compared}");
    let rest = variants("rgb.tif", &["-n50", "--without", "orientation,rows*", "--without=tiled"]);
    assert_eq!(values(&rest, "orientation"), BTreeSet::from(["1".to_owned()]));
    assert_eq!(values(&rest, "tiled"), BTreeSet::from(["0".to_owned()]));
    assert!(values(&rest, "compression").len() > 3);
}

#[test]
fn fixed_values_hold_in_all_files() {
    let made = variants("rgb.tif", &["-n60", "--fix", "compression=lzw,predictor=horizontal"]);
    assert_eq!(values(&made, "compression"), BTreeSet::from(["LZW".to_owned()]));
    assert!(made.iter().all(|all| all.get("predictor") == Some(&"horizontal".into())));
    assert_eq!(values(&made, "orientation").len(), 8);
    // Where compression varies, the predictor exists in some files only.
    let made = variants("rgb.tif", &["-n60", "--fix", "predictor=horizontal"]);
    let with = made.iter().filter(|all| all.get("predictor").is_some()).count();
    assert_eq!(values(&made, "predictor"), BTreeSet::from(["horizontal".to_owned()]));
    assert!((10..50).contains(&with), "{with}");
    assert!(values(&made, "compression").contains("none"));
}

#[test]
fn contradictions_are_refused_before_anything_is_written() {
    let folder = folder();
    describe(folder.path(), "bad", "exit 3", "");
    let out = folder.path().join("out");
    for (options, expected) in [
        (&["--vary", "orientatoin"][..], "matches `orientatoin`; did you mean `orientation`?"),
        (&["--without", "nothing *"], "matches `nothing *`; its dimensions are byte order, "),
        (&["--fix", "orientation"], "`orientation` must be NAME=VALUE, such as orientation=6"),
        (&["--fix", "orientation=9"], "choice `orientation` = 9 is not possible here: it must be"),
        (&["--fix=compression=none", "--fix=predictor=2"], "seen with compression = Deflate, "),
        (&["--fix", "orientation=6,orientation=7"], "`orientation` cannot be 6 and also 7"),
        (&["--fix", "tiled=1", "--vary", "tiled"], "`tiled` cannot be 1 and also varied"),
        (&["--vary", "predictor"], "nothing would vary: no file has a dimension `predictor` here"),
    ] {
        for command in ["variants", "export", "fuzz"] {
            let mut run = crate::command();
            run.arg(command).arg(seed("tiny.tif")).args(options);
            let fuzz = command == "fuzz";
            run.arg(if fuzz { "--report" } else { "-o" }).arg(&out);
            if fuzz {
                run.arg("--clients=bad").arg("--describe").arg(folder.path());
            }
            let ran = crate::ran(&mut run);
            let error = ran.error();
            assert!(error.contains("tiny.tif: ") && error.contains(expected), "{error}");
            assert!(!out.exists(), "{command} {options:?}");
        }
    }
    // No seed is run if the restriction does not fit one of them.
    let ran = repfuzz!(
        "fuzz",
        seed("tiny.tif"),
        seed("rgb.tif"),
        "--vary=palette",
        "--clients=bad",
        "--describe",
        folder.path(),
        "--report",
        &out
    );
    assert!(ran.error().contains("rgb.tif: no dimension of this seed matches `palette`"));
    assert!(!out.exists());
}

#[test]
fn a_covering_set_covers_what_varies() {
    let made = variants(
        "tiny.tif",
        &["--cover", "pairwise", "--vary", "orientation,planar,byte order", "--fix", "tiled=0"],
    );
    let varied = ["orientation", "planar", "byte order"];
    let mut pairs = BTreeSet::new();
    for choices in &made {
        let value = |name: &str| format!("{name} {}", choices.get(name).unwrap());
        for (k, one) in varied.iter().enumerate() {
            pairs.extend(varied[..k].iter().map(|other| [value(other), value(one)]));
        }
    }
    assert_eq!(pairs.len(), 8 * 2 + 8 * 2 + 2 * 2);
    for name in ["compression", "format", "file tail", "bits", "tiled", "private tags"] {
        assert_eq!(values(&made, name).len(), 1, "{name}");
    }
    assert!(made.len() < 40, "{}", made.len());
}

#[test]
fn an_exported_set_is_restricted() {
    let folder = folder();
    let out = folder.path().join("set");
    let [bmp, spec] = bmp();
    let of_bmp = |out: &Path| {
        repfuzz!(
            "export",
            &bmp,
            "--spec",
            &spec,
            "-n30",
            "--vary",
            "file: header,file: rows",
            "--fix",
            "colors: bits=32",
            "-o",
            out
        )
    };
    of_bmp(&out).fine();
    let text = fs::read_to_string(out.join("expectations.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    let files = all["files"].as_array().unwrap();
    assert_eq!(files.len(), 31);
    let names = |file: &Value| -> BTreeSet<String> {
        file["choices"].as_object().unwrap().keys().cloned().collect()
    };
    assert!(names(&files[0]).is_empty(), "the seed itself");
    for file in &files[1..] {
        assert_eq!(file["choices"]["colors: bits"], 32, "{file}");
        // Gaps and tails are as in the seed.
        assert!(!names(file).iter().any(|name| name.ends_with("gap") || name.ends_with("tail")));
    }
    assert!(files.iter().any(|file| names(file).contains("file: header")));
    // A second time, the same.
    let again = folder.path().join("again");
    of_bmp(&again).fine();
    assert_eq!(fs::read_to_string(again.join("expectations.json")).unwrap(), text);
}

/// Fuzzes `rgb.tif` with a client that refuses big-endian files.
fn fuzz(folder: &Path, options: &[&str]) -> (Ran, BTreeMap<String, Vec<Value>>) {
    describe(folder, "bad", "exit 3", "");
    let mut command = crate::command();
    command.arg("fuzz").arg(seed("rgb.tif")).args(["--clients=bad", "-n12", "--describe"]);
    command.arg(folder.join("bad.toml")).arg("--report").arg(folder.join("report"));
    let ran = crate::ran(command.args(options));
    let results = results(&folder.join("report"));
    (ran, results)
}

#[test]
fn causes_are_within_the_dimensions_that_vary() {
    let folder = folder();
    let folder = folder.path();
    let varied = ["--vary", "byte order,orientation"];
    let (ran, results) = fuzz(folder, &varied);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    let causes = &results["cause"];
    assert_eq!((causes.len(), &causes[0]["dimensions"]), (1, &json!(["byte order"])));
    let run = &results["run"][0];
    assert_eq!(run["restriction"], json!({ "vary": ["byte order", "orientation"] }));
    assert_eq!(run["dimensions"], json!(["byte order", "orientation"]));
    assert!(run["command"].as_str().unwrap().ends_with("--vary 'byte order,orientation'"));
    for variant in &results["variant"] {
        for (name, value) in variant["choices"].as_object().unwrap() {
            let varies = ["byte order", "orientation"].contains(&name.as_str());
            // Lists for more strips follow from these, and bytes that the file did not have before.
            assert!(varies || value.is_array() || name == "file fill", "{variant}");
        }
    }
    // The table ends with a command that can be run as it is.
    let around = ran.stdout.split("of bad:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let words = shlex::split(&around.replace("\\\n", " ")).unwrap();
    assert_eq!(words[..2], ["repfuzz", "fuzz"]);
    let vary = words.iter().position(|word| word == "--vary").unwrap();
    assert!(words[vary + 1].split(',').any(|name| name == "byte order"), "{around}");
    let mut command = crate::command();
    let again = crate::ran(command.args(&words[1..]).current_dir(folder));
    assert_eq!((again.code, again.stderr.as_str()), (1, ""), "{}", again.stdout);
    assert!(folder.join("repfuzz-around/index.html").is_file());
    // The choices of the report make the file again, without a restriction.
    let name = |key: &str| folder.join("report").join(causes[0][key].as_str().unwrap());
    let choices = name("file").with_extension("json");
    let out = folder.join("again.tif");
    repfuzz!("replay", name("seed"), "--choices", choices, "-o", &out).fine();
    assert!(fs::read(&out).unwrap() == fs::read(name("file")).unwrap());
    let page = fs::read_to_string(folder.join("report/causes/01-bad-refused.html")).unwrap();
    assert!(page.contains("Look further around it") && page.contains("--vary "), "{page}");

    let (other, results) = fuzz(folder, &["--vary", "orientation,rows_per_strip"]);
    assert_eq!((other.code, other.stderr.as_str()), (0, ""), "{}", other.stdout);
    assert!(!results.contains_key("cause"));
}

#[test]
fn a_fixed_value_is_that_of_every_file_of_a_run() {
    let folder = folder();
    let options = ["--fix", "byte order=MM,orientation=6", "--vary", "rows_per_strip,planar"];
    let (_, results) = fuzz(folder.path(), &options);
    assert_eq!(results["run"][0]["restriction"]["fix"], json!(["byte order=MM", "orientation=6"]));
    assert_eq!(results["client"][0]["state"], "cannot-read-seed", "the client refuses all of them");
    let base = own(&folder.path().join("report/files/00-seed.tif"));
    let value = |name: &str| base.get(name).map(Choice::to_string);
    assert_eq!((value("byte order"), value("orientation")), (Some("MM".into()), Some("6".into())));
    assert_eq!(
        value("compression"),
        own(&seed("rgb.tif")).get("compression").map(Choice::to_string)
    );
}

#[test]
fn a_night_is_restricted() {
    let folder = folder();
    let folder = folder.path();
    fs::copy(seed("tiny.tif"), folder.join("tiny.tif")).unwrap();
    describe(folder, "bad", "exit 3", "");
    let config = folder.join("nightly.toml");
    let night = |more: &str| {
        let text = "seeds = ['*.tif']\nclients = ['bad']\ndescribe = ['bad.toml']\nvariants = 8\n";
        fs::write(&config, format!("{text}number = 3\n{more}")).unwrap();
        repfuzz!("nightly", &config)
    };
    let ran = night("without = ['byte *']\n");
    assert!(ran.fine().contains(": 0 new, 0 worse, 0 fixed, 0 known"), "{}", ran.stdout);
    let run = &results(&folder.join("nightly-report/01-tiny"))["run"][0];
    assert_eq!(run["restriction"], json!({ "without": ["byte *"] }));
    assert!(run["command"].as_str().unwrap().contains("--without 'byte *'"));
    let ran = night("vary = ['byte order', 'orientation']\nfix = ['orientation=3']\n");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("bad: refused, byte order = MM"), "{}", ran.stdout);
    let ran = night("vary = ['byte oder']\n");
    assert!(
        ran.error().contains("tiny.tif: no dimension of this seed matches `byte oder`; did you")
    );
}

/// The lines on a dimension in the list.
fn about<'l>(list: &'l str, name: &str) -> Vec<&'l str> {
    let start = format!("{name}: ");
    let mut lines = list.lines().skip_while(|line| !line.starts_with(&start));
    let first = lines.next().unwrap_or_else(|| panic!("no {name} in {list}"));
    std::iter::once(first).chain(lines.take_while(|line| line.starts_with(' '))).collect()
}

#[test]
fn dimensions_are_listed_with_values_and_prerequisites() {
    let ran = repfuzz!("dimensions", seed("rgb.tif"));
    let list = ran.fine();
    assert!(list.lines().all(|line| line.chars().count() <= 80), "{list}");
    let expected = [
        "orientation: 1*, 2, 3, 4, 5, 6, 7, 8",
        "    baseline 1; extension others; TIFF 6.0, section 8",
    ];
    assert_eq!(about(list, "orientation"), expected);
    let expected = [
        "predictor: horizontal, none",
        "    baseline none; extension horizontal; TIFF 6.0, section 14",
        "    seen with compression = Deflate, Deflate 32946, LZW",
    ];
    assert_eq!(about(list, "predictor"), expected);
    assert_eq!(about(list, "tile_width").last(), Some(&"    seen with tiled = 1"));
    assert_eq!(about(list, "compression")[0].matches('*').count(), 1);
    assert!(!about(list, "byte order").iter().any(|line| line.contains("seen with")));
    assert_eq!(repfuzz!("dimensions", seed("rgb.tif")).stdout, list, "it is deterministic");
}

#[test]
fn dimensions_are_listed_for_machines_and_of_any_format() {
    let [bmp, spec] = bmp();
    let ran = repfuzz!("dimensions", &bmp, "--spec", &spec, "--json");
    let all: Value = serde_json::from_str(ran.fine()).unwrap();
    let of = |name: &str| {
        let all = all["dimensions"].as_array().unwrap();
        all.iter().find(|d| d["name"] == name).unwrap().clone()
    };
    let header = of("file: header");
    assert_eq!((&header["seed"], &header["section"]), (&json!("40"), &Value::Null));
    let classes: Vec<&str> = header["classes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["class"].as_str().unwrap())
        .collect();
    assert_eq!(classes, ["12", "40", "52", "56", "64", "108", "124"]);
    let expected = json!([{ "dimension": "file: header", "classes": ["124"] }]);
    assert_eq!(of("file: intent")["seen_with"], expected);
    assert_eq!(header["seen_with"], json!([]));
    let tiff = repfuzz!("dimensions", seed("tiny.tif"), "--json", "--profile=wide");
    let all: Value = serde_json::from_str(tiff.fine()).unwrap();
    let all = all["dimensions"].as_array().unwrap();
    let compression = all.iter().find(|d| d["name"] == "compression").unwrap();
    let lzma = compression["classes"].as_array().unwrap().iter().find(|c| c["class"] == "LZMA");
    assert_eq!(lzma.unwrap()["legality"], "questionable");
    assert!(compression["meaning"].as_str().unwrap().ends_with('.'));
}

/// Alpha is drawn before the samples that there are: a fixed number of samples restricts it.
#[test]
fn fixed_values_restrict_what_is_drawn_before_them() {
    let made = variants("rgb.tif", &["-n30", "--fix", "samples_per_pixel=3"]);
    assert_eq!(made.len(), 30);
    assert_eq!(values(&made, "samples_per_pixel"), BTreeSet::from(["3".to_owned()]));
}

#[test]
fn braces_and_commas_name_several_dimensions() {
    let options = ["-n12", "--vary", "orient{ation,ed},segment {order,gaps}"];
    let folder = folder();
    let mut command = crate::command();
    command.arg("variants").arg(seed("rgb.tif")).args(options).arg("-o").arg(folder.path());
    let ran = crate::ran(&mut command);
    assert!(ran.error().contains("no dimension of this seed matches `oriented`"), "{}", ran.stderr);
    let fixed =
        ["-n12", "--vary", "{orientation,segment order}", "--fix", "compression=LZW,byte order=MM"];
    let made = variants("rgb.tif", &fixed);
    assert_eq!(values(&made, "byte order"), BTreeSet::from(["MM".to_owned()]));
    assert!(values(&made, "orientation").len() > 3);
}

/// A time limit cuts a survey short, and it says so.
#[test]
fn dimensions_say_what_they_did_not_look_at() {
    let ran = repfuzz!("dimensions", seed("rgb.tif"), "--time", "0");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains(" looked at only in part within 0 s"), "{}", ran.stderr);
    assert!(ran.stdout.contains("orientation: "), "{}", ran.stdout);
}

/// `--python` replaces the environment of a client that is a Python package. Here the interpreter is a shell, and the
/// package a script that decodes by repfuzz.
#[test]
fn packages_of_another_interpreter_are_tested() {
    let folder = folder();
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let script = format!("exec \"{repfuzz}\" normalize \"$1\" -o \"$2\"\n");
    fs::write(folder.path().join("read.sh"), script).unwrap();
    let python = "{tools}/python/bin/python";
    let toml = format!(
        "name = \"packaged\"\napplies = [\"orientation\"]\n[tools]\npip = [\"no-such-package==1\"]\n\
         [run]\ncommand = [\"{python}\", \"{{here}}/read.sh\", \"{{in}}\", \"{{out}}\"]\n\
         [version]\ncommand = [\"{python}\", \"-c\", \"echo 7.4.1\"]\n[output]\nformat = \"png\"\n"
    );
    let file = folder.path().join("packaged.toml");
    fs::write(&file, toml).unwrap();
    let fuzz = |more: &[&str]| {
        let mut command = crate::command();
        command.arg("fuzz").arg(seed("tiny.tif")).args([
            "-n20",
            "--clients=packaged",
            "--describe",
        ]);
        command.arg(&file).arg("--report").arg(folder.path().join("report")).args(more);
        crate::ran(&mut command)
    };
    let missing = fuzz(&[]);
    assert!(missing.stderr.contains("no-such-package==1 is not installed"), "{}", missing.stderr);
    let found = fuzz(&["--python", "/bin/sh"]);
    assert_eq!((found.code, found.stderr.as_str()), (0, ""), "{}", found.stdout);
    let results = fs::read_to_string(folder.path().join("report/results.jsonl")).unwrap();
    assert!(results.contains("\"version\":\"7.4.1\""), "{results}");
    let page = fs::read_to_string(folder.path().join("report/index.html")).unwrap();
    assert!(page.contains("--python /bin/sh"), "the command that repeats the run");
}
