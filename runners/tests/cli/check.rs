//! `check`: its report on a spec.

use std::fs;

use crate::folder;

const PITCH: &str = "
    struct X { h: u8, w: u8, pitch: u16, d: [u8] } struct Y { h: u8, w: u8, d: [[u8; w]; h] }
    fn normalize(x: &X, y: &mut Y) {
        y.h = x.h;
        y.w = x.w;
        if x.h > 300 { assume(x.w > 0); }
        for i in 0..x.h { for j in 0..x.w { y.d[i][j] = x.d[i * x.pitch + j]; } }
    }";

fn check(spec: &str, more: &[&str]) -> crate::Ran {
    let folder = folder();
    let path = folder.path().join("spec.rs");
    fs::write(&path, spec).unwrap();
    crate::ran(crate::command().arg("check").arg(path).args(more))
}

#[test]
fn a_good_spec_is_proved_and_reached() {
    let ran = check(PITCH, &["-n", "40"]);
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
    for said in [
        "exactly once  proved",
        "proved for loops of up to 3 iterations",
        "closed forms: ",
        "representations can be generated (100 %),",
        "pitch",
        "unreachable   line 6: the `then` branch is never taken",
    ] {
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
    }
}

#[test]
fn an_output_that_is_never_assigned_is_shown_by_an_input() {
    let spec = "
        struct X { n: u8, p: u8, d: [u8] } struct Y { n: u8, d: [u8; n] }
        fn normalize(x: &X, y: &mut Y) {
            y.n = x.n;
            for i in 0..min(x.n, x.p) { y.d[i] = x.d[i]; }
        }";
    let ran = check(spec, &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("n = 1, p = 0: d[0] is never assigned"), "{}", ran.stderr);
}

/// Checks a spec of `tests/data/specs`.
fn check_file(name: &str, more: &[&str]) -> crate::Ran {
    let path = crate::file("runners/tests/data/specs").join(name);
    crate::ran(crate::command().arg("check").arg(path).args(["-n", "40"]).args(more))
}

