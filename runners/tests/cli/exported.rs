//! Tests that reports export: they fail with the client that was run, and pass when it is mended.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::fuzz::results;
use crate::{file, folder, installed, repfuzz, seed};
use test_support::skipped;

/// The causes of a report that have a test with this extension.
fn with_tests(report: &Path, extension: &str) -> Vec<Value> {
    let causes = results(report).remove("cause").unwrap_or_default();
    let has = |cause: &Value| cause["test"].as_str().is_some_and(|test| test.ends_with(extension));
    causes.into_iter().filter(has).collect()
}

/// The file that a cause names by `key`.
fn named(report: &Path, cause: &Value, key: &str) -> PathBuf {
    report.join(cause[key].as_str().unwrap())
}

fn passes(command: &mut Command) -> bool {
    command.output().unwrap().status.success()
}

/// Every test says what it is about, and contains a file of at most 1 KB.
fn check(report: &Path, causes: &[Value]) {
    assert!(!causes.is_empty());
    for cause in causes {
        let text = fs::read_to_string(named(report, cause, "test")).unwrap();
        let text = text.replace("\n// ", " ").replace("\n# ", " ");
        for part in ["Fails with ", "Class of the file: ", "CC0 1.0", "TIFF 6.0"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let is_small = fs::metadata(named(report, cause, "file")).unwrap().len() <= 1024;
        assert_eq!(text.contains("are too many to be included"), !is_small, "{text}");
        let page = named(report, cause, "test").file_name().unwrap().to_owned();
        let pages = fs::read_dir(report.join("causes")).unwrap();
        let offered = pages.map(|page| fs::read_to_string(page.unwrap().path()).unwrap());
        assert_eq!(offered.filter(|text| text.contains(page.to_str().unwrap())).count(), 1);
    }
}

#[test]
fn a_command_is_tested_by_pytest() {
    if !installed("python3") {
        return;
    }
    let folder = folder();
    let (report, viewer) = (folder.path().join("report"), folder.path().join("view.py"));
    let source = fs::read_to_string(file("runners/tests/cli/viewer/view.py")).unwrap();
    fs::write(&viewer, &source).unwrap();
    let client = format!("mine=python3 {} {{in}} {{out}}", viewer.display());
    let photo = file("runners/tests/cli/viewer/photo.tif");
    let words = ["-n", "12", "--vary", "segment order,rows_per_strip", "--client", &client];
    let ran = crate::ran(
        crate::command().arg("fuzz").arg(photo).args(words).arg("--report").arg(&report),
    );
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let causes = with_tests(&report, ".py");
    check(&report, &causes);
    let run = |cause: &Value| {
        let test = named(&report, cause, "test");
        let name = test.file_stem().unwrap().to_str().unwrap();
        // As pytest calls it.
        let call = format!(
            "import pathlib, {name} as t; t.{name}(pathlib.Path('{}'))",
            folder.path().display()
        );
        passes(
            Command::new("python3").args(["-B", "-c", &call]).current_dir(test.parent().unwrap()),
        )
    };
    assert!(causes.iter().all(|cause| !run(cause)), "{}", ran.stdout);
    let (bug, mend) = (
        "data = d[t[273][0]:t[273][0] + row * h]",
        "data = b''.join(d[o:o + c] for o, c in zip(t[273], t[279]))",
    );
    assert!(source.contains(bug));
    fs::write(&viewer, source.replace(bug, mend)).unwrap();
    assert!(causes.iter().all(run), "{}", ran.stdout);
}

/// The reader of a client in C, with a fault that goes away with `MENDED`.
const READER: &str = r#"#include <stdint.h>
#include <stdlib.h>
#include <tiffio.h>

static int read_picture(const char *path, uint32_t *width, uint32_t *height, uint16_t **rgba) {
    TIFF *tiff = TIFFOpen(path, "r");
    uint32_t *raster;
    size_t count, at;
    if (tiff == NULL) return 1;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, height);
    count = (size_t)*width * *height;
    raster = (uint32_t *)calloc(count, sizeof *raster);
    *rgba = (uint16_t *)malloc(4 * count * sizeof **rgba);
    if (!TIFFReadRGBAImageOriented(tiff, *width, *height, raster, ORIENTATION_TOPLEFT, 1)) return 1;
    for (at = 0; at < count; at++) {
        uint32_t pixel = raster[at];
#ifndef MENDED
        if (TIFFIsTiled(tiff)) pixel ^= 0xffffff;
#endif
        (*rgba)[4 * at] = TIFFGetR(pixel) * 257;
        (*rgba)[4 * at + 1] = TIFFGetG(pixel) * 257;
        (*rgba)[4 * at + 2] = TIFFGetB(pixel) * 257;
        (*rgba)[4 * at + 3] = TIFFGetA(pixel) * 257;
    }
    free(raster);
    TIFFClose(tiff);
    return 0;
}
"#;

/// Writes its picture.
const MAIN: &str = r#"
int main(int count, char **words) {
    uint32_t width, height, at;
    uint16_t *rgba;
    FILE *out = fopen(words[count - 1], "wb");
    if (read_picture(words[1], &width, &height, &rgba)) return 1;
    fprintf(out, "P7\nWIDTH %u\nHEIGHT %u\nDEPTH 4\nMAXVAL 255\nENDHDR\n", width, height);
    for (at = 0; at < 4 * width * height; at++) fputc(rgba[at] / 257, out);
    return fclose(out);
}
"#;

