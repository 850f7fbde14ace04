//! The program on a machine without libz3: it is loaded when something first needs it.

use std::fs;

use crate::{Ran, command, file, folder, program, ran, repfuzz, seed};

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
    let names = ["rgb.tif", "gray.tif"].map(seed).map(|path| (path, None)).into_iter();
    let formats = fs::read_dir(file("normalizers/specs")).unwrap().map(|entry| entry.unwrap());
    let formats = formats.filter_map(|entry| {
        let name = entry.file_name().into_string().unwrap();
        let seeds = fs::read_dir(file("corpus").join(&name)).ok()?.map(|seed| seed.unwrap().path());
        let seed = seeds
            .filter(|path| path.is_file())
            .find(|path| path.extension() != Some("sh".as_ref()));
        let spec = entry.path().join(&name).with_extension("rs");
        Some((seed?, Some(spec)))
    });
    let mut made = 0;
    for (seed, spec) in names.chain(formats) {
        let folder = out.path().join(made.to_string());
        let mut variants = command();
        variants.env("Z3_LIBRARY", "/absent/libz3.so").arg("variants").arg(&seed);
        variants.args(["-n", "2", "-o"]).arg(&folder);
        spec.map(|spec| variants.arg("--spec").arg(spec));
        let ran = ran(&mut variants);
        assert!(ran.fine().starts_with("2 equivalents of "), "{seed:?}: {}", ran.stdout);
        made += 1;
    }
    assert!(made >= 19, "{made}");
}

/// Eight equations that have one solution together.
const NO_CLOSED_FORM: &str = "
    pub struct C { a: [u32; 8], n: u32 }
    pub struct V { n: u32 }
    pub fn normalize(x: &C, y: &mut V) {
        assume(6 * x.a[0] + 7 * x.a[1] + 1 * x.a[2] + 9 * x.a[3] + 7 * x.a[4] + 6 * x.a[5] + 7 * x.a[6] + 10 * x.a[7] == 20911710);
        assume(1 * x.a[0] + 8 * x.a[1] + 1 * x.a[2] + 3 * x.a[3] + 10 * x.a[4] + 4 * x.a[5] + 2 * x.a[6] + 4 * x.a[7] == 12961671);
        assume(8 * x.a[0] + 6 * x.a[1] + 9 * x.a[2] + 6 * x.a[3] + 9 * x.a[4] + 5 * x.a[5] + 8 * x.a[6] + 2 * x.a[7] == 22928250);
        assume(10 * x.a[0] + 6 * x.a[1] + 5 * x.a[2] + 1 * x.a[3] + 7 * x.a[4] + 2 * x.a[5] + 4 * x.a[6] + 6 * x.a[7] == 14912026);
        assume(9 * x.a[0] + 10 * x.a[1] + 6 * x.a[2] + 3 * x.a[3] + 6 * x.a[4] + 5 * x.a[5] + 9 * x.a[6] + 2 * x.a[7] == 20851802);
        assume(5 * x.a[0] + 6 * x.a[1] + 5 * x.a[2] + 3 * x.a[3] + 2 * x.a[4] + 3 * x.a[5] + 5 * x.a[6] + 8 * x.a[7] == 14474056);
        assume(3 * x.a[0] + 1 * x.a[1] + 2 * x.a[2] + 10 * x.a[3] + 9 * x.a[4] + 7 * x.a[5] + 1 * x.a[6] + 4 * x.a[7] == 15610800);
        assume(10 * x.a[0] + 6 * x.a[1] + 5 * x.a[2] + 8 * x.a[3] + 7 * x.a[4] + 3 * x.a[5] + 1 * x.a[6] + 1 * x.a[7] == 19218330);
        y.n = x.n;
    }";

#[test]
fn a_spec_without_a_closed_form_needs_z3() {
    let folder = folder();
    let (spec, value) = (folder.path().join("spec.rs"), folder.path().join("y.json"));
    fs::write(&spec, NO_CLOSED_FORM).unwrap();
    fs::write(&value, "{\"n\": 3}").unwrap();
    let with = repfuzz!("sample", &spec, "-i", &value);
    assert!(with.fine().contains("\"n\":3"), "{}", with.stdout);
    let without = without_z3!("sample", &spec, "-i", &value);
    assert_eq!((without.code, without.stdout.as_str()), (2, ""), "{}", without.stderr);
    let said = format!("the constraints of a have no closed form: {LINE}");
    assert_eq!(without.stderr.matches(&said).count(), 1, "{}", without.stderr);
}

#[test]
fn a_check_needs_z3() {
    let ran = without_z3!("check", file("runners/tests/data/surface.rs"));
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
