//! `variants`: the files, and what is said of them.

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

/// Runs `variants --cover pairwise` on `tiny.tif`; gives what is printed as JSON, and the
/// lines of `variants.jsonl`.
fn pairwise(more: &[&str]) -> (Value, Vec<Value>) {
    let folder = folder();
    let mut command = crate::command();
    command.args(["variants", "--cover", "pairwise", "--json"]).args(more);
    let ran = crate::ran(command.arg(seed("tiny.tif")).arg("-o").arg(folder.path()));
    (serde_json::from_str(ran.fine()).unwrap(), lines(folder.path()))
}

#[test]
#[ignore = "slow: make slow-test"]
fn a_pairwise_covering_has_every_pair_that_can_be() {
    let (told, lines) = pairwise(&[]);
    assert_eq!(told["variants"], lines.len());
    assert!(lines.len() < 600, "{}", lines.len());
    let pairs = &told["pairs"];
    let impossible = pairs["impossible"].as_array().unwrap();
    let number = |name: &str| pairs[name].as_u64().unwrap() as usize;
    assert_eq!(number("covered") + impossible.len(), number("all"));

    // Counted anew from the files' choices.
    let whole = Seed::open(fs::read(seed("tiny.tif")).unwrap()).unwrap();
    let mut met: BTreeSet<[(String, String); 2]> = BTreeSet::new();
    for line in &lines {
        let choices: Choices = serde_json::from_value(line["choices"].clone()).unwrap();
        let class = |(name, value)| (String::from(name), whole.value_class(name, value));
        let mut classes: Vec<(String, String)> = choices.iter().map(class).collect();
        classes.sort();
        for (k, one) in classes.iter().enumerate() {
            met.extend(classes[..k].iter().map(|other| [other.clone(), one.clone()]));
        }
    }
    assert_eq!(met.len(), number("covered"));
    for pair in impossible {
        assert_ne!(pair["why"], "", "{pair}");
        let side = |name: &str| -> (String, String) {
            serde_json::from_value(pair[name].clone()).unwrap()
        };
        let mut sides = [side("one"), side("other")];
        sides.sort();
        assert!(!met.contains(&sides), "{pair}");
    }
}

#[test]
fn a_pairwise_covering_is_a_function_of_its_seed() {
    let of = |seed| pairwise(&["-n", "12", "--seed", seed]);
    assert_eq!(of("3"), of("3"));
    let (told, lines) = of("4");
    assert_eq!(lines.len(), 12);
    assert_ne!(lines, of("3").1);
    // With twelve there is much left to cover.
    let pairs = &told["pairs"];
    assert!(pairs["covered"].as_u64() < pairs["all"].as_u64(), "{pairs}");
}

#[test]
fn stats_tell_of_pairs_within_eighty_columns() {
    let folder = folder();
    let mut command = crate::command();
    command.args(["variants", "-n", "30", "--stats", "--cover", "pairwise", "--profile", "wide"]);
    let ran = crate::ran(command.arg(seed("tiny.tif")).arg("-o").arg(folder.path()));
    let lines: Vec<&str> = ran.fine().lines().skip(1).collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{}", ran.stdout);
    let total = lines.iter().find(|line| line.starts_with("pairs of value classes: ")).unwrap();
    assert!(total.contains(" covered; 0 impossible; "), "{total}");
    assert!(total.ends_with(" left"), "{total}");
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
        assert!(ran.stderr.contains("it must be 1 to 256"), "{}", ran.stderr);
        assert_eq!(ran.code, 2);
    }
}

/// Variants that differ in what matters most, and that libtiff has nothing to say about.
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
    if installed("tiffinfo", "many: what libtiff says") {
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
