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
