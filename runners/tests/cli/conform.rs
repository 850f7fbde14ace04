//! `repfuzz conform`: output, exit codes and JSON.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{folder, repfuzz};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs/conformance/tests/data/c").join(name)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect(text)
}

#[test]
fn a_consumer_that_conforms() {
    let (p, c, io) = (data("producer.c"), data("consumer.c"), data("sensor.toml"));
    let ran = repfuzz!["conform", "--producer", p, "--consumer", c, "--io", io, "--json"];
    let found = json(ran.fine());
    let sizes = (&found["producer_states"], &found["consumer_states"]);
    assert_eq!(sizes, (&9.into(), &5.into()));
    assert_eq!((&found["conforms"], &found["vacuous"]), (&true.into(), &false.into()));
    assert_eq!(found["counterexample"], Value::Array(vec![]));
    // The reader does not look at the first field of a packet alone: of what it does with it, nothing is known.
    let remarks = found["remarks"].as_array().unwrap();
    let text = |remark: &Value| remark["text"].as_str().unwrap().to_owned();
    let is_it = |remark: &&Value| text(remark).contains("`readBool` has no `into`");
    let remark = remarks.iter().find(is_it).unwrap();
    assert_eq!((&remark["place"]["line"], &remark["more"]), (&16.into(), &0.into()));
    assert!(
        remarks.iter().any(|remark| text(remark).starts_with("`more` is in none of the files"))
    );
    let (p, c, io) = (data("producer.c"), data("consumer.c"), data("sensor.toml"));
    let ran = repfuzz!["conform", "--producer", p, "--consumer", c, "--io", io];
    let line = "conforms, but for what is open (producer: 9 states, consumer: 5 states)\nopen: ";
    assert!(ran.fine().starts_with(line), "{}", ran.stdout);
    for (mode, code) in [("vpa", 0), ("fa", 0), ("no-enrich", 3)] {
        let ran = repfuzz![
            "conform",
            "--producer",
            data("producer.c"),
            "--consumer",
            data("consumer.c"),
            "--io",
            data("sensor.toml"),
            "--mode",
            mode,
            "--json",
        ];
        assert_eq!(ran.code, code, "{mode}: {}", ran.stderr);
    }
}

#[test]
fn a_counterexample_has_files_and_lines() {
    let (p, c, io) = (data("producer.c"), data("buggy.c"), data("sensor.toml"));
    let ran = repfuzz!["conform", "--producer", &p, "--consumer", &c, "--io", &io, "--json"];
    // No file has `more`, so that the producer may call itself without end and no second look decides.
    assert_eq!((ran.code, &*ran.stderr), (3, ""));
    let found = json(&ran.stdout);
    let event = &found["counterexample"][0];
    assert_eq!(
        (&found["conforms"], &event["type"], &event["line"]),
        (&false.into(), &"bool".into(), &5.into())
    );
    assert!(event["file"].as_str().unwrap().ends_with("producer.c"));

    let ran = repfuzz!["conform", "--producer", p, "--consumer", c, "--io", io];
    assert_eq!(ran.code, 3);
    let wanted = "Then the producer ends, where the consumer expects double.";
    assert!(ran.stdout.contains(wanted), "{}", ran.stdout);
    // The lines of source of both.
    assert!(ran.stdout.contains("writeBool(0);") && ran.stdout.contains("readDouble();"));
}

/// Of an empty set of files, anything holds.
#[test]
fn a_side_that_accepts_nothing_is_an_error() {
    let folder = folder();
    let ends = folder.path().join("ends.c");
    fs::write(
        &ends,
        "void exit(int); void writeBool(int);
        int main(void) { writeBool(1); exit(1); }",
    )
    .unwrap();
    let (c, io) = (data("consumer.c"), data("sensor.toml"));
    let ran = repfuzz!["conform", "--producer", &ends, "--consumer", c, "--io", io];
    assert_eq!((ran.code, &*ran.stdout), (2, ""));
    assert!(ran.stderr.contains("no run of the producer returns"), "{}", ran.stderr);
}

