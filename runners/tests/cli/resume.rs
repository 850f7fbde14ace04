//! `fuzz`, killed at random moments: the final result is the same as without.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::{folder, repfuzz, seed};

/// The number of clients that run at once.
const JOBS: usize = 2;

/// A client that logs each file, takes some time, and refuses big-endian files.
fn describe(folder: &Path) {
    let repfuzz = assert_cmd::cargo::cargo_bin!("repfuzz").display();
    let log = folder.join("log").display().to_string();
    let toml = format!(
        "name = \"slow\"\nsummary = \"a test\"\ndecoder = \"own\"\napplies = [\"orientation\"]\n\
         [run]\ncommand = [\"sh\", \"-c\", '''\n\
         echo $(sha256sum < \"$1\") >> \"{log}\"\nsleep 0.03\n\
         case $(head -c 2 \"$1\") in MM) echo no >&2; exit 3;; esac\n\
         exec \"{repfuzz}\" normalize \"$1\" -o \"$2\"\n''', \"sh\", \"{{in}}\", \"{{out}}\"]\n\
         [output]\nformat = \"png\"\n"
    );
    fs::write(folder.join("slow.toml"), toml).unwrap();
}

fn repfuzz(folder: &Path, report: &str, variants: usize) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("repfuzz"));
    command
        // The client writes to a log that no sandbox would let it write to.
        .args(["fuzz", "--no-sandbox", "--clients=slow"])
        .args(["--vary", "byte order,segment *,file *,*place", "--describe"])
        .arg(folder.join("slow.toml"))
        .arg(format!("-n{variants}"))
        .arg(format!("-j{JOBS}"))
        .arg("--report")
        .arg(folder.join(report))
        .arg(seed("tiny.tif"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// The number of runs of the client, without the probe.
fn runs(folder: &Path) -> usize {
    let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
    let probe = log.lines().next().unwrap_or_default();
    log.lines().filter(|line| *line != probe).count()
}

/// The number of rows of this kind in a report's store; 0 if it does not exist yet.
pub fn stored(folder: &Path, report: &str, rows: &str) -> usize {
    let path = folder.join(report).join("repfuzz.sqlite");
    let count = || -> rusqlite::Result<i64> {
        // It is not created here: an empty file is no store.
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE;
        let conn = rusqlite::Connection::open_with_flags(&path, flags)?;
        conn.query_row(&format!("SELECT count(*) FROM {rows}"), [], |row| row.get(0))
    };
    count().unwrap_or(0) as usize
}

/// The lines of a report's results without times, in a fixed order.
fn results(folder: &Path, report: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join(report).join("results.jsonl")).unwrap();
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        for time in ["ms", "started"] {
            line.as_object_mut().unwrap().remove(time);
        }
        lines.push(line.to_string());
    }
    lines.sort();
    lines
}

