//! `clients`: a table for people, JSON lines for machines.

use serde_json::Value;

use crate::repfuzz;

#[test]
fn json_has_a_line_for_each() {
    let ran = repfuzz!("clients", "--json", "--no-probe");
    let lines: Vec<Value> =
        ran.fine().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() > 30, "{}", lines.len());
    for line in &lines {
        assert_eq!(line["state"], "unknown");
        assert!(line["install"].is_array() && line["applies"].is_array(), "{line}");
        assert!(["own", "libtiff"].contains(&line["decoder"].as_str().unwrap()), "{line}");
    }
    let named = |name: &str| lines.iter().find(|line| line["name"] == name).unwrap();
    assert_eq!(named("rust-image")["origin"], "library");
    assert_eq!(named("netpbm")["origin"], "shipped");
    assert_eq!(named("netpbm")["install"][0], "netpbm");
    let kinds = ["rust-image", "netpbm", "pillow", "feh"].map(|name| named(name)["kind"].clone());
    assert_eq!(kinds, ["in-process", "command", "worker", "viewer"]);
    assert!(named("rust-image")["confinement"].is_null());
    assert!(named("netpbm")["confinement"].is_string());
}

#[test]
fn a_client_asked_for_by_name_is_ready_or_the_status_says_so() {
    let ran = repfuzz!("clients", "--json", "rust-tiff");
    let line: Value = serde_json::from_str(ran.fine()).unwrap();
    assert_eq!((&line["name"], &line["state"]), (&"rust-tiff".into(), &"ready".into()));

    let ran = repfuzz!("clients", "--client", "mine=no-such-program {in} {out}", "mine");
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    assert!(ran.stdout.contains("0 ready, 1 missing, 0 broken"), "{}", ran.stdout);
}

#[test]
fn lines_fit_a_narrow_terminal() {
    let ran = repfuzz!("clients", "--no-probe");
    let longest = ran.fine().lines().map(|line| line.chars().count()).max().unwrap();
    assert!(longest <= 80, "{longest}");
}

#[test]
fn what_is_not_known_is_said() {
    assert!(repfuzz!("clients", "fmpeg").error().contains("did you mean ffmpeg?"));
    assert!(repfuzz!("clients", "--install", "fmpeg").error().contains("did you mean ffmpeg?"));
    assert!(repfuzz!("clients", "--client", "words").error().contains("should look like"));
    assert!(repfuzz!("clients", "--describe", "/nowhere").error().starts_with("/nowhere: "));
}

#[test]
fn the_sandbox_can_be_left_out() {
    let line = |ran: &crate::Ran| -> Value { serde_json::from_str(ran.fine()).unwrap() };
    let without = repfuzz!("clients", "--json", "--no-probe", "--no-sandbox", "netpbm");
    assert_eq!(line(&without)["confinement"], "limits only");
}