#[test]
fn automata_take_the_place_of_programs() {
    let folder = folder();
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let consumer = at(
        "c.dot",
        "digraph { s [shape=point]; s -> a; a [shape=doublecircle]; a -> b [label=\"bool\"]; b -> a; \
         b -> c [label=\"double\"]; c -> a [label=\"bool\"]; }",
    );
    let (p, io) = (data("producer.c"), data("sensor.toml"));
    let ran = repfuzz!["conform", "--producer", &p, "--consumer", &consumer, "--io", &io];
    let verdict = "conforms, but for what is open (producer: 9 states, consumer: 3 states)\n";
    assert!(ran.fine().starts_with(verdict), "{}", ran.stdout);
    let producer =
        at("p.toml", "initial = 'a'\nfinal = 'b'\nedge = [{ from = 'a', on = 'word', to = 'b' }]");
    let ran = repfuzz!["conform", "--producer", producer, "--consumer", consumer, "--json"];
    assert_eq!(ran.code, 1);
    assert_eq!(json(&ran.stdout)["counterexample"][0]["file"], Value::Null);
}

#[test]
fn sites_are_written_then_read_and_automata_drawn() {
    let folder = folder();
    let (sites, dot) = (folder.path().join("sites"), folder.path().join("dot"));
    let page = folder.path().join("page.html");
    let run = || {
        let (p, c, io) = (data("producer.c"), data("consumer.c"), data("sensor.toml"));
        repfuzz![
            "conform",
            "--producer",
            p,
            "--consumer",
            c,
            "--io",
            io,
            "--sites",
            &sites,
            "--dot",
            &dot,
            "--page",
            &page,
        ]
    };
    assert_eq!(run().code, 0);
    let list = fs::read_to_string(&sites).unwrap();
    assert_eq!(list.lines().count(), 1 + 4 + 3, "{list}");
    assert!(fs::read_to_string(dot.join("producer.dot")).unwrap().starts_with("digraph"));
    let text = fs::read_to_string(&page).unwrap();
    assert!(
        text.contains("The consumer conforms, but for what is open") && text.contains("readBool")
    );
    // The consumer's last read is struck out.
    let kept: Vec<&str> = list.lines().filter(|line| !line.contains("readDouble")).collect();
    fs::write(&sites, kept.join("\n")).unwrap();
    assert_eq!(run().code, 3);
}

#[test]
fn a_score_is_printed() {
    let (p, c, io) = (data("producer.c"), data("consumer.c"), data("sensor.toml"));
    let ran = repfuzz!["conform", "--producer", p, "--consumer", c, "--io", io, "--score", "100"];
    let line = "score: 6 of 12 changes of the producer are noticed";
    assert!(ran.fine().contains(line), "{}", ran.stdout);
}

#[test]
fn a_client_of_libtiff() {
    let folder = folder();
    fs::write(
        folder.path().join("reader.c"),
        "int read(TIFF *tif) {\n  TIFFGetField(tif, TIFFTAG_BITSPERSAMPLE, &bits);\n  \
         // TIFFTAG_ORIENTATION\n  return TIFFReadScanline(tif, row, 0, 0);\n}\n",
    )
    .unwrap();
    let ran =
        repfuzz!["conform", "--client-source", folder.path(), "--client", "leptonica", "--json"];
    let found = json(ran.fine());
    assert_eq!(found["client"], "leptonica");
    assert_eq!(found["asked"]["BITSPERSAMPLE"][0]["line"], 2);
    let predictions = found["predictions"].as_array().unwrap();
    let of = |dimension: &str| predictions.iter().find(|p| p["dimension"] == dimension).unwrap();
    assert_eq!(of("orientation")["values"], "2 to 8");
    assert_eq!((&of("tiled")["effect"], &of("tiled")["line"]), (&"refused".into(), &4.into()));
    let ran = repfuzz!["conform", "--client-source", folder.path()];
    assert!(ran.fine().contains("orientation 2 to 8: wrong\n"), "{}", ran.stdout);
}

