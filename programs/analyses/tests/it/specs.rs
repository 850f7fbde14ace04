//! Specs: verdicts on obligations; nothing is proved that an input breaks.
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use analyses::run::{Kind, Options};
use analyses::spec::lower::Kind as Obligation;
use analyses::spec::{Checked, Judged, SpecAnalysis, analyse_spec};
use inverter::Primitives;
use inverter::check::outside_reads;
use inverter::program::{Program, Span, SpecText, parse_all};

/// Specs that ship or are of the inverter's suite, and their obligations that are not proved: `!` before those that
/// are refuted.
const OTHERS: &[(&str, &[&str])] = &[
    ("normalizers/specs/ddraw/ddraw.rs", &[]),
    ("normalizers/specs/tiff/byte_order.rs", &[]),
    ("normalizers/specs/tiff/placement.rs", &[]),
    (
        "normalizers/specs/tiff/photometric.rs",
        &["x.levels[i][j][3] is inside", "x.levels[i][j][1] is inside"],
    ),
    // The lengths of the output are those of the input, or exchanged, by a condition on another number.
    (
        "normalizers/specs/tiff/orientation.rs",
        &[
            "y.rgba[i][j][c] is inside",
            "y.rgba[i][x.width - 1 - j][c] is inside",
            "y.rgba[x.height - 1 - i][x.width - 1 - j][c] is inside",
            "y.rgba[x.height - 1 - i][j][c] is inside",
            "y.rgba[j][i][c] is inside",
            "y.rgba[j][x.height - 1 - i][c] is inside",
            "y.rgba[x.width - 1 - j][x.height - 1 - i][c] is inside",
            "y.rgba[x.width - 1 - j][i][c] is inside",
        ],
    ),
    ("inverter/tests/programs/ddsurface.rs", &[]),
    ("inverter/tests/programs/blocks.rs", &[]),
    ("inverter/tests/programs/boustrophedon.rs", &[]),
    ("inverter/tests/programs/planar_or_chunky.rs", &[]),
    ("inverter/tests/programs/permuted_rows.rs", &["!x.rows[x.place[i]][j] is inside"]),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn specs(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    paths.sort();
    paths
}

fn stages(path: &Path, text: &str) -> Option<Vec<Program>> {
    let name = path.display().to_string();
    parse_all(&SpecText::on_disk(&name, text), &Primitives::shipped()).ok()
}

fn analysed(spec: &Program, clients: &[Kind]) -> SpecAnalysis {
    let mut options = Options { clients: clients.to_vec(), ..Options::default() };
    options.run.time = Duration::from_secs(300);
    analyse_spec(spec, &options).unwrap()
}

/// `proved`, `refuted CLIENT`, or `open`, the obligation, and the input if there is one.
fn told(found: &SpecAnalysis) -> Vec<String> {
    let told = |checked: &analyses::spec::Checked| match &checked.judged {
        Judged::Proved { .. } => format!("proved {}", checked.what),
        Judged::Refuted { by, input } => format!("refuted {by} {}: {input}", checked.what),
        Judged::Open => format!("open {}", checked.what),
    };
    found.obligations.iter().map(told).collect()
}

#[test]
fn obligations_are_judged_as_the_specs_say() {
    for path in specs(&root().join("programs/analyses/tests/specs")) {
        let text = std::fs::read_to_string(&path).unwrap();
        for spec in stages(&path, &text).unwrap() {
            let found = analysed(&spec, Kind::ALL);
            let told = told(&found);
            let lines: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("//@ ")).collect();
            assert!(!lines.is_empty(), "{}", path.display());
            for line in lines {
                let holds = match line.strip_prefix("not proved ") {
                    _ if line == "proved" => found.proved(),
                    Some(what) => told.iter().any(|t| {
                        t.strip_prefix("open ")
                            .or(t.strip_prefix("refuted search "))
                            .is_some_and(|t| t.starts_with(what))
                    }),
                    // Without symbolic execution a search may find the same.
                    None if cfg!(not(feature = "z3")) => !found.proved(),
                    None => told.iter().any(|t| t.starts_with(line)),
                };
                assert!(holds, "{}: {line}: {told:#?}", path.display());
            }
        }
    }
}

