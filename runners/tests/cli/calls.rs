//! `fuzz --calls`: what depends on the order of calls is found, and reduced to the fewest dimensions and
//! the shortest sequence.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::file;

/// Runs `repfuzz fuzz` on the small seed; returns the exit code, standard output and standard error.
fn fuzz(folder: &Path, calls: &str, more: &[&str]) -> (i32, String, String) {
    fuzz_text(folder, calls, &[more, &["--json"]].concat())
}

/// Runs it without `--json`.
fn fuzz_text(folder: &Path, calls: &str, more: &[&str]) -> (i32, String, String) {
    let output = Command::new(assert_cmd::cargo::cargo_bin!("repfuzz"))
        .args(["fuzz", "--calls", calls, "--report"])
        .arg(folder.join("report"))
        .args(more)
        .arg(file("corpus/seeds/tiny.tif"))
        .env("XDG_DATA_HOME", folder)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The interface of a library with two faults.
const MODEL: &str = "
#include <assert.h>
static _Bool is_open;
void open_file(int mode) { assert(!is_open && mode >= 0 && mode <= 2); is_open = 1; }
void close_file(void) { assert(is_open); is_open = 0; }
void look(void) { assert(is_open); }
void read_all(void) { assert(is_open); }
";

/// Its driver: the second reading of a big-endian file is wrong, reading after a look at a BigTIFF dies,
/// and so is, if it is not 0, reading number `READING` of a process.
const DRIVER: &str = r#"
#include "requests.h"
struct session { const unsigned char *file; int is_open, reads, looked; };
static int all_reads;
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
static enum answer run(void *context, const struct call *call, char *why, size_t room) {
    struct session *s = context;
    if (strcmp(call->name, "open_file") == 0) {
        if (s->is_open || call->arguments[0] < 0 || call->arguments[0] > 2) return ANSWER_REFUSED;
        s->is_open = 1;
        return ANSWER_SAME;
    }
    if (!s->is_open) return ANSWER_REFUSED;
    if (strcmp(call->name, "close_file") == 0) { memset(&s->is_open, 0, sizeof *s - sizeof s->file); return ANSWER_SAME; }
    if (strcmp(call->name, "look") == 0) { s->looked = 1; return ANSWER_SAME; }
    if (s->looked && (s->file[2] == 43 || s->file[3] == 43)) abort();
    if (++all_reads == READING) { snprintf(why, room, "reading %d of the process", all_reads); return ANSWER_DIFFERS; }
    if (++s->reads == 2 && s->file[0] == 'M') { snprintf(why, room, "the second"); return ANSWER_DIFFERS; }
    return ANSWER_SAME;
}
static void end(void *context) { free(context); }
int main(int count, char **words) { return serve(count, words, (struct library){picture, begin, run, end}); }
"#;

/// Writes the model and its driver; returns the model's file, and the driver as a client. Reading number
/// `reading` of a process is wrong, if it is not 0.
fn planted(folder: &Path, reading: usize) -> (String, String) {
    let path = |name: &str| folder.join(name);
    fs::write(path("model.c"), MODEL).unwrap();
    fs::write(path("driver.c"), DRIVER).unwrap();
    let functions = "[\"open_file\", \"close_file\", \"look\", \"read_all\"]";
    let description =
        format!("summary = \"planted\"\nmodel = \"model.c\"\nfunctions = {functions}\n");
    fs::write(path("model.toml"), description).unwrap();
    let compiled = Command::new("cc")
        .args(["-std=c11", "-D_DEFAULT_SOURCE", &format!("-DREADING={reading}"), "-I"])
        .arg(file("corpus/interfaces/drivers"))
        .arg("-o")
        .args([path("driver"), path("driver.c")])
        .status()
        .unwrap();
    assert!(compiled.success());
    let client = format!("planted={} {{in}} {{out}}", path("driver").display());
    (path("model.toml").to_str().unwrap().to_owned(), client)
}

#[test]
fn differences_count_that_are_not_reduced() {
    if !test_support::installed("cc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (model, client) = planted(folder.path(), 5);
    // Only what is read before, in other sequences, makes a reading wrong: alone, it is right.
    let (code, out, err) = fuzz_text(folder.path(), &model, &["--client", &client, "-n", "0"]);
    assert_eq!(code, 1, "{out}{err}");
    let why = "alone in a fresh process, they read as in the plain order";
    let line = format!("planted: differences that were not reduced: 1 ({why})\n");
    assert!(out.contains(&line) && !out.contains("each sequence"), "{out}");
    let page = fs::read_to_string(folder.path().join("report/calls.html")).unwrap();
    assert!(page.contains(why) && !page.contains("reads alike"), "{page}");
    // No time is left for reduction.
    let (model, client) = planted(folder.path(), 0);
    let more = ["--client", &client, "-n", "12", "--vary", "byte order", "--reduce-time", "0"];
    let (code, out, err) = fuzz(folder.path(), &model, &more);
    assert_eq!(code, 1, "{out}{err}");
    let result: Value = serde_json::from_str(&out).unwrap();
    let driver = &result["drivers"][0];
    assert!(driver["differs"].as_u64().unwrap() > 0, "{result:#}");
    assert_eq!(driver["unreduced"]["stopped"], driver["differs"], "{result:#}");
    assert_eq!(result["causes"], json!([]));
    // No time is left for variants: the seed is tried.
    let more = ["--client", &client, "-n", "12", "--time", "0"];
    let (code, out, err) = fuzz_text(folder.path(), &model, &more);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("each sequence reads as in the plain order"), "{out}");
}

#[test]
fn planted_faults_are_reduced_in_both() {
    if !test_support::installed("cc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (model, client) = planted(folder.path(), 0);
    let vary = "byte order,format,orientation,segment order";
    let more = ["--client", &client, "-n", "12", "--vary", vary];
    let (code, out, err) = fuzz(folder.path(), &model, &more);
    assert_eq!(code, 1, "{out}{err}");
    let result: Value = serde_json::from_str(&out).unwrap();
    let causes = result["causes"].as_array().unwrap();
    let of = |kind: &str| causes.iter().filter(|c| c["kind"] == kind).collect::<Vec<_>>();
    let [crash] = of("crash")[..] else { panic!("{result:#}") };
    assert_eq!(crash["calls"], json!(["open_file(0)", "look()", "read_all()"]), "{crash:#}");
    assert_eq!(crash["choices"], json!({"format": "BigTIFF"}), "{crash:#}");
    let [differs] = of("differs")[..] else { panic!("{result:#}") };
    assert_eq!(differs["calls"], json!(["open_file(0)", "read_all()", "read_all()"]));
    assert_eq!(differs["choices"], json!({"byte order": "MM"}), "{differs:#}");
    assert_eq!(differs["why"], "the second");
    let page = fs::read_to_string(path("report/calls.html")).unwrap();
    assert!(page.contains("open_file(0) read_all() read_all()"), "{page}");
    assert!(page.contains("data:image/svg+xml;base64,"), "{page}");
    for example in ["report/calls-01.tif", "report/calls-02.tif", "report/calls.json"] {
        assert!(path(example).is_file(), "{example}");
    }
    // The program of a cause shows it by the code of the driver, on its file and on no other.
    let number = causes.iter().position(|c| c["kind"] == "differs").unwrap() + 1;
    let (name, shown) = (format!("calls-{number:02}"), format!("calls-{number:02}.tif"));
    assert_eq!(differs["shown_by"], shown, "{differs:#}");
    let compiled = Command::new("cc")
        .args(["-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Werror", "-DREADING=0"])
        .arg(format!("-DDRIVER=\"{}\"", path("driver.c").display()))
        .arg("-I")
        .arg(file("corpus/interfaces/drivers"))
        .args(["-o", &name, &format!("{name}.c")])
        .current_dir(path("report"))
        .status()
        .unwrap();
    assert!(compiled.success());
    let run = |on: &Path| {
        let mut program = Command::new(path("report").join(&name));
        let output = program.arg(on).current_dir(path("report")).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let said = "call 3 reads something else: the second\n".to_owned();
    assert_eq!(run(Path::new(&shown)), (Some(1), said));
    let seed = file("corpus/seeds/tiny.tif");
    assert_eq!(run(&seed), (Some(0), "as in the plain order\n".to_owned()));
    assert_eq!(run(Path::new("none")).0, Some(2));
}

#[test]
fn linked_in_libraries_read_alike_in_any_order() {
    if !test_support::installed("cc") {
        return;
    }
    // A guessed format is never BigTIFF (docs/interface.md).
    for library in ["tiff", "image"] {
        let folder = tempfile::tempdir().unwrap();
        let (code, out, err) = fuzz(folder.path(), library, &["-n", "4", "--without", "format"]);
        assert_eq!((code, &*err), (0, ""), "{out}");
        let result: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(result["files"], 5, "{result:#}");
        assert!(result["drivers"][0]["run"].as_u64().unwrap() > 500, "{result:#}");
    }
}

#[test]
fn wrong_models_and_drivers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = |calls: &str, more: &[&str]| {
        let (code, out, err) = fuzz(folder.path(), calls, more);
        assert_eq!((code, &*out, err.lines().count()), (2, "", 1), "{err}");
        err.trim_end().strip_prefix("error: ").unwrap().to_owned()
    };
    let unknown = error("libtif", &[]);
    assert!(
        unknown.ends_with("a model is one of image, libtiff, tiff, or the file of a description")
    );
    assert_eq!(error("tiff", &["--clients", "tif"]), "no driver is called \"tif\"");
    assert!(
        error("tiff", &["--client", "a=/no/such/driver {in} {out}"]).starts_with("a is missing: ")
    );
    let model = folder.path().join("m.toml");
    fs::write(&model, "summary = \"a\"\nmodel = \"m.c\"\nfunctions = [\"f\"]\nlinked = \"gif\"\n")
        .unwrap();
    let model = model.to_str().unwrap();
    assert_eq!(error(model, &[]), "no linked-in library is called \"gif\"");
}
