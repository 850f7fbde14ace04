//! `analyze --nats`: analyses in processes of their own.

#![cfg(all(feature = "fleet", feature = "z3"))]

#[allow(dead_code)] // Fleets need more of it.
#[path = "../fleet/nats.rs"]
mod nats;

use std::fs;
use std::process::Command;

use crate::{command, folder, ran, repfuzz};
use nats::Nats;

const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\n\
    int f(int k) { int s = 0; for (int i = 0; i < k; i++) s += i; return s; }\n\
    int main(void) { int k = __VERIFIER_nondet_int(), y = k; if (k < 0 || k > 3) return 0;\n\
    if (f(k) < 0) reach_error();\nif (f(k) > 2) reach_error();\nif (y != k) reach_error(); return 0; }\n";

#[test]
fn processes_find_what_one_process_finds() {
    let Some(nats) = Nats::start() else { return };
    let folder = folder();
    let path = folder.path().join("prog.c");
    fs::write(&path, PROGRAM).unwrap();
    let own = repfuzz!("analyze", &path, "--json", "--invariants");
    assert_eq!(own.code, 1, "{}", own.stderr);
    let other = repfuzz!("analyze", &path, "--json", "--invariants", "--nats", &nats.url());
    assert_eq!((other.code, other.stderr.as_str()), (1, ""), "{}", other.stdout);
    assert_eq!(own.stdout, other.stdout);
    // A spec too, whose analyses run twice if something is open.
    let spec = crate::file("programs/analyses/tests/specs/pitch.rs");
    let own = repfuzz!("analyze", &spec, "--json", "--clients", "box,polyhedra");
    let other =
        repfuzz!("analyze", &spec, "--json", "--clients", "box,polyhedra", "--nats", &nats.url());
    assert_eq!(own.fine(), other.fine());
}

#[test]
fn clients_join_from_elsewhere() {
    let Some(nats) = Nats::start() else { return };
    let folder = folder();
    let path = folder.path().join("prog.c");
    fs::write(&path, PROGRAM).unwrap();
    let session = ["--nats", &nats.url(), "--session", "s"];
    let mut serves = Command::new(assert_cmd::cargo::cargo_bin!("repfuzz"));
    let mut serves =
        serves.args(["analyze", "--serve", "polyhedra"]).args(session).spawn().unwrap();
    let server = ran(command().arg("analyze").arg(&path).args(session).args([
        "--clients",
        "none",
        "--join",
        "1",
    ]));
    assert!(serves.wait().unwrap().success());
    assert_eq!((server.code, server.stderr.as_str()), (3, ""), "{}", server.stdout);
    assert!(server.stdout.contains("prog.c:7:1"), "{}", server.stdout);
    assert!(server.stdout.contains(": proved (polyhedra)"), "{}", server.stdout);
    assert!(server.stdout.ends_with("unknown (polyhedra: success)\n"), "{}", server.stdout);
}

#[test]
fn sessions_that_cannot_work_are_refused() {
    let folder = folder();
    let path = folder.path().join("prog.c");
    fs::write(&path, PROGRAM).unwrap();
    let nowhere = "nats://127.0.0.1:1";
    let ran = repfuzz!("analyze", &path, "--nats", nowhere);
    assert!(ran.error().starts_with("nats://127.0.0.1:1: "), "{}", ran.stderr);
    let ran = repfuzz!("analyze", "--serve", "box", "--nats", nowhere, "--session", "s");
    assert!(ran.error().starts_with("nats://127.0.0.1:1: "), "{}", ran.stderr);
    let ran = repfuzz!("analyze", &path, "--nats", nowhere, "--session", "a b");
    assert!(ran.error().contains("127.0.0.1"), "{}", ran.stderr);
    let ran = repfuzz!("analyze", &path, "--clients", "none");
    assert!(ran.error().contains("nobody analyses"), "{}", ran.stderr);
    let spec = crate::file("programs/analyses/tests/specs/pitch.rs");
    let more = ["--nats", nowhere, "--session", "s", "--join", "1"];
    let ran = crate::ran(command().arg("analyze").arg(spec).args(more));
    assert_eq!(ran.error(), "--join is for programs in C");
    for wrong in [vec!["--serve", "box"], vec!["--session", "s"], vec![]] {
        let ran = crate::ran(command().arg("analyze").args(wrong));
        assert_eq!(ran.code, 2, "{}", ran.stdout);
    }
}
