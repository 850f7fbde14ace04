//! Measures what communication gains, as section 3 of arXiv:1511.02415: five configurations on public programs.
//!
//! `evaluate DIR SECONDS [MINUTES]` analyses the programs that `scripts/fetch_analysis_programs.sh` fetched, and prints
//! docs/analyses.md; with MINUTES it takes the smallest programs, as many as it can. SECONDS are those of each client;
//! a configuration has that of all of its clients, as in the paper. Each run is a separate process with a memory limit,
//! `evaluate DIR SECONDS FILE CONFIGURATION`; with two configurations (`b*p` is one as well), it prints the nodes at
//! which their invariants differ.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::sync::Arc;
use std::time::{Duration, Instant};

use analyses::compare::{Comparison, Stronger};
use analyses::numbers::boxes::Boxes;
use analyses::numbers::polyhedra::Polyhedra;
use analyses::protocol::server::Settings;
use analyses::protocol::{End, Formula, parse};
use analyses::run::{Kind, Options, analyse, prepare};
use analyses::unfold::PointId;
use canonical::Program;
use serde_json::{Value, json};

/// The configurations: the letters of their clients, which communicate (`+`) or not (`*`).
const CONFIGURATIONS: [&str; 5] = ["b*p*s", "b+p+s", "b+p", "b+s", "p+s"];
/// Megabytes of memory for each client.
const MEMORY: u64 = 512;

fn read(dir: &Path, file: &Path) -> Arc<Program> {
    let options = canonical::c::Options {
        arguments: vec![format!("-I{}", dir.display())],
        ..canonical::c::Options::default()
    };
    Arc::new(canonical::c::read(&[file.to_owned()], &options))
}

/// The number of clients of a configuration.
fn clients(name: &str) -> u64 {
    name.split(['+', '*']).count() as u64
}

fn options(name: &str, seconds: u64) -> Options {
    let named = |kind: &&Kind| name.contains(&kind.name()[..1]);
    let time = Duration::from_secs(seconds * clients(name));
    let run = Settings { communicate: name.contains('+'), time, ..Settings::default() };
    Options {
        clients: Kind::ALL.iter().filter(named).copied().collect(),
        run,
        ..Options::default()
    }
}

/// Runs one configuration on one program and prints the result.
fn one(dir: &Path, seconds: u64, file: &Path, name: &str) -> Result<Value, String> {
    let analysis = analyse(read(dir, file), &options(name, seconds))?;
    let clients = analysis.outcome.reports.iter().map(|(client, report)| {
        let invariants: Vec<String> = report.invariants.iter().map(ToString::to_string).collect();
        json!({"client": client, "end": report.end, "invariants": invariants})
    });
    Ok(json!({
        "proved": analysis.proved() && !analysis.assertions.is_empty(),
        "refuted": analysis.refuted(),
        "queries": analysis.outcome.queries,
        "clients": clients.collect::<Vec<_>>(),
    }))
}

/// Returns the result of a run in a separate process; `None` if the process died.
fn child(dir: &Path, seconds: u64, file: &Path, name: &str) -> Option<Value> {
    let program = std::env::current_exe().ok()?;
    let clients = clients(name);
    // Stacks and tables of Z3 are reserved, not used.
    let kilobytes = (clients * MEMORY + 1024) * 1024;
    let output = Command::new("timeout")
        .arg((seconds * clients + 20).to_string())
        .args(["sh", "-c", "ulimit -v \"$0\"; exec \"$@\"", &kilobytes.to_string()])
        .arg(program)
        .arg(dir)
        .arg(seconds.to_string())
        .arg(file)
        .arg(name)
        .output()
        .ok()?;
    serde_json::from_slice(&output.stdout).ok()
}

/// Returns the expected verdict of a task from its companion file; `None` if there is none.
fn expected(file: &Path) -> Option<bool> {
    let text = std::fs::read_to_string(file.with_extension("yml")).ok()?;
    // `unreach-label` is the older property, with a label `ERROR` in place of a call.
    let mut lines = text.lines().skip_while(|line| !line.contains("/unreach-"));
    lines.next()?;
    let verdict = lines.next()?.trim().strip_prefix("expected_verdict:")?.trim() == "true";
    Some(verdict)
}

/// The name of a program.
fn shown(dir: &Path, file: &Path) -> String {
    file.strip_prefix(dir).unwrap_or(file).display().to_string()
}

