//! Specs that use other files: every way to read them. The suite `uses` has the mistakes.

use std::path::{Path, PathBuf};

use inverter::check::load_all;
use inverter::invert::invert;
use inverter::pipeline::{Pipeline, ReadError, from_text, read};
use inverter::primitive::Primitives;
use inverter::program::{Disk, Embedded, Files, SpecText, parse_from};
use inverter::run::{Limits, from_json, to_json};
use inverter::solve::ChoiceSource;
use serde_json::json;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uses")
}

fn both_ways(pipeline: &Pipeline) {
    let json = json!({"width": 3, "height": 2, "gray": [[1, 2, 3], [4, 5, 6]]});
    let y = from_json(pipeline.output(), &json).unwrap();
    let mut source = ChoiceSource::seeded(1, 1);
    let x = pipeline.invert(&y, &mut source, &Limits::default()).unwrap();
    assert_eq!(to_json(pipeline.output(), &pipeline.normalize(&x).unwrap()), json);
}

#[test]
fn specs_on_disk_use_the_files_beside_them() {
    let names = |path: &Path| -> Vec<String> {
        let pipeline = read(path, &Primitives::shipped()).unwrap();
        both_ways(&pipeline);
        pipeline.stages().iter().map(|stage| stage.name().to_owned()).collect()
    };
    assert_eq!(names(&folder().join("two_stages.rs")), ["header", "shown"]);
    assert_eq!(names(&folder().join("stages/below.rs")), ["below"]);
    let toml = tempfile::tempdir().unwrap();
    let description = toml.path().join("pipeline.toml");
    let spec = folder().join("stages/below.rs");
    std::fs::write(&description, format!("stages = ['{}']", spec.display())).unwrap();
    assert_eq!(names(&description), ["below"]);
}

#[test]
fn texts_use_the_files_that_are_given() {
    const FILES: [(&str, &str); 2] = [
        ("picture.rs", include_str!("../uses/picture.rs")),
        ("stages/levels.rs", include_str!("../uses/stages/levels.rs")),
    ];
    let text = include_str!("../uses/two_stages.rs");
    let spec = SpecText { name: "two_stages.rs", text, files: &Embedded(&FILES) };
    both_ways(&from_text(&spec, &Primitives::shipped()).unwrap());
    let why = from_text(&SpecText::alone("two_stages.rs", text), &Primitives::shipped());
    let Err(ReadError::Specs(errors)) = why else { panic!() };
    assert_eq!(errors[0].to_string(), "picture.rs: it is not among the files that were given");
}

#[test]
fn a_used_file_is_read_once_and_its_statements_keep_their_place() {
    let path = folder().join("stages/below.rs");
    let (name, text) = (path.display().to_string(), Disk.read(&path).unwrap());
    let spec = SpecText::on_disk(&name, &text);
    let program = parse_from(&spec, &Primitives::shipped()).unwrap();
    let names: Vec<&str> = program.source.files().iter().map(|f| f.name.as_str()).collect();
    let ends = ["stages/below.rs", "uses/picture.rs", "stages/levels.rs"];
    assert!(names.iter().zip(ends).all(|(name, end)| name.ends_with(end)), "{names:?}");
    assert_eq!(names.len(), ends.len());
    let inverse = invert(&program).unwrap();
    let explained = inverse.explain_ensures();
    let checks = format!("{inverse}{explained}");
    assert!(checks.contains("200"), "{checks}");
    let x = json!({"width": 201, "height": 0, "rows": []});
    let x = from_json(&program.input, &x).unwrap();
    let why = inverter::run::normalize(&program, &x).unwrap_err().to_string();
    assert!(why.contains("(line 29 of picture.rs: assume(from.width <= MOST);"), "{why}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("spec.rs");
    std::fs::write(&spec, "use other::N;\nstruct X { n: u8 }\nfn f(x: &X, y: &mut X) { y.n = N; }")
        .unwrap();
    let why = || match read(&spec, &Primitives::shipped()) {
        Err(ReadError::Specs(errors)) => {
            errors[0].to_string().replace(&format!("{}/", folder.path().display()), "")
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(why(), "other.rs: No such file or directory (os error 2)");
    let other = folder.path().join("other.rs");
    std::fs::write(&other, b"const N: u8 = 3; // \xff").unwrap();
    assert_eq!(why(), "other.rs: it is not UTF-8 text");
    std::fs::write(&other, vec![b' '; 2 << 20]).unwrap();
    assert_eq!(why(), "other.rs: more than 1048576 bytes");
    std::fs::remove_file(&other).unwrap();
    std::fs::create_dir(&other).unwrap();
    assert_eq!(why(), "other.rs: it is a folder, not a file");
    std::fs::remove_dir(&other).unwrap();
    // Nobody writes to this pipe: to open it would take forever.
    let made = std::process::Command::new("mkfifo").arg(&other).status().unwrap();
    assert!(made.success());
    assert_eq!(why(), "other.rs: it is a pipe or a device, not a file");
    std::fs::remove_file(&other).unwrap();
    std::fs::create_dir(folder.path().join("other")).unwrap();
    assert_eq!(why(), "other.rs: No such file or directory (os error 2); `other` is a folder");
    std::fs::write(&other, "const N: u8 = 3;").unwrap();
    assert!(read(&spec, &Primitives::shipped()).is_ok());
}

/// Files and calls that multiply end soon, with one line.
#[test]
fn many_files_and_many_calls_are_refused() {
    struct Chain;
    impl Files for Chain {
        fn read(&self, path: &Path) -> Result<String, String> {
            let name = path.file_stem().unwrap().to_string_lossy();
            let next = name[1..].parse::<usize>().unwrap() + 1;
            Ok(format!("use f{next}::N;\nconst N: u8 = 3;"))
        }
    }
    let refusal = |text: &str, files: &dyn Files| {
        let spec = SpecText { name: "spec.rs", text, files };
        let errors = load_all(&spec, &Primitives::shipped()).unwrap_err();
        errors.each().map(|e| e.to_string()).collect::<Vec<_>>()
    };
    let body = "struct X { n: u8 }\nfn f(x: &X, y: &mut X) { y.n = x.n; }";
    let found = refusal(&format!("use f1::N;\n{body}"), &Chain);
    assert_eq!(found, ["a spec has at most 64 files"]);
    let large = format!("const N: u8 = 3; //{}", " ".repeat(700_000));
    let files = [("one.rs", large.as_str()), ("two.rs", large.as_str())];
    let found = refusal(&format!("use one::N;\nuse two::N as M;\n{body}"), &Embedded(&files));
    assert_eq!(found, ["the spec has more than 1048576 bytes with the files that it uses"]);
    let call = |k: usize| {
        let next = k + 1;
        format!("fn g{k}(x: &X, y: &mut X) {{ g{next}(x, y); g{next}(x, y); }}\n")
    };
    let calls: String = (0..40).map(call).collect();
    let text =
        format!("struct X {{ n: u8 }}\n{calls}fn g40(x: &X, y: &mut X) {{ assume(x.n > 1); }}");
    let found = refusal(&text, &Embedded(&[]));
    assert!(found.iter().any(|why| why == "more than 4096 statements"), "{found:?}");
}