#[test]
fn predictions_stand_in_the_report() {
    let folder = folder();
    let source = folder.path().join("source");
    fs::create_dir(&source).unwrap();
    let text = "int read(void) {\n  TIFF *tif = TIFFClientOpen(a, b, c, d, e, f, g, h, NULL, NULL);\n  \
                TIFFReadRGBAImage(tif, w, h, raster, 0);\n}\n";
    fs::write(source.join("reader.c"), text.replace("g, h,", "g,")).unwrap();
    let ran = repfuzz!["conform", "--client-source", &source, "--client", "rust-tiff", "--json"];
    let found = json(ran.fine());
    let of = |dimension: &str| {
        let all = found["predictions"].as_array().unwrap();
        all.iter().find(|p| p["dimension"] == dimension).unwrap().clone()
    };
    let tiled = of("tiled");
    assert_eq!((&tiled["effect"], &tiled["line"]), (&"wrong".into(), &3.into()));
    assert_eq!(tiled["libtiff"], "libtiff/tif_getimage.c:1544");
    assert_eq!(of("tile_length")["line"], 2);
    let file = folder.path().join("predictions.json");
    fs::write(&file, &ran.stdout).unwrap();

    let report = folder.path().join("report");
    let seed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/seeds/gray.tif");
    repfuzz!["fuzz", seed, "--clients=rust-tiff", "-n4", "--report", &report];
    let (store, again) = (report.join("repfuzz.sqlite"), folder.path().join("again"));
    let ran = repfuzz!["report", &store, "-o", &again, "--predictions", &file];
    assert_eq!(ran.stderr, "");
    let page = fs::read_to_string(again.join("clients/01-rust-tiff.html")).unwrap();
    for wanted in ["predictions from its source", "reader.c:3", "tif_getimage.c:1544"] {
        assert!(page.contains(wanted), "{wanted}: {page}");
    }
    // A client that the store does not have, and a file of another kind.
    let other = folder.path().join("other.json");
    fs::write(&other, fs::read_to_string(&file).unwrap().replace("rust-tiff", "gd")).unwrap();
    let ran = repfuzz!["report", &store, "-o", &again, "--predictions", &other];
    assert!(ran.error().contains("the store has no client `gd`"));
    let ran = repfuzz!["report", &store, "-o", &again, "--predictions", source.join("reader.c")];
    assert!(ran.error().contains("no predictions for a client"));
}