/// Counts of a pair of configurations for one client.
#[derive(Debug, Default, Clone)]
struct Counts {
    first: u64,
    second: u64,
    equal: u64,
    neither: u64,
    better: [u64; 4],
}

#[derive(Debug, Default)]
struct Table {
    /// By client and pair of configurations.
    counts: BTreeMap<(String, usize, usize), Counts>,
    /// Ends by client, pair, and end: first, second, both.
    ends: BTreeMap<(String, usize, usize), BTreeMap<String, [u64; 3]>>,
    /// By configuration: proved, refuted, wrongly proved, wrongly refuted.
    verdicts: [[u64; 4]; 5],
    queries: [u64; 5],
    seconds: [f64; 5],
    programs: u64,
    not_read: Vec<String>,
    /// Programs with another verdict than expected, and the configurations.
    wrong: BTreeMap<String, Vec<&'static str>>,
    /// Programs with a node at which communication weakens an invariant, and the clients and configurations.
    weaker: BTreeMap<String, Vec<String>>,
}

fn ends(result: Option<&Value>, client: &str) -> Option<String> {
    let Some(result) = result else { return Some("crash".to_owned()) };
    let of = result["clients"].as_array()?.iter().find(|entry| entry["client"] == client)?;
    Some(of["end"].as_str()?.to_owned())
}

fn invariants<'r>(result: Option<&'r Value>, client: &str) -> Option<Vec<&'r str>> {
    let of = result?["clients"].as_array()?.iter().find(|entry| entry["client"] == client)?;
    if of["end"] != json!(End::Success) {
        return None;
    }
    of["invariants"].as_array()?.iter().map(Value::as_str).collect()
}

fn stronger(
    of: &Comparison<'_>,
    client: &str,
    point: PointId,
    x: &Formula,
    y: &Formula,
) -> Stronger {
    match client {
        "box" => of.stronger::<Boxes>(point, x, y),
        _ => of.stronger::<Polyhedra>(point, x, y),
    }
}

/// Prints the nodes at which the invariants of two configurations differ.
fn differences(dir: &Path, seconds: u64, file: &Path, names: [&str; 2]) -> Result<(), String> {
    let (unfolding, segments) = prepare(read(dir, file), &Options::default())?;
    let comparison = Comparison::new(&unfolding, &segments);
    let [first, second] = names.map(|name| one(dir, seconds, file, name));
    let (first, second) = (first?, second?);
    for client in ["box", "polyhedra"] {
        let (Some(x), Some(y)) =
            (invariants(Some(&first), client), invariants(Some(&second), client))
        else {
            continue;
        };
        for (k, (x, y)) in x.iter().zip(&y).enumerate() {
            let (Ok(a), Ok(b)) = (parse::formula(x), parse::formula(y)) else { continue };
            let point = PointId(u32::try_from(k).unwrap_or(u32::MAX));
            let which = stronger(&comparison, client, point, &a, &b);
            if which != Stronger::Equal {
                let (context, node) = unfolding.node(point);
                let place = unfolding.graph(context).node(node).place;
                let line = place.map_or(0, |place| place.line);
                println!(
                    "{client} {which:?} node {k} line {line}\n    {}: {x}\n    {}: {y}",
                    names[0], names[1]
                );
            }
        }
    }
    Ok(())
}

impl Table {
    fn add(&mut self, dir: &Path, seconds: u64, file: &Path) {
        let program = read(dir, file);
        let Ok((unfolding, segments)) = prepare(program, &Options::default()) else {
            self.not_read.push(shown(dir, file));
            return;
        };
        self.programs += 1;
        let comparison = Comparison::new(&unfolding, &segments);
        let mut results = Vec::new();
        for (k, name) in CONFIGURATIONS.into_iter().enumerate() {
            let begin = Instant::now();
            let result = child(dir, seconds, file, name);
            self.seconds[k] += begin.elapsed().as_secs_f64();
            if let Some(result) = &result {
                let (proved, refuted) = (result["proved"] == true, result["refuted"] == true);
                let truth = expected(file);
                let wrong = [proved && truth == Some(false), refuted && truth == Some(true)];
                for (at, counted) in [proved, refuted, wrong[0], wrong[1]].into_iter().enumerate() {
                    self.verdicts[k][at] += u64::from(counted);
                }
                if wrong[0] || wrong[1] {
                    self.wrong.entry(shown(dir, file)).or_default().push(name);
                }
                self.queries[k] += result["queries"].as_u64().unwrap_or(0);
            }
            results.push(result);
        }
        for client in ["box", "polyhedra", "symbolic"] {
            for (i, a) in CONFIGURATIONS.iter().enumerate() {
                for (j, b) in CONFIGURATIONS.iter().enumerate().skip(i + 1) {
                    if a.contains(&client[..1]) && b.contains(&client[..1]) {
                        let pair = (client.to_owned(), i, j);
                        let (a_result, b_result) = (results[i].as_ref(), results[j].as_ref());
                        let nodes = self.compare(&pair, &comparison, a_result, b_result);
                        if nodes > 0 && a.contains('*') {
                            let weaker = self.weaker.entry(shown(dir, file)).or_default();
                            weaker.push(format!("{client} in {b} at {nodes}"));
                        }
                    }
                }
            }
        }
    }

