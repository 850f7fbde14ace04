//! `variants`: the files, and the statistics on them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process;

use inverter::solve::Choices;
use rayon::prelude::*;
use serde_json::Value;
use tiff_harness::Seed;

use crate::{folder, installed, repfuzz, seed};

fn lines(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("variants.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn make(count: u32, folder: &Path) -> Vec<Value> {
    let ran = repfuzz!("variants", seed("rgb.tif"), "-n", count.to_string(), "-o", folder);
    assert!(ran.fine().starts_with(&format!("{count} equivalents of ")), "{}", ran.stdout);
    lines(folder)
}

#[test]
fn each_line_describes_a_file_that_means_the_same() {
    let folder = folder();
    let seed = Seed::open(fs::read(seed("rgb.tif")).unwrap()).unwrap();
    let lines = make(60, folder.path());
    assert_eq!(lines.len(), 60);
    for (k, line) in lines.iter().enumerate() {
        assert_eq!(line["index"], k);
        assert_eq!(line["seed"], 1);
        assert_eq!(line["file"], format!("{k:06}.tif"));
        let class = line["class"].as_str().unwrap();
        assert!(["baseline", "extension"].contains(&class), "{class}");
        assert!(!line["choices"].as_object().unwrap().is_empty());
        let bytes = fs::read(folder.path().join(line["file"].as_str().unwrap())).unwrap();
        assert_eq!(Seed::open(bytes).unwrap().picture(), seed.picture(), "{line}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 61);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let seed = seed("gray.tif");
    let make = |jobs: &str, run: &str| {
        let folder = folder();
        let out = folder.path();
        repfuzz!("variants", &seed, "-n", "40", "--seed", run, "--jobs", jobs, "-o", out).fine();
        let mut files: Vec<_> = fs::read_dir(out).unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        let named = |f: &Path| (f.file_name().unwrap().to_owned(), fs::read(f).unwrap());
        files.iter().map(|f| named(f)).collect::<Vec<_>>()
    };
    let one = make("1", "5");
    assert_eq!(one.len(), 41);
    assert!(one == make("4", "5"));
    assert!(one != make("4", "6"));
}

#[test]
fn stats_count_every_value_class() {
    let folder = folder();
    let ran = repfuzz!("variants", seed("tiny.tif"), "-n", "80", "--stats", "-o", folder.path());
    let row = |name: &str| ran.fine().lines().find_map(|l| l.trim().strip_prefix(name)).unwrap();
    let counts = |name: &str| -> Vec<(String, u32)> {
        let pair = |text: &str| {
            let (class, count) = text.rsplit_once(' ').unwrap();
            (class.trim().to_owned(), count.parse().unwrap())
        };
        row(name).split(',').map(pair).collect()
    };
    let turns = counts("orientation: ");
    assert_eq!(turns.len(), 8);
    assert_eq!(turns.iter().map(|(_, count)| count).sum::<u32>(), 80);
    let orders = counts("byte order: ");
    let orders: Vec<&str> = orders.iter().map(|(class, _)| class.as_str()).collect();
    assert_eq!(orders, ["II", "MM"]);
}

/// Runs `variants --cover COVER` on `tiny.tif`; returns the printed JSON, and the lines of
/// `variants.jsonl`.
fn covering(cover: &str, more: &[&str]) -> (Value, Vec<Value>) {
    let folder = folder();
    let mut command = crate::command();
    command.args(["variants", "--cover", cover, "--json"]).args(more);
    let ran = crate::ran(command.arg(seed("tiny.tif")).arg("-o").arg(folder.path()));
    (serde_json::from_str(ran.fine()).unwrap(), lines(folder.path()))
}

fn number(coverage: &Value, name: &str) -> usize {
    coverage[name].as_u64().unwrap() as usize
}

type Class = (String, String);

/// The dimensions and classes of each line's choices, in order.
fn classes(lines: &[Value]) -> Vec<Vec<Class>> {
    let whole = Seed::open(fs::read(seed("tiny.tif")).unwrap()).unwrap();
    let of = |line: &Value| {
        let choices: Choices = serde_json::from_value(line["choices"].clone()).unwrap();
        let class = |(name, value)| (String::from(name), whole.value_class(name, value));
        let mut classes: Vec<Class> = choices.iter().map(class).collect();
        classes.sort();
        classes
    };
    lines.iter().map(of).collect()
}

#[test]
#[ignore = "slow: make slow-test"]
fn a_pairwise_covering_has_every_pair_that_can_be() {
    let (told, lines) = covering("pairwise", &[]);
    assert_eq!(told["variants"], lines.len());
    let coverage = &told["coverage"];
    let gaps = coverage["gaps"].as_array().unwrap();
    assert_eq!(number(coverage, "covered") + gaps.len(), number(coverage, "all"));
    assert_eq!(number(coverage, "covered"), number(coverage, "possible"));
    let least = number(coverage, "least");
    assert!((least..=least * 3 / 2).contains(&lines.len()), "{} of {least}", lines.len());

    // Recounted from the files' choices.
    let mut met: BTreeSet<[Class; 2]> = BTreeSet::new();
    for classes in classes(&lines) {
        for (k, one) in classes.iter().enumerate() {
            met.extend(classes[..k].iter().map(|other| [other.clone(), one.clone()]));
        }
    }
    assert_eq!(met.len(), number(coverage, "covered"));
    for gap in gaps {
        assert_ne!(gap["why"], "", "{gap}");
        let mut sides: [Class; 2] = serde_json::from_value(gap["classes"].clone()).unwrap();
        sides.sort();
        assert!(!met.contains(&sides), "{gap}");
    }
}

#[test]
fn a_covering_is_a_function_of_its_seed() {
    for cover in ["pairwise", "triples"] {
        let of = |seed, jobs| covering(cover, &["-n", "12", "--seed", seed, "--jobs", jobs]);
        assert_eq!(of("3", "1"), of("3", "4"));
        let (told, lines) = of("4", "2");
        assert_eq!(lines.len(), 12);
        assert_ne!(lines, of("3", "2").1);
        // With twelve there is much left to cover.
        let coverage = &told["coverage"];
        assert!(number(coverage, "covered") < number(coverage, "all"), "{coverage}");
    }
}

#[test]
fn statistics_of_triples_agree_with_the_choices() {
    let (told, lines) = covering("triples", &["-n", "5"]);
    let mut met: BTreeSet<[Class; 3]> = BTreeSet::new();
    for classes in classes(&lines) {
        for (k, a) in classes.iter().enumerate() {
            for (l, b) in classes[..k].iter().enumerate() {
                met.extend(classes[..l].iter().map(|c| [a.clone(), b.clone(), c.clone()]));
            }
        }
    }
    assert_eq!(told["coverage"]["strength"], 3);
    assert_eq!(number(&told["coverage"], "covered"), met.len());
}

#[test]
fn stats_tell_of_pairs_within_eighty_columns() {
    let folder = folder();
    let mut command = crate::command();
    command.args(["variants", "-n", "30", "--stats", "--cover", "pairwise", "--profile", "wide"]);
    let ran = crate::ran(command.arg(seed("tiny.tif")).arg("-o").arg(folder.path()));
    let lines: Vec<&str> = ran.fine().lines().skip(1).collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{}", ran.stdout);
    let total = lines.iter().position(|line| line.starts_with("pairs of value classes: ")).unwrap();
    assert!(lines[total].ends_with(" left"), "{}", lines[total]);
    assert!(lines[total + 1].starts_with("the largest product of classes is "), "{}", ran.stdout);
}

#[test]
fn where_it_cannot_write_is_said() {
    let ran = repfuzz!("variants", seed("tiny.tif"), "-n", "1", "-o", seed("tiny.tif"));
    assert!(ran.error().contains("tiny.tif: "), "{}", ran.stderr);
}

#[test]
fn threads_without_end_are_refused() {
    for jobs in ["0", "100000", "many"] {
        let ran = repfuzz!("variants", seed("tiny.tif"), "-n", "1", "-o", "x", "--jobs", jobs);
        assert!(ran.stderr.contains("must be 1 to 256"), "{}", ran.stderr);
        assert_eq!(ran.code, 2);
    }
}

/// Variants that differ in important dimensions, and on which libtiff prints no warnings.
fn many(count: u32, orders_at_least: usize) {
    let folder = folder();
    let whole = Seed::open(fs::read(seed("rgb.tif")).unwrap()).unwrap();
    let lines = make(count, folder.path());
    assert_eq!(lines.len(), count as usize);
    let path = |line: &Value| folder.path().join(line["file"].as_str().unwrap());
    lines.par_iter().for_each(|line| {
        let made = Seed::open(fs::read(path(line)).unwrap()).unwrap();
        assert_eq!(made.picture(), whole.picture(), "{line}");
    });
    let values = |dimension: &str| -> BTreeSet<String> {
        lines.iter().filter_map(|l| Some(l["choices"].get(dimension)?.to_string())).collect()
    };
    assert_eq!(values("orientation").len(), 8);
    assert_eq!(values("byte order").len(), 2);
    let orders = values("segment order").len();
    assert!(orders >= orders_at_least, "{orders} segment orders");
    if installed("tiffinfo") {
        let said: Vec<String> = lines
            .par_iter()
            .filter_map(|line| {
                let output = process::Command::new("tiffinfo").arg(path(line)).output().unwrap();
                // Private tags are legal (TIFF 6.0, section 2); libtiff knows none of them.
                let known = |line: &&str| !line.contains("Unknown field with tag 65");
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                let said: String = said.lines().filter(known).collect();
                (!said.is_empty() || !output.status.success()).then_some(format!("{said} {line}"))
            })
            .collect();
        assert!(said.is_empty(), "{} files, such as {}", said.len(), said[0]);
    }
}

#[test]
fn a_hundred_variants() {
    many(100, 20);
}

#[test]
#[ignore = "slow: make slow-test"]
fn a_thousand_variants() {
    many(1000, 50);
}
