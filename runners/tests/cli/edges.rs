//! Clients that publish edges: workers in C, compiled by clang.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::fuzz::results;
use crate::resume::stored;
use crate::{Ran, file, folder, installed, repfuzz};

/// Guards in the compiled code.
const GUARDS: &str = "trace-pc-guard,pc-table";

fn clang(words: &[&str]) {
    let output = Command::new("clang").args(words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {said}");
}

/// A folder with the format of `repfuzz new`, and a worker for it, which is compiled with this option of
/// SanitizerCoverage and these others. `None` if there is no clang.
fn worker(coverage: &str, more: &[&str]) -> Option<TempDir> {
    if !installed("clang") {
        return None;
    }
    let folder = folder();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let source = file("runners/tests/data/edges/pic.c").display().to_string();
    let runtime = file("clients/edges").display().to_string();
    let coverage = format!("-fsanitize-coverage={coverage}");
    let (include, object) = (format!("-I{runtime}"), at("pic.o"));
    let words =
        ["-g", "-O1", "-Wall", "-Werror", &coverage, &include, "-c", &source, "-o", &object];
    clang(&[&words, more].concat());
    let code = format!("{runtime}/repfuzz_edges.c");
    clang(&["-Wall", "-Wextra", "-Werror", &object, &code, "-o", &at("pic"), "-ldl"]);
    let new = repfuzz!("new", "pic", "-o", folder.path());
    assert_eq!(new.code, 0, "{}", new.stderr);
    describe(folder.path(), "worker = [\"{here}/pic\"]\nedges = true");
    Some(folder)
}

/// Describes the client `pic`.
fn describe(folder: &Path, run: &str) {
    let toml = format!(
        "name = \"pic\"\nsummary = \"a test\"\ndecoder = \"own\"\nformats = [\"pic\"]\n[run]\n{run}\n"
    );
    fs::write(folder.join("pic.toml"), toml).unwrap();
}

/// The command that fuzzes the seed with the client `pic`, with these options.
fn fuzzing(folder: &Path, options: &str) -> Command {
    let mut command = crate::program();
    command.arg("fuzz").arg(folder.join("seed.pic")).arg("--spec").arg(folder.join("pic.rs"));
    command.arg("--describe").arg(folder.join("pic.toml")).arg("--clients=pic");
    command.arg("--report").arg(folder.join("report")).args(options.split_whitespace());
    command
}

/// Fuzzes the seed with the client `pic`, with these options.
fn fuzz(folder: &Path, options: &str) -> Ran {
    let _ = fs::remove_dir_all(folder.join("report"));
    fuzz_on(folder, options)
}

/// Fuzzes, or goes on with a run that did not end.
fn fuzz_on(folder: &Path, options: &str) -> Ran {
    crate::ran(&mut fuzzing(folder, options).into())
}

/// Fuzzes, and returns the records of the run.
fn records(folder: &Path, options: &str) -> BTreeMap<String, Vec<Value>> {
    let ran = fuzz(folder, options);
    assert!(ran.code <= 1 && ran.stderr.is_empty(), "{}{}", ran.stdout, ran.stderr);
    results(&folder.join("report"))
}

/// The number of variants until the fault showed; `most` if it did not.
fn variants_until_found(folder: &Path, order: &str, seed: u32, most: u64) -> u64 {
    let records = records(folder, &format!("--order {order} --seed {seed} -n {most} -j4"));
    let wrong = records["result"].iter().filter(|result| result["outcome"] == "wrong");
    let first = wrong.filter_map(|result| result["variant"].as_u64()).min();
    // Steps without a file are no variants.
    let made = |first: u64| {
        records["variant"].iter().filter(|v| v["variant"].as_u64().unwrap() <= first).count() as u64
    };
    first.map_or(most, made)
}

#[test]
fn a_fault_behind_two_conditions_is_found_in_fewer_variants() {
    let Some(folder) = worker(GUARDS, &[]) else { return };
    let sum = |order: &str| -> u64 {
        (1..=3).map(|seed| variants_until_found(folder.path(), order, seed, 1500)).sum()
    };
    let (guided, edges) = (sum("guided"), sum("edges"));
    assert!(edges < guided, "{edges} variants by edges, {guided} without");
}

#[test]
fn runs_by_edges_do_not_depend_on_the_number_of_threads() {
    let Some(folder) = worker(GUARDS, &[]) else { return };
    let run = |options: &str| {
        let mut records =
            records(folder.path(), &format!("--order edges --seed 3 -n 200 {options}"));
        (records.remove("variant"), records.remove("edges"), records.remove("cause"))
    };
    let one = run("-j1");
    assert!(one.0.iter().flatten().any(|v| v["vary"].as_str().unwrap().starts_with("from ")));
    assert_eq!(one, run("-j4"));
}

#[test]
fn a_run_by_edges_that_is_killed_comes_to_the_same() {
    let Some(folder) = worker(GUARDS, &[]) else { return };
    let options = "--order edges --seed 3 -n 600 -j2";
    let made = |mut records: BTreeMap<String, Vec<Value>>| {
        ["variant", "edges", "cause"].map(|kind| records.remove(kind))
    };
    let whole = made(records(folder.path(), options));
    assert!(whole[0].iter().flatten().any(|v| v["vary"].as_str().unwrap().starts_with("from ")));
    fs::remove_dir_all(folder.path().join("report")).unwrap();
    for least in [20, 150] {
        let mut command = fuzzing(folder.path(), options);
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while stored(folder.path(), "report", "reply") < least {
            assert!(run.try_wait().unwrap().is_none(), "it ended before {least} replies");
            std::thread::sleep(Duration::from_millis(1));
        }
        run.kill().unwrap();
        run.wait().unwrap();
    }
    let ran = fuzz_on(folder.path(), options);
    assert!(ran.code <= 1 && ran.stderr.contains("resuming the run"), "{}", ran.stderr);
    assert_eq!(whole, made(results(&folder.path().join("report"))));
}

#[test]
fn edges_that_only_variants_reach_are_counted_and_named() {
    let Some(folder) = worker(GUARDS, &[]) else { return };
    let ran = fuzz(folder.path(), "-n 200");
    let edges = &results(&folder.path().join("report"))["edges"][0];
    assert_eq!((&edges["client"], &edges["state"]), (&"pic".into(), &"known".into()));
    let (build, seed) = (edges["build"].as_u64().unwrap(), edges["seed"].as_u64().unwrap());
    let beyond = edges["beyond"].as_array().unwrap().len() as u64;
    assert!(beyond > 0 && seed + beyond <= build, "{edges}");
    let found = edges["found"].as_array().unwrap().iter().map(|found| found[1].as_u64().unwrap());
    assert_eq!(found.sum::<u64>(), beyond, "{edges}");
    let line =
        format!("pic: the seed reaches {seed} of {build} edges; variants reach {beyond} more");
    assert!(ran.stdout.contains(&line), "{}", ran.stdout);
    let places = edges["places"].to_string();
    let expected = if installed("llvm-symbolizer") { "read_blocks at pic.c:" } else { "pic+0x" };
    assert!(places.contains(expected), "{places}");
    // Rows are read for the seed as well.
    assert!(!places.contains("read_rows"), "{places}");
    let page = fs::read_to_string(folder.path().join("report/clients/01-pic.html")).unwrap();
    assert!(page.contains(expected) && page.contains("that only variants reach"), "{page}");
}

#[test]
fn counters_publish_what_guards_do() {
    let Some(guards) = worker(GUARDS, &[]) else { return };
    let Some(counters) = worker("inline-8bit-counters,pc-table", &[]) else { return };
    let [guards, counters] =
        [&guards, &counters].map(|folder| records(folder.path(), "--order edges -n 200"));
    assert_eq!(guards["edges"], counters["edges"]);
    assert_eq!(guards["variant"], counters["variant"]);
}

#[test]
fn a_crash_is_one_of_the_client_and_its_edges_count() {
    let Some(folder) = worker(GUARDS, &["-DCRASH"]) else { return };
    let records = records(folder.path(), "--order edges -n 1000");
    let causes = &records["cause"];
    assert!(causes.iter().any(|cause| cause["outcome"] == "crash"), "{causes:?}");
    assert!(records["edges"][0]["places"].to_string().contains("read_blocks"));
}

#[test]
fn edges_that_depend_on_files_before_are_not_used() {
    let Some(folder) = worker(GUARDS, &["-DOWN_LOOP"]) else { return };
    let ran = fuzz(folder.path(), "--order edges -n 20");
    assert!(ran.stdout.contains("pic: edges not used: two runs on the seed"), "{}", ran.stdout);
    let records = results(&folder.path().join("report"));
    assert_eq!(records["edges"][0]["state"], "unsteady");
    assert!(!records["variant"].iter().any(|v| v["vary"].as_str().unwrap().starts_with("from")));
}

#[test]
fn a_worker_that_publishes_nothing_is_noticed() {
    let folder = folder();
    assert_eq!(repfuzz!("new", "pic", "-o", folder.path()).code, 0);
    let shell = "worker = [\"sh\", \"-c\", 'echo ready; while read -r l; do \
                 printf \"picture 14\\nP2 1 1 255\\n  1\"; done']\nedges = true";
    describe(folder.path(), shell);
    let ran = fuzz(folder.path(), "--order edges -n 5");
    assert!(ran.stdout.contains("pic: published no edges"), "{}", ran.stdout);
}

#[test]
fn guidance_needs_a_client_with_edges_and_the_whole_run() {
    let folder = folder();
    assert_eq!(repfuzz!("new", "pic", "-o", folder.path()).code, 0);
    describe(folder.path(), "worker = [\"cat\"]");
    let error = fuzz(folder.path(), "--order edges");
    assert!(error.error().starts_with("--order edges: no client publishes"), "{}", error.stderr);
    describe(folder.path(), "worker = [\"cat\"]\nedges = true");
    let error = fuzz(folder.path(), "--order edges --shard 1/2");
    assert!(error.error().ends_with("leave out --shard"), "{}", error.stderr);
    describe(
        folder.path(),
        "command = [\"cat\", \"{in}\"]\nedges = true\n[output]\nfrom = \"stdout\"",
    );
    let error = fuzz(folder.path(), "--order edges");
    assert!(error.error().ends_with("only a worker publishes its edges"), "{}", error.stderr);
}