    /// Returns the number of nodes at which the first is stronger.
    fn compare(
        &mut self,
        pair: &(String, usize, usize),
        of: &Comparison<'_>,
        a: Option<&Value>,
        b: Option<&Value>,
    ) -> u64 {
        if let (Some(x), Some(y)) = (ends(a, &pair.0), ends(b, &pair.0)) {
            let counts = self.ends.entry(pair.clone()).or_default();
            if x == y {
                counts.entry(x).or_default()[2] += 1;
            } else {
                counts.entry(x).or_default()[0] += 1;
                counts.entry(y).or_default()[1] += 1;
            }
        }
        let (Some(x), Some(y)) = (invariants(a, &pair.0), invariants(b, &pair.0)) else { return 0 };
        let counts = self.counts.entry(pair.clone()).or_default();
        let before = counts.clone();
        for (k, (x, y)) in x.iter().zip(&y).enumerate() {
            let (Ok(x), Ok(y)) = (parse::formula(x), parse::formula(y)) else { continue };
            let point = PointId(u32::try_from(k).unwrap_or(u32::MAX));
            match stronger(of, &pair.0, point, &x, &y) {
                Stronger::First => counts.first += 1,
                Stronger::Second => counts.second += 1,
                Stronger::Equal => counts.equal += 1,
                Stronger::Neither => counts.neither += 1,
            }
        }
        let at = match (
            counts.first > before.first,
            counts.second > before.second,
            counts.neither > before.neither,
        ) {
            (false, false, false) => 2,
            (true, false, false) => 0,
            (false, true, false) => 1,
            _ => 3,
        };
        counts.better[at] += 1;
        counts.first - before.first
    }

