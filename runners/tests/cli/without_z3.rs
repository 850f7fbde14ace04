//! The program on a machine without libz3: it is loaded when something first needs it.

use std::fs;

use crate::{Ran, command, file, folder, program, ran, seed};

/// Runs repfuzz where libz3 is not found.
macro_rules! without_z3 {
    ($($word:expr),* $(,)?) => {
        ran(command().env("Z3_LIBRARY", "/absent/libz3.so")$(.arg($word))*)
    };
}

/// Beginning of the one line about Z3.
const LINE: &str = "this needs Z3, and Z3_LIBRARY does not name a libz3 that works: ";

#[test]
fn the_program_is_not_linked_with_libz3() {
    // The loader of glibc lists the libraries that a program is linked with instead of running it.
    let output = program().env("LD_TRACE_LOADED_OBJECTS", "1").output().unwrap();
    let libraries = String::from_utf8(output.stdout).unwrap();
    assert!(libraries.contains("libc.so"), "{libraries}");
    assert!(!libraries.contains("libz3"), "{libraries}");
}

#[test]
fn variants_of_every_format_that_ships_need_no_z3() {
    let out = folder();
    let formats = fs::read_dir(file("normalizers/specs")).unwrap().map(|entry| entry.unwrap());
    let names = formats.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name());
    let mut made = 0;
    for name in names {
        let Ok(seeds) = fs::read_dir(file("corpus").join(&name)) else { continue };
        let mut seeds: Vec<_> = seeds.map(|entry| entry.unwrap().path()).collect();
        seeds.retain(|path| path.is_file() && path.extension().is_some_and(|e| e != "sh"));
        seeds.sort();
        let folder = out.path().join(&name);
        let first = without_z3!("variants", &seeds[0], "-n", "1", "-o", &folder);
        assert!(first.fine().starts_with("1 equivalent"), "{name:?}: {}", first.stdout);
        made += 1;
    }
    assert!(made > 12, "{made} formats");
    let folder = out.path().join("tiff");
    without_z3!("variants", seed("rgb.tif"), "-n", "3", "-o", folder).fine();
}

#[test]
fn a_check_needs_z3() {
    let ran = without_z3!("check", file("examples/compiled-spec/specs/surface.rs"));
    assert!(ran.error().starts_with(LINE), "{}", ran.stderr);
}

#[test]
fn symbolic_execution_needs_z3_and_the_other_analyses_do_not() {
    let folder = folder();
    let path = folder.path().join("prog.c");
    let text = "void reach_error(void) {}\nint main(void) { int i = 0; while (i < 10) i++; \
                if (i != 10) reach_error(); return 0; }\n";
    fs::write(&path, text).unwrap();
    let named = without_z3!("analyze", &path, "--clients", "symbolic");
    assert!(named.error().starts_with(LINE), "{}", named.stderr);
    let Ran { code, stdout, stderr } = without_z3!("analyze", &path);
    assert!(code == 0 && stdout.contains("proved"), "{stdout}");
    assert!(stderr.starts_with(&format!("note: without `symbolic`: {LINE}")), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}
