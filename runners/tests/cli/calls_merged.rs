//! `fuzz --calls`: differences that are one fault are one cause, and others stay apart.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::file;

/// Returns true if the C compiler takes these options for a program.
fn compiles(folder: &Path, options: &[&str]) -> bool {
    let source = folder.join("try.c");
    fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let output =
        Command::new("cc").args(options).arg("-o").arg(folder.join("try")).arg(&source).output();
    let there = output.is_ok_and(|o| o.status.success());
    if !there {
        test_support::skipped(format_args!("no cc {}", options.join(" ")));
    }
    there
}

const MODEL: &str = "
#include <assert.h>
static _Bool is_open;
void open_file(int mode) { assert(!is_open && mode >= 0 && mode <= 2); is_open = 1; }
void look(void) { assert(is_open); }
void wide(void) { assert(is_open); }
void seek(void) { assert(is_open); }
void first(void) { assert(is_open); }
void last(void) { assert(is_open); }
void again(void) { assert(is_open); }
";

const DESCRIPTION: &str = r#"
summary = "planted"
model = "model.c"
functions = ["open_file", "look", "wide", "seek", "first", "last", "again"]
drivers = ["driver.toml"]
[library]
open_file = ""
first = "get_row"
last = "get_row"
"#;

const DRIVER: &str = r#"
name = "planted"
summary = "planted"
decoder = "own"
[tools]
build = [["cc", "-std=c11", "-D_DEFAULT_SOURCE", "-g", "EXTRA", "-I", "REQUESTS", "-o", "{tools}/planted", "{here}/driver.c"]]
[run]
worker = ["{tools}/planted"]
command = ["{tools}/planted", "{in}", "{out}"]
env = { ASAN_OPTIONS = "abort_on_error=1:detect_leaks=0" }
[version]
command = ["cc", "--version"]
[output]
format = "bytes"
[limits]
memory = "resident"
"#;

/// After `look` and after `wide`, no row can be read; after `seek`, the first row is wrong if the file is
/// big-endian, and the last one if it is a BigTIFF; in both, `again` is wrong the second time. With
/// `FREED`, the first row after `look` is read from freed memory.
const SOURCE: &str = r#"
#include "requests.h"
struct session { const unsigned char *file; int is_open, looked, widened, sought, again; unsigned char *rows; };
static int picture(const unsigned char *file, size_t size, char *out, size_t room) {
    (void)file;
    snprintf(out, room, "%zu", size);
    return size > 4;
}
static void *begin(const unsigned char *file, size_t size) {
    struct session *s = calloc(1, sizeof *s);
    (void)size;
    s->file = file;
    return s;
}
int __attribute__((noinline)) decode_row(volatile unsigned char *rows) { return rows[0]; }
static enum answer no_row(int n, char *why, size_t room) {
    snprintf(why, room, "no row %d", n);
    return ANSWER_REFUSED;
}
static enum answer run(void *context, const struct call *call, char *why, size_t room) {
    struct session *s = context;
    int big = s->file[0] == 'M', large = s->file[2] == 43 || s->file[3] == 43;
    int first = strcmp(call->name, "first") == 0;
    if (strcmp(call->name, "open_file") == 0) {
        if (s->is_open || call->arguments[0] < 0 || call->arguments[0] > 2) return ANSWER_REFUSED;
        s->is_open = 1;
        return ANSWER_SAME;
    }
    if (!s->is_open) return ANSWER_REFUSED;
    if (strcmp(call->name, "look") == 0) { s->looked = 1; return ANSWER_SAME; }
    if (strcmp(call->name, "wide") == 0) { s->widened = 1; return ANSWER_SAME; }
    if (strcmp(call->name, "seek") == 0) { s->sought = 1; return ANSWER_SAME; }
    if (strcmp(call->name, "again") == 0) return ++s->again > 1 && (big || large) ? ANSWER_DIFFERS : ANSWER_SAME;
#ifdef FREED
    if (s->looked) {
        s->rows = malloc(9);
        free(s->rows);
        return decode_row(s->rows) == 7 ? ANSWER_SAME : ANSWER_DIFFERS;
    }
    return ANSWER_SAME;
#endif
    if (s->looked || s->widened) return no_row(first ? 0 : 7, why, room);
    return s->sought && (first ? big : large) ? ANSWER_DIFFERS : ANSWER_SAME;
}
static void end(void *context) { free(context); }
int main(int count, char **words) { return serve(count, words, (struct library){picture, begin, run, end}); }
"#;