/// Kills a run of `variants` variants `times` times, and compares the result with that of a run
/// that is not killed.
fn killed(times: usize, variants: usize, number: u64) {
    let folder = folder();
    let folder = folder.path();
    describe(folder);
    let begun = Instant::now();
    assert_eq!(repfuzz(folder, "alone", variants).status().unwrap().code(), Some(1));
    let took = begun.elapsed();
    let (needed, expected) = (runs(folder), results(folder, "alone"));
    // Not every variant is run: many have a known cause by then.
    assert!(needed > variants / 2, "{needed}");
    fs::remove_file(folder.join("log")).unwrap();

    let mut random = ChaCha8Rng::seed_from_u64(number);
    let (mut kills, mut round) = (0, 0);
    while kills < times {
        round += 1;
        let mut lost = 0;
        loop {
            let mut run = repfuzz(folder, "killed", variants).spawn().unwrap();
            // The program's start comes first, when there is little to lose.
            let most = took / 3 + Duration::from_millis(100);
            let instant = Instant::now() + random.random_range(Duration::ZERO..most);
            let ended = loop {
                if let Some(status) = run.try_wait().unwrap() {
                    break Some(status);
                }
                if Instant::now() >= instant && kills < times {
                    break None;
                }
                std::thread::sleep(Duration::from_millis(2));
            };
            if let Some(status) = ended {
                assert_eq!(status.code(), Some(1));
                break;
            }
            run.kill().unwrap();
            run.wait().unwrap();
            kills += 1;
            lost += JOBS;
            if stored(folder, "killed", "batch") == round
                && stored(folder, "killed", "batch WHERE state = 'open'") == 0
            {
                break; // At its very end.
            }
            if stored(folder, "killed", "run WHERE state = 'open'") == 0 {
                continue;
            }
            let (replies, ran) = (stored(folder, "killed", "reply"), runs(folder));
            assert!(ran <= replies + lost, "{ran} runs, {replies} kept, after {kills} kills");
        }
        // The result is the same, and only runs that were in progress at a kill are repeated.
        assert_eq!(results(folder, "killed"), expected, "round {round}");
        let ran = runs(folder);
        assert!((needed..=needed + lost).contains(&ran), "{ran} of {needed}, {lost} lost");
        let outcomes = stored(folder, "alone", "outcome");
        assert_eq!(stored(folder, "killed", "outcome"), round * outcomes);
        assert_eq!(stored(folder, "killed", "reply"), 0);
        fs::remove_file(folder.join("log")).unwrap();
    }
}

#[test]
fn killed_a_few_times_it_comes_to_the_same() {
    killed(4, 12, 1);
}

#[test]
#[ignore = "slow: some minutes"]
fn killed_fifty_times_it_comes_to_the_same() {
    killed(50, 150, 2);
}

/// A format as a pipeline of one stage, which uses a second file; and a seed of it.
fn pipeline(folder: &Path) {
    repfuzz!("new", "pic", "-o", folder).fine();
    let spec = fs::read_to_string(folder.join("pic.rs")).unwrap();
    let spec = spec.replace("assume(width >= 1);", "assume(width >= LEAST);");
    fs::write(folder.join("pic.rs"), format!("{spec}\nuse limits::LEAST;\n")).unwrap();
    fs::write(folder.join("limits.rs"), "const LEAST: u16 = 1;\n").unwrap();
    fs::write(folder.join("pipeline.toml"), "stages = ['pic.rs']\n").unwrap();
}

/// Fuzzes the seed of [`pipeline`] with clients that each run this script.
fn by_pipeline(folder: &Path, clients: &[&str], script: &str, report: &str) -> Command {
    fs::write(folder.join("client.sh"), script).unwrap();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("repfuzz"));
    command.args(["fuzz", "-n20", "-j1"]).arg(folder.join("seed.pic"));
    command.arg("--spec").arg(folder.join("pipeline.toml"));
    command.arg("--report").arg(folder.join(report));
    for name in clients {
        let script = folder.join("client.sh");
        command.arg("--client").arg(format!("{name}=sh {} {{in}}", script.display()));
    }
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Adds a comment to a file, which changes nothing but its bytes.
fn touch(file: &Path) {
    let text = fs::read_to_string(file).unwrap();
    fs::write(file, format!("{text}// Changed.\n")).unwrap();
}

#[test]
fn a_run_is_not_resumed_after_a_file_of_its_spec_has_changed() {
    let folder = folder();
    let folder = folder.path();
    pipeline(folder);
    let script = "sleep 0.05; printf 'P5 1 1 255 a'";
    let start = || by_pipeline(folder, &["slow"], script, "report").spawn().unwrap();
    let count = |rows: &str| stored(folder, "report", rows);
    for (batches, changed) in [(1, "limits.rs"), (2, "pic.rs")] {
        let mut run = start();
        while count("batch") < batches || count("reply") == 0 {
            assert_eq!(run.try_wait().unwrap(), None, "it ended before it could be killed");
            std::thread::sleep(Duration::from_millis(2));
        }
        run.kill().unwrap();
        run.wait().unwrap();
        assert_eq!(count("batch"), batches);
        touch(&folder.join(changed));
    }
    start().wait().unwrap();
    assert_eq!((count("batch"), count("batch WHERE state = 'open'")), (3, 2));
}