#[test]
fn specs_that_ship_and_programs_of_the_suite_are_judged() {
    for (name, expected) in OTHERS {
        let path = root().join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let mut open = Vec::new();
        for spec in stages(&path, &text).unwrap() {
            let found = analysed(&spec, &[Kind::Box, Kind::Polyhedra]);
            open.extend(found.obligations.into_iter().filter_map(|o| match o.judged {
                Judged::Proved { .. } => None,
                Judged::Refuted { .. } => Some(format!("!{}", o.what)),
                Judged::Open if cfg!(not(feature = "z3")) && o.what.ends_with("once") => None,
                Judged::Open => Some(o.what),
            }));
        }
        assert_eq!(&open, expected, "{name}");
    }
}

/// The text, and those without one of its assumptions or with one of its numerals changed.
fn mutants(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut all = vec![text.to_owned()];
    for (k, line) in lines.iter().enumerate() {
        let mut with = |changed: String| {
            let mut lines: Vec<&str> = lines.clone();
            lines[k] = &changed;
            all.push(lines.join("\n"));
        };
        if line.trim_start().starts_with("assume(") && line.trim_end().ends_with(");") {
            with(String::new());
        }
        if line.contains(" - 1") {
            with(line.replacen(" - 1", "", 1));
        }
        if line.contains("for ") && line.contains("0..") {
            with(line.replacen("0..", "0..1 + ", 1));
        }
    }
    all
}

/// The read at a span, if it is proved. A run ends at the first assertion that it breaks, and the search for reads
/// outside goes on behind a write outside: it says nothing against a proof behind a write that is not proved.
fn proved_in_spite(found: &SpecAnalysis, span: Span) -> Option<&Checked> {
    let proved = |checked: &&Checked| matches!(checked.judged, Judged::Proved { .. });
    let ends = |checked: &&Checked| checked.kind == Obligation::Write && !proved(checked);
    let reached = found.obligations.iter().take_while(|checked| !ends(checked));
    reached.filter(proved).find(|c| c.kind == Obligation::Read && c.span == span)
}

fn nothing_proved_is_broken(every: usize) {
    let folders = ["programs", "structures", "even", "never_proved"];
    let all = folders.iter().flat_map(|f| specs(&root().join("inverter/tests").join(f)));
    let (mut proofs, mut broken) = (0, 0);
    for path in all.step_by(every) {
        let text = std::fs::read_to_string(&path).unwrap();
        for text in mutants(&text) {
            for spec in stages(&path, &text).into_iter().flatten() {
                let found = analysed(&spec, &[Kind::Box, Kind::Polyhedra]);
                let outside = outside_reads(&spec, Instant::now() + Duration::from_secs(5));
                broken += outside.len();
                for refused in outside {
                    let wrong = proved_in_spite(&found, refused.span);
                    let name = path.display();
                    assert!(wrong.is_none(), "{name}: {wrong:?}: {}\n{text}", refused.what);
                }
                proofs += found
                    .obligations
                    .iter()
                    .filter(|c| matches!(&c.judged, Judged::Proved { by } if by != &["inverter"]))
                    .count();
            }
        }
    }
    println!("{proofs} proofs, {broken} reads outside");
    assert!(proofs > 0 && broken > 0);
}

#[test]
fn nothing_is_proved_that_a_small_input_breaks() {
    nothing_proved_is_broken(12);
}

#[test]
#[ignore = "slow: all specs of the inverter's tests, with mutants"]
fn nothing_of_all_specs_is_proved_that_a_small_input_breaks() {
    nothing_proved_is_broken(1);
}