/// A counterexample of the first look, with what the second one makes of it.
#[test]
fn a_counterexample_is_looked_at_again() {
    let folder = folder();
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let io = at("io.toml", "standard = true\nfunction = [{ name = 'put', direction = 'out' }]");
    let consumer =
        at("c.c", "#include <stdio.h>\nint main(void) { getchar(); getchar(); return 0; }");
    let check = |body: &str, more: &str| {
        let text = format!("#include <stdio.h>\nint main(int n, char **v) {{ {body} return 0; }}");
        let producer = at("p.c", &text);
        match more {
            "" => repfuzz!["conform", "--producer", producer, "--consumer", &consumer, "--io", &io],
            _ => repfuzz![
                "conform",
                "--producer",
                producer,
                "--consumer",
                &consumer,
                "--io",
                &io,
                more
            ],
        }
    };
    let ran = check("for (int i = 0; i < 2; i++) putchar(i);", "");
    assert!(ran.fine().starts_with("conforms, but for what is open"), "{}", ran.stdout);
    // A name that nothing has.
    let said = ran.stdout.replace("\n      ", " ");
    assert!(said.contains("open: `put` in --io is called in none of the files"), "{said}");
    let ran = check("for (int i = 0; i < 3; i++) putchar(i);", "");
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.starts_with("does not conform"), "{}", ran.stdout);
    let lost = "putchar(1); putchar(2); double x = 1.5; if (x > 2) putchar(3);";
    let ran = check(lost, "");
    assert_eq!(ran.code, 3, "{}", ran.stdout);
    let said = ran.stdout.replace("\n      ", " ");
    assert!(said.starts_with("may not conform: it depends on values of the producer"), "{said}");
    assert!(
        said.contains("a condition by `x` in `main` of the producer is not followed"),
        "{said}"
    );
    assert!(said.contains("Perhaps the producer emits:"), "{said}");
    let found = json(&check(lost, "--json").stdout);
    assert_eq!((&found["conforms"], &found["decided"]), (&false.into(), &false.into()));
    // A type that the consumer reads nowhere.
    let ran = check("puts(\"ab\");", "");
    assert!(
        ran.stdout.replace('\n', " ").contains("It reads no such type anywhere"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_missing_header_is_named_first() {
    let folder = folder();
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let good = data("producer.c");
    let parts = at("parts.c", "#include \"no.h\"\nvoid all(void) { readBool(); }\n");
    let main = at("main.c", "void all(void); int main(void) { all(); return 0; }\n");
    let io = data("sensor.toml");
    let ran = repfuzz!["conform", "--producer", good, "--consumer", main, parts, "--io", io];
    let line = ran.error();
    assert!(line.contains("parts.c:1:1: no.h: No such file"), "{line}");
    assert!(line.ends_with("so no call of the consumer reads by a function of --io"), "{line}");
}

#[test]
fn wrong_input_is_one_line() {
    let folder = folder();
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let (good, io) = (data("producer.c"), data("sensor.toml"));
    let empty = at("empty.c", "");
    let prose = at("prose.c", "This is no C at all. }}}} (((");
    let header = at("header.c", "#include \"missing.h\"\nint main(void) { return 0; }\n");
    let around = at("around.c", "#include \"around.c\"\n");
    let deep = at(
        "deep.c",
        &format!("int main(void) {{ return {}1{}; }}", "(".repeat(10_000), ")".repeat(10_000)),
    );
    let long = at("long.c", &format!("int main(void) {{ return {}1; }}", "1 + ".repeat(10 << 18)));
    let missing = folder.path().join("missing.c");
    for file in [&empty, &prose, &header, &around, &deep, &long, &missing] {
        let ran = repfuzz!["conform", "--producer", file, "--consumer", &good, "--io", &io];
        let line = ran.error();
        assert!(line.len() < 500, "{line}");
        // The reason, too.
        let too_much = [&deep, &long].contains(&file);
        assert!(!too_much || line.contains("more than"), "{line}");
    }
    let ran = repfuzz!["conform", "--producer", &good, "--consumer", &good];
    assert_eq!(ran.error(), "the producer is in C: --io names the functions that write and read");
    let toml = at("bad.toml", "initial = 1");
    let ran = repfuzz!["conform", "--producer", &toml, "--consumer", &toml];
    assert!(ran.error().contains("bad.toml:1: "));
    let dot = at("bad.dot", "digraph { a -> b [label=\"> \"]; ");
    let ran = repfuzz!["conform", "--producer", &dot, "--consumer", &dot];
    assert!(ran.error().contains("bad.dot:1: "));
    let bool =
        "digraph { s [shape=point]; s -> a; a -> b [label=\"bol\"]; b [shape=doublecircle]; }";
    let dot = at("misspelled.dot", bool);
    let ran = repfuzz!["conform", "--producer", &good, "--consumer", &dot, "--io", &io];
    let line = ran.error();
    assert!(
        line.ends_with("misspelled.dot:1: `bol` is no type of --io, nor of a call of the program"),
        "{line}"
    );
    let text =
        fs::read_to_string(&io).unwrap() + "\n[[type]]\nname = \"double\"\nof = [\"bite\"]\n";
    let wrong = at("wrong.toml", &text);
    let ran =
        repfuzz!["conform", "--producer", &good, "--consumer", data("consumer.c"), "--io", wrong];
    assert!(ran.error().contains("type `double` in --io is made of `bite`"), "{}", ran.stderr);
    let ran = repfuzz!["conform", "--client-source", folder.path().join("nowhere")];
    assert!(ran.error().contains("nowhere: "));
}

/// A settings file, and functions that it names.
const WRITES: &str = "int nd(void); void writeInt(int x) {} void writeBool(int b) {}\n";
const READS: &str =
    "int nd(void); int readInt(void) { return 0; } int readBool(void) { return 0; }\n";
const NAMES: &str = "function = [{ name = 'writeInt', direction = 'out', type = 'int' }, \
    { name = 'writeBool', direction = 'out', type = 'bool' }, \
    { name = 'readInt', direction = 'in', type = 'int' }, \
    { name = 'readBool', direction = 'in', type = 'bool' }]\n";

#[test]
fn statuses_say_what_was_decided() {
    let folder = folder();
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let io = at("io.toml", NAMES);
    let run = |producer: &str, consumer: &str, more: &[&str]| {
        let producer = at("p.c", &format!("{WRITES}{producer}"));
        let consumer = at("c.c", &format!("{READS}{consumer}"));
        let mut command = vec!["conform".into(), "--producer".into(), producer.into_os_string()];
        command.extend(["--consumer".into(), consumer.into_os_string()]);
        command.extend(["--io".into(), io.clone().into_os_string()]);
        command.extend(more.iter().map(std::ffi::OsString::from));
        crate::ran(crate::command().args(command))
    };
    let one = "int main(void) { readInt(); return 0; }";
    let at_exit = "int atexit(void (*)(void)); void last(void) { writeBool(1); }\n\
        int main(void) { atexit(last); writeInt(1); return 0; }";
    for (producer, consumer, code, said) in [
        // Of a number and 1, only 0 and 1 are possible.
        (
            "int main(void) { switch (nd() & 1) { case 0: writeInt(1); break; case 1: writeBool(1); } return 0; }",
            "int main(void) { if (nd()) readInt(); else readBool(); return 0; }",
            0,
            "conforms",
        ),
        // What never returns reads nothing more.
        (
            "int main(void) { writeBool(1); return 0; }",
            "extern _Noreturn void die(void);\n\
             int main(void) { readBool(); if (nd()) { die(); return 0; } readInt(); return 0; }",
            1,
            "does not conform",
        ),
        (
            "static void (hdr)(int k) { writeInt(k); } int main(void) { hdr(1); writeBool(1); return 0; }",
            "int main(void) { readInt(); readBool(); return 0; }",
            0,
            "conforms",
        ),
        (
            "__attribute__((constructor)) static void first(void) { writeBool(1); }\n\
             int main(void) { writeInt(1); return 0; }",
            one,
            3,
            "decides: p.c:2: constructor",
        ),
        // One that does nothing decides nothing.
        (
            "__attribute__((constructor)) static void first(void) { }\n\
             int main(void) { writeInt(1); return 0; }",
            one,
            0,
            "conforms",
        ),
        (at_exit, one, 3, "is handed to `atexit`"),
        (
            "#pragma omp parallel\nint main(void) { writeInt(1); return 0; }",
            one,
            3,
            "decides: p.c:2: `#pragma omp` is not understood",
        ),
        // It is accepted only if the first call of `get` returns behind the second one.
        (
            "int main(void) { writeInt(1); writeInt(1); return 0; }",
            "void get(void) { readInt(); }\n\
             int main(void) { get(); readBool(); get(); readInt(); return 0; }",
            3,
            "returns of `get` are taken to lead to any of their calls",
        ),
    ] {
        let ran = run(producer, consumer, &[]);
        let text = ran.stdout.replace("\n      ", " ");
        let text = text.replace(&format!("{}/", folder.path().display()), "");
        assert_eq!(ran.code, code, "{producer} -- {consumer}: {text}{}", ran.stderr);
        assert!(text.contains(said), "{said}: {text}");
    }
    // Only one mode looks again.
    let wrong = "int main(void) { writeBool(1); return 0; }";
    assert_eq!(run(wrong, one, &[]).code, 1);
    let ran = run(wrong, one, &["--mode", "fa", "--json"]);
    let found = json(&ran.stdout);
    assert_eq!((ran.code, &found["decided"]), (3, &false.into()), "{found}");
    assert_eq!(found["remarks"][0]["weight"], "undecided", "{found}");
}