#[test]
fn parts_of_different_specs_are_not_merged() {
    let folder = folder();
    let folder = folder.path();
    pipeline(folder);
    let part = |part: &str, report: &str| {
        let script = "printf 'P5 1 1 255 a'";
        let mut run = by_pipeline(folder, &["one", "two"], script, report);
        assert_eq!(run.args(["--shard", part]).status().unwrap().code(), Some(0));
        folder.join(report).join("repfuzz.sqlite")
    };
    let (first, second) = (part("1/2", "first"), part("2/2", "second"));
    let merged = repfuzz!("merge", &first, &second, "-o", folder.join("same.sqlite"));
    assert_eq!(merged.fine(), "");
    touch(&folder.join("limits.rs"));
    let second = part("2/2", "changed");
    let merged = repfuzz!("merge", &first, &second, "-o", folder.join("other.sqlite"));
    assert!(merged.stderr.contains("is missing"), "{}", merged.stderr);
}

/// Waits until `ready`, then kills `run`.
fn kill_when(run: &mut std::process::Child, ready: impl Fn() -> bool) {
    while !ready() {
        assert_eq!(run.try_wait().unwrap(), None, "it ended before it could be killed");
        std::thread::sleep(Duration::from_millis(2));
    }
    run.kill().unwrap();
    run.wait().unwrap();
}

#[test]
fn results_of_a_program_that_has_changed_are_not_used() {
    let folder = folder();
    let folder = folder.path();
    pipeline(folder);
    let count = |rows: &str| stored(folder, "report", rows);
    let start = |pixel: &str| {
        let script = format!("sleep 0.05; printf 'P5 1 1 255 {pixel}'");
        by_pipeline(folder, &["mine"], &script, "report")
    };
    kill_when(&mut start("a").spawn().unwrap(), || count("reply") > 2);
    let replies = count("reply");
    let ended = start("b").stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    // Beside replies of the old program, those of the new one would be differences.
    assert_eq!(ended.status.code(), Some(0), "{said}");
    let line = format!("client.sh of mine changed since: its {replies} results are run again");
    assert!(said.contains(&line), "{said}");
    assert_eq!(count("reply") + count("batch WHERE state = 'open'"), 0);
    assert_eq!(count("(SELECT DISTINCT client FROM outcome)"), 1, "one program has all results");
}

#[test]
fn a_finished_seed_is_run_again_by_a_program_that_has_changed() {
    let folder = folder();
    let folder = folder.path();
    pipeline(folder);
    fs::copy(folder.join("seed.pic"), folder.join("other.pic")).unwrap();
    let count = |rows: &str| stored(folder, "report", rows);
    let start = |pixel: &str| {
        let script = format!("sleep 0.05; printf 'P5 1 1 255 {pixel}'");
        let mut command = by_pipeline(folder, &["mine"], &script, "report");
        command.arg(folder.join("other.pic"));
        command
    };
    let second = || count("run WHERE state = 'finished'") == 1 && count("reply") > 2;
    kill_when(&mut start("a").spawn().unwrap(), second);
    let ended = start("b").stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(0), "{said}");
    let again = "client.sh of mine changed since: the run was finished, and is run again";
    assert!(said.contains(again) && said.contains("results are run again"), "{said}");
    assert!(!said.contains("using the results in the store"), "{said}");
    // Unchanged, it is not run again.
    kill_when(&mut start("c").spawn().unwrap(), || {
        count("run WHERE state = 'finished'") == 3 && count("reply") > 2
    });
    let ended = start("c").stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(said.contains("using the results in the store"), "{said}");
}