/// Contradictions inside of loops and branches, those that Z3 does not see, and inputs that are too large to
/// be tried: nothing is drawn, and nothing is called proved. Nor is what mostly fails.
#[test]
fn nothing_is_proved_of_a_spec_that_makes_next_to_nothing() {
    for (name, said) in [
        ("loop_contradiction.rs", NOTHING),
        ("branch_contradiction.rs", NOTHING),
        ("no_solution.rs", NOTHING),
        ("only_large.rs", NOTHING),
    ] {
        let ran = check_file(name, &["--time-limit", "60"]);
        assert_eq!(ran.code, 1, "{name}: {}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains(said), "{name}: {}", ran.stdout);
        assert!(!ran.stdout.contains("  proved"), "{name}: {}", ran.stdout);
    }
}

const NOTHING: &str = "no canonical value is known of which to draw representations";

const GIVEN_LENGTH: &str = "
    struct X { kind: u8, n: u8, stream: [u8; n] } struct Y { kind: u8, data: [u8; 4] }
    fn normalize(x: &X, y: &mut Y) {
        assume(x.kind >= 100);
        y.kind = x.kind;
        assume(x.n <= 40);
        y.data = packbits(x.stream);
    }";

#[test]
fn a_loss_fails_the_check_unless_it_is_marked() {
    let folder = folder();
    let y = folder.path().join("y.json");
    fs::write(&y, r#"{"kind": 100, "data": [1, 2, 3, 4]}"#).unwrap();
    let input = ["--input", y.to_str().unwrap()];
    let ran = check(GIVEN_LENGTH, &input);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let loss = "line 7: whether x.stream can be as long as it is declared is only seen then";
    assert!(ran.stdout.contains(loss), "{}", ran.stdout);
    // Each loss is marked where it is.
    let marked = GIVEN_LENGTH.replace("    fn", "    // loss: any length is drawn\n    fn");
    let ran = check(&marked, &input);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("meant: any length is drawn"), "{}", ran.stdout);
}

#[test]
fn draws_that_fail_are_counted_by_bound() {
    let folder = folder();
    let y = folder.path().join("y.json");
    fs::write(&y, r#"{"kind": 100, "data": [1, 2, 3, 4]}"#).unwrap();
    let ran = check(GIVEN_LENGTH, &["--input", y.to_str().unwrap()]);
    let failed = ran.stdout.lines().find(|line| line.contains(" draws fail"));
    assert!(failed.is_some(), "{}", ran.stdout);
}

/// The seed's own value is the first, and the seed itself is made.
#[test]
fn a_check_begins_with_a_file() {
    let spec = crate::file("examples/decoder/spec/sprite.rs");
    let seed = crate::file("examples/decoder/seeds/seed.spr");
    let ran = crate::ran(crate::command().arg("check").arg(spec).arg("--seed").arg(seed).args([
        "-n",
        "20",
        "--values",
        "1",
        "--moderate",
        "0",
    ]));
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("values        {\"width\":"), "{}", ran.stdout);
    assert!(ran.stdout.contains("spread        20 samples"), "{}", ran.stdout);
}

/// A spec that is a primitive alone, which accepts no input that can be made up.
#[test]
fn a_spec_may_name_a_file_of_its_format() {
    let folder = folder();
    fs::copy(crate::file("corpus/npy/np8.npy"), folder.path().join("small.npy")).unwrap();
    let spec = "struct File { file: [u8] } struct Chunks { count: u32, data: [u8; count] }
        fn normalize(x: &File, y: &mut Chunks) { y.data = npy_header(x.file); }";
    let path = folder.path().join("npy.rs");
    let check = |text: &str| {
        fs::write(&path, text).unwrap();
        crate::ran(crate::command().arg("check").arg(&path).args(["-n", "20", "--values", "1"]))
    };
    let alone = check(spec);
    assert_eq!(alone.code, 1, "{}", alone.stdout);
    let named = check(&format!("// seed: small.npy\n{spec}"));
    assert_eq!(named.code, 0, "{}{}", named.stdout, named.stderr);
    assert!(named.stdout.contains("spread        20 samples"), "{}", named.stdout);
    let absent = check(&format!("// seed: none.npy\n{spec}"));
    assert!(absent.stderr.contains("none.npy: the file that the spec names is not there"));
}

/// Whatever the limit ends, the report says what is known, and what is open.
#[test]
fn the_time_limit_is_one_of_the_whole() {
    let spec = crate::file("normalizers/specs/tiff/segments.rs");
    let ran = crate::ran(crate::command().arg("check").arg(spec).args(["--time-limit", "0.05"]));
    assert_ne!(ran.code, 0, "{}", ran.stdout);
    assert!(ran.stderr.contains("--time-limit sets another limit"), "{}", ran.stderr);
    // A busy machine may get no further than to begin.
    let begun = !ran.stdout.is_empty();
    for claim in ["exactly once  ", "losses        "] {
        assert_eq!(ran.stdout.contains(claim), begun, "{}{}", ran.stdout, ran.stderr);
    }
}

/// Places that count from the end are no reads outside of the file, nor are files that are too short.
#[test]
fn a_trailer_is_no_loss() {
    let ran = check_file("trailer_by_length.rs", &["--values", "3", "--moderate", "1"]);
    assert!(!ran.stdout.contains("is outside the array"), "{}", ran.stdout);
    assert!(ran.stdout.contains("losses        none"), "{}{}", ran.stdout, ran.stderr);
}

/// Every draw of an index with an entry is found value by value.
#[test]
fn draws_by_trial_are_a_loss_with_a_line() {
    let ran = check_file("sorted_index.rs", &["--values", "3", "--moderate", "1"]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    let loss = ran.stdout.lines().find(|line| line.contains("draws are found by trial"));
    assert!(loss.is_some_and(|loss| loss.contains("line ")), "{}", ran.stdout);
}

/// Values that make the same file count once, and no classes hide them.
#[test]
fn values_of_dimensions_are_counted_one_by_one() {
    let ran = check(PITCH, &["-n", "40", "--values", "1", "--moderate", "0"]);
    let fill = ran.stdout.lines().find(|line| line.trim_start().starts_with("pitch"));
    assert!(fill.is_some_and(|line| line.contains("× ")), "{}", ran.stdout);
}

#[test]
fn a_plain_spec_passes() {
    let spec = crate::file("runners/tests/data/surface.rs");
    let ran = crate::ran(crate::command().arg("check").arg(&spec).args(["-n", "20"]));
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

/// Specs of which Z3 does not prove that every index is inside.
#[cfg(feature = "z3")]
#[test]
fn other_analyses_prove_what_z3_leaves_open() {
    let folder = "programs/analyses/tests/specs";
    let once = |spec: &str| {
        let own = crate::folder();
        let path = own.path().join("spec.rs");
        fs::write(&path, spec).unwrap();
        let ran = crate::ran(crate::command().arg("check").arg(&path).args(["-n", "10"]));
        let line =
            ran.stdout.lines().find(|line| line.starts_with("exactly once")).map(str::to_owned);
        (line.unwrap_or_default(), format!("{}{}", ran.stdout, ran.stderr))
    };
    let text = |name: &str| fs::read_to_string(crate::file(folder).join(name)).unwrap();
    let (line, all) = once(&text("length_fits_a_byte.rs"));
    assert!(line.contains("(that every index is inside by box and polyhedra)"), "{all}");
    assert!(!line.contains("not proved"), "{all}");
    // One more fits the byte, but not the field.
    let (line, all) = once(&text("length_fits_a_byte_only.rs"));
    assert!(line.ends_with("not proved: text: that every index is inside"), "{all}");
    // Of no input at all everything is true.
    let vacuous = text("length_fits_a_byte.rs")
        .replace("y.length[0] =", "assume(x.length[0] > 300);\n    y.length[0] =");
    let (line, all) = once(&vacuous);
    assert!(!line.contains("proved for all sizes") && !line.contains("proved ("), "{all}");
    // A read that may refuse the input: what follows it is proved by that alone.
    let refusing = text("length_fits_a_byte.rs")
        .replace("length: [u8; 1]", "length: [u32; 1]")
        .replace("text: [u8],", "limits: [u8; 255], text: [u8],")
        .replace("y.text[i] = x.text[i];", "assume(x.limits[i] == 1); y.text[i] = x.text[i];")
        .replace("..255 - x.length[0]", "..max(0, 255 - x.length[0])");
    let (line, all) = once(&refusing);
    assert!(line.contains("not proved"), "{all}");
}