/// The macros of Catch2, as far as a test uses them.
const CATCH: &str = "#include <cstdlib>\n#define TEST_CASE(name) int main()\n\
                     #define REQUIRE(what) do { if (!(what)) std::exit(1); } while (0)\n";

#[test]
fn a_client_in_c_is_tested_by_assert_and_by_catch2() {
    if !installed("cc") || !installed("c++") {
        return;
    }
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("reader.c"), format!("{READER}{MAIN}")).unwrap();
    let compiled = |compiler: &str, options: &[&str], source: &Path, program: &str| {
        let mut command = Command::new(compiler);
        command.args(options).arg("-I").arg(folder.path()).arg(source).arg("-ltiff");
        passes(command.arg("-o").arg(at(program)))
    };
    if !compiled("cc", &[], &at("reader.c"), "reader") {
        return skipped("no libtiff-dev");
    }
    fs::create_dir(at("catch2")).unwrap();
    fs::write(at("catch2/catch_test_macros.hpp"), CATCH).unwrap();
    for (framework, extension, compiler) in [("c", ".c", "cc"), ("catch2", ".cpp", "c++")] {
        let report = at(framework);
        let description = format!(
            "name = \"planted\"\nsummary = \"a test\"\ndecoder = \"libtiff\"\n\
             [run]\ncommand = [\"{}\", \"{{in}}\", \"{{out}}\"]\n[output]\nformat = \"pnm\"\n\
             [test]\nframework = \"{framework}\"\nneeds = [\"-ltiff\"]\nread = '''\n{READER}'''\n\
             [contract]\ndepth = \"exact\"\nalpha = \"premultiplied\"\nphotometric = \"applied\"\n\
             palette = \"applied\"\norientation = \"flips only\"\npages = \"first\"\nchannels = \"rgb\"\n",
            at("reader").display()
        );
        fs::write(at("planted.toml"), description).unwrap();
        let ran = repfuzz!(
            "fuzz",
            seed("rgb.tif"),
            "--describe",
            at("planted.toml"),
            "--clients",
            "planted",
            "-n",
            "10",
            "--vary",
            "tiled,bits",
            "--report",
            &report
        );
        assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
        let causes = with_tests(&report, extension);
        check(&report, &causes);
        for cause in &causes {
            let test = named(&report, cause, "test");
            let runs = |options: &[&str]| {
                assert!(compiled(compiler, options, &test, "test"), "{}", test.display());
                passes(Command::new(at("test")).current_dir(test.parent().unwrap()))
            };
            assert!(!runs(&[]), "{}", ran.stdout);
            assert!(runs(&["-DMENDED"]), "{}", ran.stdout);
        }
    }
}

/// The libraries of this name that this test was built with, in the folder of its program.
fn libraries(name: &str) -> Vec<PathBuf> {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let is_one = |path: &PathBuf| {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        file.starts_with(&format!("lib{name}-")) && file.ends_with(".rlib")
    };
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(is_one).collect()
}

#[test]
fn a_crate_is_tested_by_cargo_test() {
    let libraries = libraries("tiff");
    if libraries.is_empty() || !installed("rustc") {
        return skipped("no library of the crate tiff beside this test");
    }
    let folder = folder();
    let report = folder.path().join("report");
    let ran = repfuzz!(
        "fuzz",
        seed("rgb.tif"),
        "--clients",
        "rust-tiff",
        "-n",
        "30",
        "--report",
        &report,
        "--vary",
        "planar,tiled,compression,samples_per_pixel"
    );
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let causes = with_tests(&report, ".rs");
    check(&report, &causes);
    let small = |cause: &&Value| fs::metadata(named(&report, cause, "file")).unwrap().len() <= 1024;
    let compiled = |test: &Path, program: &Path| {
        libraries.iter().any(|library| {
            let mut extern_ = std::ffi::OsString::from("tiff=");
            extern_.push(library);
            let deps = format!("dependency={}", library.parent().unwrap().display());
            let mut rustc = Command::new("rustc");
            rustc.args(["--edition=2021", "--test", "-L", &deps, "--extern"]).arg(extern_);
            passes(rustc.arg(test).arg("-o").arg(program))
        })
    };
    let program = folder.path().join("test");
    for cause in causes.iter().take(2) {
        let test = named(&report, cause, "test");
        assert!(compiled(&test, &program), "{}", test.display());
        assert!(!passes(&mut Command::new(&program)), "{}", ran.stdout);
    }
    // The picture's other file, which the crate reads, in place of this one: as if the crate were mended.
    let cause = causes.iter().find(small).expect("a test contains its file");
    let (test, mended) = (named(&report, cause, "test"), folder.path().join("mended.rs"));
    let text = fs::read_to_string(test).unwrap();
    let (before, rest) = text.split_once("const FILE: &str = \"").unwrap();
    let (_, after) = rest.split_once("\";").unwrap();
    let encoded = Command::new("base64").arg(named(&report, cause, "seed")).output().unwrap();
    let encoded = String::from_utf8(encoded.stdout).unwrap();
    fs::write(&mended, format!("{before}const FILE: &str = \"{encoded}\";{after}")).unwrap();
    assert!(compiled(&mended, &program) && passes(&mut Command::new(&program)), "{}", ran.stdout);
}