/// Runs `repfuzz fuzz` with the planted library; returns its lines of JSON. The exit code must be 1.
fn fuzz(folder: &Path, option: &str, seeds: &[&str], more: &[&str]) -> Vec<Value> {
    let path = |name: &str| folder.join(name);
    let requests = file("corpus/interfaces/drivers");
    let driver =
        DRIVER.replace("EXTRA", option).replace("REQUESTS", &requests.display().to_string());
    for (name, text) in [
        ("model.c", MODEL),
        ("model.toml", DESCRIPTION),
        ("driver.toml", &driver),
        ("driver.c", SOURCE),
    ] {
        fs::write(path(name), text).unwrap();
    }
    let output = Command::new(assert_cmd::cargo::cargo_bin!("repfuzz"))
        .args(["fuzz", "--json", "--calls"])
        .arg(path("model.toml"))
        .arg("--report")
        .arg(path("report"))
        .args(more)
        .args(seeds.iter().map(|seed| file(seed)))
        .env("XDG_DATA_HOME", folder)
        .output()
        .unwrap();
    let (out, err) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{out}{err}");
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The causes with these functions of the library.
fn of<'v>(result: &'v Value, library: &[&str]) -> Vec<&'v Value> {
    let causes = result["causes"].as_array().unwrap();
    causes.iter().filter(|c| c["library"] == json!(library)).collect()
}

/// All that is expected of a run, of one seed or of several.
fn check(result: &Value) {
    let causes = result["causes"].as_array().unwrap();
    assert_eq!(causes.len(), 5, "{result:#}");
    // One fault, of two functions of the model that are one function of the library.
    let [look] = of(result, &["look", "get_row"])[..] else { panic!("{result:#}") };
    assert_eq!(look["any"], json!(["open_file(_)", "look()", "first()"]), "{look:#}");
    let evidence = &look["evidence"][0];
    assert_eq!(evidence["calls"], json!(["open_file(0)", "look()", "last()"]), "{look:#}");
    assert_eq!(evidence["sure"], "sure", "{look:#}");
    // Another function before it: apart, but known to be alike.
    let [wide] = of(result, &["wide", "get_row"])[..] else { panic!("{result:#}") };
    let like = usize::try_from(wide["like"].as_u64().unwrap()).unwrap();
    assert_eq!(causes[like - 1]["library"], look["library"], "{result:#}");
    // The functions are the same, but neither shows it on the file of the other.
    let [one, other] = of(result, &["seek", "get_row"])[..] else { panic!("{result:#}") };
    assert_ne!(one["choices"], other["choices"], "{result:#}");
    // The sequence is the same, on files that have different choices.
    let [again] = of(result, &["again", "again"])[..] else { panic!("{result:#}") };
    let evidence = again["evidence"].as_array().unwrap();
    let mut choices: Vec<String> = evidence.iter().map(|e| e["choices"].to_string()).collect();
    choices.push(again["choices"].to_string());
    for needed in [json!({"byte order": "MM"}), json!({"format": "BigTIFF"})] {
        assert!(choices.contains(&needed.to_string()), "{again:#}");
    }
}

#[test]
fn what_is_one_fault_is_one_cause() {
    let folder = tempfile::tempdir().unwrap();
    if !compiles(folder.path(), &[]) {
        return;
    }
    let more = ["-n", "12", "--vary", "byte order,format"];
    let seeds = ["corpus/seeds/tiny.tif", "corpus/seeds/gray.tif"];
    let results = fuzz(folder.path(), "-O0", &seeds, &more);
    let [one, other, both] = &results[..] else { panic!("{results:#?}") };
    for result in [one, other, both] {
        check(result);
    }
    // Each cause of the second seed is one of the first.
    for cause in both["causes"].as_array().unwrap() {
        let seeds: Vec<&Value> =
            cause["evidence"].as_array().unwrap().iter().map(|e| &e["seed"]).collect();
        assert!(seeds.contains(&&other["seed"]) && cause["seed"] == one["seed"], "{cause:#}");
    }
    // The code of the driver is beside the programs.
    let report = folder.path().join("report");
    let shown = both["causes"][0]["shown_by"].as_str().unwrap();
    let beside = report.join(shown).parent().unwrap().join("driver.c");
    assert_eq!(fs::read_to_string(beside).unwrap(), SOURCE);
    let program = fs::read_to_string(report.join(shown).with_extension("c")).unwrap();
    assert!(program.contains(" calls-01.c\n") && program.contains("\"driver.c\""), "{program}");
    let written = fs::read_to_string(folder.path().join("report/calls.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), *both);
}

#[test]
fn crashes_are_named_by_the_sanitizer() {
    let folder = tempfile::tempdir().unwrap();
    let sanitizer = "-fsanitize=address";
    if !compiles(folder.path(), &[sanitizer]) {
        return;
    }
    let option = format!("{sanitizer}\", \"-DFREED");
    let results = fuzz(folder.path(), &option, &["corpus/seeds/tiny.tif"], &["-n", "0"]);
    let [result] = &results[..] else { panic!("{results:#?}") };
    let [crash] = of(result, &["look", "get_row"])[..] else { panic!("{result:#}") };
    assert_eq!(crash["kind"], "crash");
    assert_eq!(crash["fault"], "AddressSanitizer: heap-use-after-free in decode_row", "{crash:#}");
    assert_eq!(crash["evidence"][0]["sure"], "sure", "{crash:#}");
    let page = fs::read_to_string(folder.path().join("report/calls.html")).unwrap();
    assert!(page.contains("heap-use-after-free in decode_row"), "{page}");
}