    fn page(&self, seconds: u64) -> String {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "# What communication gains\n\nMeasured by `make analyses` as in section 3 of *Anonymous On-line Communication Between Program \
             Analyses*: {} programs of\n[sv-benchmarks-simple](https://github.com/pavolmisenko/sv-benchmarks-simple) and of \
             [CPAchecker](https://github.com/sosy-lab/cpachecker)'s tests, {seconds} s and {MEMORY} MB for\n\
             each client of a configuration (the paper: 150 s and 512 MB on 473 programs of SV-COMP 2015). `+` is with communication, `*` without. \
             [How it works](analyze.md).\n",
            self.programs
        );
        self.invariants(&mut out);
        self.states(&mut out);
        let _ = writeln!(
            out,
            "\n## Verdicts\n\n| configuration | proved | refuted | proved but false | refuted but true | questions | seconds |"
        );
        let _ = writeln!(out, "|---|---:|---:|---:|---:|---:|---:|");
        for (k, name) in CONFIGURATIONS.into_iter().enumerate() {
            let [proved, refuted, unsound, spurious] = self.verdicts[k];
            let _ = writeln!(
                out,
                "| {name} | {proved} | {refuted} | {unsound} | {spurious} | {} | {:.0} |",
                self.queries[k], self.seconds[k]
            );
        }
        for (file, clients) in &self.weaker {
            let _ = writeln!(out, "\nWeakened in `{file}`: {} nodes.", clients.join(", "));
        }
        if !self.wrong.is_empty() {
            let _ = writeln!(out, "\nNot as expected ([why](analyze.md#measured)):\n");
        }
        for (file, configurations) in &self.wrong {
            let _ = writeln!(out, "- `{file}`: {}", configurations.join(", "));
        }
        if !self.not_read.is_empty() {
            let _ = writeln!(
                out,
                "\nNot analysed: {}.",
                self.not_read.iter().map(|file| format!("`{file}`")).collect::<Vec<_>>().join(", ")
            );
        }
        out
    }

    fn invariants(&self, out: &mut String) {
        for (client, paper) in [("box", PAPER_BOX), ("polyhedra", PAPER_POLKA)] {
            let _ = writeln!(out, "## Invariants of `{client}`\n");
            let _ = writeln!(
                out,
                "Counts of nodes, and of programs, at which the invariants of a configuration are stronger; those for which the client ended with success in both.{}\n",
                if paper.is_empty() {
                    ""
                } else {
                    " The paper's counts of nodes are in parentheses."
                }
            );
            let _ = writeln!(
                out,
                "| 1st | 2nd | 1st | 2nd | equal | neither | programs: 1st | 2nd | equal | mixed |"
            );
            let _ = writeln!(out, "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
            for ((of, i, j), counts) in &self.counts {
                if of != client {
                    continue;
                }
                let (a, b) = (CONFIGURATIONS[*i], CONFIGURATIONS[*j]);
                let known = paper.iter().find(|row| (row.0, row.1) == (a, b));
                let cell = |ours: u64, k: usize| match known {
                    Some(row) => format!("{ours} ({})", row.2[k]),
                    None => ours.to_string(),
                };
                let [first, second, equal, mixed] = counts.better;
                let _ = writeln!(
                    out,
                    "| {a} | {b} | {} | {} | {} | {} | {first} | {second} | {equal} | {mixed} |",
                    cell(counts.first, 0),
                    cell(counts.second, 1),
                    cell(counts.equal, 2),
                    cell(counts.neither, 3),
                );
            }
            let _ = writeln!(out);
        }
    }

    fn states(&self, out: &mut String) {
        let _ = writeln!(
            out,
            "## Ends\n\nCounts of programs with an end in both configurations, in the first only, and in the second only.\n"
        );
        let _ = writeln!(
            out,
            "| client | 1st | 2nd | success | incomplete | time-out | crash or memory-out |\n|---|---|---|---|---|---|---|"
        );
        for ((client, i, j), counts) in &self.ends {
            let cell = |name: &str| {
                let [first, second, both] = counts.get(name).copied().unwrap_or_default();
                format!("{both}, {first}, {second}")
            };
            let (a, b) = (CONFIGURATIONS[*i], CONFIGURATIONS[*j]);
            let cells = ["success", "failure", "time_out", "crash"].map(cell).join(" | ");
            let _ = writeln!(out, "| {client} | {a} | {b} | {cells} |");
        }
    }
}

/// A row of the paper: the configurations, then nodes at which the first, the second, both, neither is stronger.
type Paper = (&'static str, &'static str, [u64; 4]);

/// The available text of the paper does not have the table of intervals.
const PAPER_BOX: &[Paper] = &[];
const PAPER_POLKA: &[Paper] = &[
    ("b*p*s", "b+p+s", [20, 487, 12_672, 401]),
    ("b*p*s", "b+p", [26, 319, 12_923, 168]),
    ("b*p*s", "p+s", [20, 609, 12_119, 455]),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (dir, seconds) = match arguments.as_slice() {
        [dir, seconds, ..] => (PathBuf::from(dir), seconds.parse::<u64>().unwrap_or(10)),
        _ => {
            eprintln!("usage: evaluate DIR SECONDS [MINUTES]");
            exit(2);
        }
    };
    if let [_, _, file, name] = arguments.as_slice() {
        match one(&dir, seconds, Path::new(file), name) {
            // Threads of clients that do not end must not be waited for.
            Ok(result) => {
                println!("{result}");
                exit(0);
            }
            Err(why) => {
                eprintln!("{why}");
                exit(2);
            }
        }
    }
    if let [_, _, file, first, second] = arguments.as_slice() {
        if let Err(why) = differences(&dir, seconds, Path::new(file), [first, second]) {
            eprintln!("{why}");
            exit(2);
        }
        exit(0);
    }
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![dir.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c") {
                files.push(path);
            }
        }
    }
    // The small ones come first; they count if there is no time for all.
    files
        .sort_by_key(|file| (std::fs::metadata(file).map_or(0, |about| about.len()), file.clone()));
    let minutes: Option<u64> = arguments.get(2).and_then(|minutes| minutes.parse().ok());
    let begin = Instant::now();
    let mut table = Table::default();
    for (k, file) in files.iter().enumerate() {
        if minutes.is_some_and(|minutes| begin.elapsed() > Duration::from_secs(60 * minutes)) {
            break;
        }
        eprintln!("{}/{} {}", k + 1, files.len(), file.display());
        table.add(&dir, seconds, file);
    }
    print!("{}", table.page(seconds));
}
