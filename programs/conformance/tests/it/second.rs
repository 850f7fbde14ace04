//! Second looks at counterexamples: pairs of small programs whose truth is known by running them.
//!
//! Each pair of `data/second` is compiled, and the producer's output is handed to the consumer, once for each list of
//! arguments. `truth` is `yes` if the consumer reads all files, and `no` if it refuses one. `verdict` is that of the check:
//! the truth, or `open`, with the words of `reason`.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::pairs::look;
use conformance::settings;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// True if the programs write and read by the standard library.
    #[serde(default)]
    standard: bool,
    pair: Vec<Pair>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    producer: String,
    consumer: String,
    truth: String,
    #[serde(default)]
    verdict: String,
    #[serde(default)]
    reason: String,
    /// Arguments of the producer's runs: none, and up to three.
    #[serde(default)]
    arguments: Vec<String>,
}

const IO: &str = "function = [
    { name = 'pb', direction = 'out', type = 'byte', value = 1 },
    { name = 'pw', direction = 'out', type = 'word', value = 1 },
    { name = 'gb', direction = 'in', type = 'byte', into = 0 },
    { name = 'gw', direction = 'in', type = 'word', into = 0 },
]";

const DECLARED: &str = "#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n\
                        void pb(int); void pw(int); int gb(void); int gw(void);\n";

/// The functions that write and read, and a check that all was read.
const RUNTIME: &str = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n
    static void put(int kind, int v) { putchar(kind); fwrite(&v, sizeof v, 1, stdout); }
    void pb(int v) { put('b', v); } void pw(int v) { put('w', v); }
    static int get(int kind) { int v; if (getchar() != kind || fread(&v, sizeof v, 1, stdin) != 1) _exit(9); return v; }
    int gb(void) { return get('b'); } int gw(void) { return get('w'); }
    static void done(int status, void *reads) { if (!status && reads && getchar() != EOF) _exit(8); }
    __attribute__((constructor)) static void begin(void) { on_exit(done, READS); }";

fn whole(text: &str) -> String {
    match text.contains("main(") {
        true => format!("{DECLARED}{text}"),
        false => format!("{DECLARED}int main(int argc, char **argv) {{ {text} return 0; }}"),
    }
}

/// The pairs, each with its file, and whether that is about the standard library.
fn pairs() -> Vec<((String, bool), Pair)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/second");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut all = Vec::new();
    for path in files {
        let file: File = toml::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        all.extend(file.pair.into_iter().map(|pair| ((name.clone(), file.standard), pair)));
    }
    all
}

#[test]
fn counterexamples_that_are_not_possible_are_none() {
    let [own, standard] = [IO, "standard = true"].map(|text| settings::read("io", text).unwrap());
    let (mut wrong, mut remarked, mut open, mut first) = (Vec::new(), Vec::new(), 0, 0);
    let all = pairs();
    for ((file, is_standard), pair) in &all {
        let io = if *is_standard { &standard } else { &own };
        let look = look(io, &whole(&pair.producer), &whole(&pair.consumer));
        let expected = if pair.verdict.is_empty() { &pair.truth } else { &pair.verdict };
        let is_yes = look.verdict == "yes" && !look.remarks.is_empty();
        remarked.extend(is_yes.then(|| format!("{}: {:?}", pair.consumer, look.remarks)));
        open += usize::from(look.verdict == "open");
        first += usize::from(!look.first && pair.truth == "yes");
        if look.verdict != expected || !look.reasons.join("\n").contains(&pair.reason) {
            wrong.push(format!("{file}: {} -- {}: {look:?}", pair.producer, pair.consumer));
        }
    }
    eprintln!("{} pairs, {open} open; false at first look: {first}", all.len());
    eprintln!("conform with a remark: {remarked:#?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Compiles a program with the runtime.
fn compile(folder: &Path, name: &str, text: &str, reads: bool) -> std::path::PathBuf {
    let path = folder.join(name);
    std::fs::write(path.with_extension("c"), whole(text)).unwrap();
    std::fs::write(folder.join("runtime.c"), RUNTIME).unwrap();
    let reads = if reads { "-DREADS=stdin" } else { "-DREADS=NULL" };
    let done = Command::new("cc")
        .args(["-w", reads, "-o"])
        .arg(&path)
        .arg(path.with_extension("c"))
        .arg(folder.join("runtime.c"))
        .status();
    assert!(done.unwrap().success(), "{text}");
    path
}

#[test]
fn truths_are_those_of_runs() {
    let folder = tempfile::tempdir().unwrap();
    for (k, (_, pair)) in pairs().into_iter().enumerate() {
        let producer = compile(folder.path(), &format!("p{k}"), &pair.producer, false);
        let consumer = compile(folder.path(), &format!("c{k}"), &pair.consumer, true);
        let mut given = vec![Vec::new(), vec!["x"], vec!["x", "y"], vec!["x", "y", "z"]];
        given.extend(pair.arguments.iter().map(|line| line.split(' ').collect()));
        let mut truth = "yes";
        for arguments in given {
            let written = Command::new(&producer).args(arguments).output().unwrap();
            // A run that fails writes no whole file.
            if !written.status.success() {
                continue;
            }
            let mut run = Command::new(&consumer)
                .stdin(Stdio::piped())
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            // A consumer that has seen enough does not wait for the rest.
            let _ = std::io::Write::write_all(&mut run.stdin.take().unwrap(), &written.stdout);
            if !run.wait().unwrap().success() {
                truth = "no";
            }
        }
        assert_eq!(truth, pair.truth, "{} -- {}", pair.producer, pair.consumer);
    }
}
