//! `check` of every spec that ships: it passes, and each loss is marked as meant.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::file;

/// A spec that ships, and a file of its format, if there is one.
struct Shipped {
    spec: PathBuf,
    seed: Option<PathBuf>,
}

/// The files of a folder with one of these extensions, in order.
fn files(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let extension = |p: &PathBuf| p.extension().is_some_and(|e| wanted(&e.to_string_lossy()));
    let mut out: Vec<PathBuf> = entries.filter(|p| p.is_file() && extension(p)).collect();
    out.sort();
    out
}

/// All specs: those in a folder of their own. Beside the folders are records that they share.
fn shipped() -> Vec<Shipped> {
    let mut folders: Vec<PathBuf> = fs::read_dir(file("normalizers/specs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let of = |folder: &PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let seeds = files(&file("corpus").join(name), |e| e != "sh");
        let seed = seeds.into_iter().min_by_key(|p| fs::metadata(p).map_or(0, |m| m.len()));
        let specs = files(folder, |e| e == "rs").into_iter();
        specs.map(move |spec| Shipped { spec, seed: seed.clone() }).collect::<Vec<_>>()
    };
    folders.iter().flat_map(of).collect()
}

/// Checks all specs, a few at a time, and returns the reports of those that fail.
fn failures(specs: Vec<Shipped>, seeded: bool, more: &[&str]) -> Vec<String> {
    assert!(specs.len() >= 20);
    let left = Mutex::new(specs);
    let failed = Mutex::new(Vec::new());
    let work = || {
        while let Some(Shipped { spec, seed }) = { left.lock().unwrap().pop() } {
            let mut command = crate::command();
            // On a busy machine as well.
            command.arg("check").arg(&spec).args(["--time-limit", "900"]).args(more);
            if let Some(seed) = seed.filter(|_| seeded) {
                command.arg("--seed").arg(seed);
            }
            let ran = crate::ran(&mut command);
            let drawn = ran.stdout.lines().any(|l| l.starts_with("spread  "));
            if ran.code != 0 || !drawn {
                let report =
                    format!("{}: {}\n{}{}", spec.display(), ran.code, ran.stdout, ran.stderr);
                failed.lock().unwrap().push(report);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    failed.into_inner().unwrap()
}

/// With few draws and short proofs. Those of baseline TIFF take minutes.
#[test]
#[ignore = "slow: some draws of all specs"]
fn specs_that_ship_pass() {
    let few = ["-n", "12", "--values", "2", "--iterations", "1", "--time", "1"];
    let mut specs = shipped();
    specs.retain(|shipped| !shipped.spec.ends_with("baseline_tiff.rs"));
    let failed = failures(specs, true, &few);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// As a user checks them: without a file, and with one.
#[test]
#[ignore = "slow: all draws and proofs of all specs, twice"]
fn specs_that_ship_pass_with_all_draws_and_proofs() {
    for seeded in [false, true] {
        let failed = failures(shipped(), seeded, &[]);
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }
}
