//! `clients`: a table for people, JSON lines for machines.

use serde_json::Value;

use crate::{repfuzz, skipped};

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

#[test]
fn a_contract_is_learnt_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copy.toml");
    let description = "# A copy, read by the crate image.\nname = \"copy\"\nsummary = \"cp\"\n\
        decoder = \"own\"\n\n[run]\ncommand = [\"cp\", \"{in}\", \"{out}\"]\n\n\
        [output]\nformat = \"tiff\" # kept\n";
    std::fs::write(&file, description).unwrap();
    let path = file.to_str().unwrap();
    let ran = repfuzz!("clients", "--describe", path, "--probe", "copy");
    assert!(ran.fine().contains("  orientation    stored\n"), "{}", ran.stdout);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), description);

    repfuzz!("clients", "--describe", path, "--probe", "copy", "--write").fine();
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.starts_with(description), "{written}");
    assert!(written.contains("\n[contract]\ndepth = \"exact\"\n"), "{written}");
    let shown = repfuzz!("clients", "--describe", path, "copy");
    assert!(shown.fine().contains("\nContract of copy:\n    depth          exact\n"));
    repfuzz!("clients", "--describe", path, "--probe", "copy", "--write").fine();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), written);
}

#[test]
fn a_client_without_a_contract_says_why() {
    let ran = repfuzz!("clients", "--client", "flat=false {in} {out}", "--probe", "flat");
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.starts_with("flat: no contract: it is broken: "), "{}", ran.stdout);
    let shipped = repfuzz!("clients", "--probe", "rust-tiff", "--write");
    assert!(shipped.error().contains("has no description file"));
}

/// Runs `repfuzz clients` with a bubblewrap that fails the first `failures` times; returns what it prints, with the
/// warnings before. `None` where bubblewrap is not installed, or does not work.
fn with_failing_bubblewrap(failures: usize) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    let path = std::env::var("PATH").unwrap_or_default();
    let find =
        |folder: &str| Some(std::path::Path::new(folder).join("bwrap")).filter(|p| p.exists());
    let real = path.split(':').find_map(find)?;
    let folder = tempfile::tempdir().unwrap();
    let (program, count) = (folder.path().join("bwrap"), folder.path().join("count"));
    let script = format!(
        "#!/bin/sh\necho >> {count:?}\n[ $(wc -l < {count:?}) -gt {failures} ] || exit 1\nexec {real:?} \"$@\"\n"
    );
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = std::process::Command::new(assert_cmd::cargo::cargo_bin!("repfuzz"))
        .args(["clients", "--no-probe"])
        .env("PATH", format!("{}:{path}", folder.path().display()))
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Some(text(output.stderr) + &text(output.stdout))
}

#[test]
fn a_bubblewrap_that_fails_is_tried_again_and_never_dropped_without_a_word() {
    let works = with_failing_bubblewrap(0);
    let Some(works) = works.filter(|text| text.contains("in a sandbox, bubblewrap:")) else {
        return skipped("no bubblewrap works here");
    };
    assert!(!works.contains("warning"), "{works}");
    let again = with_failing_bubblewrap(1).unwrap();
    assert!(again.contains("in a sandbox, bubblewrap:"), "{again}");
    let never = with_failing_bubblewrap(1000).unwrap();
    assert!(
        never.contains("warning: bubblewrap is installed, but its trial runs failed"),
        "{never}"
    );
    assert!(!never.contains("in a sandbox, bubblewrap:"), "{never}");
    // Where Landlock works, its name says so as well.
    assert!(never.contains("as bubblewrap failed") || never.contains("limits only"), "{never}");
}

/// Returns true if clients run in bubblewrap here; otherwise the test is reported as skipped.
fn has_bubblewrap() -> bool {
    let has = repfuzz!("clients", "--no-probe").stdout.contains("in a sandbox, bubblewrap:");
    if !has {
        skipped("no bubblewrap works here");
    }
    has
}

#[test]
fn each_limit_is_listed_with_what_holds() {
    let ran = repfuzz!("clients", "--no-probe");
    for limit in ["memory", "process count", "disk"] {
        let line =
            ran.fine().lines().find(|line| line.trim_start().starts_with(&format!("{limit}  ")));
        let words: Vec<&str> = line.unwrap()[4 + limit.len()..].split_whitespace().collect();
        assert!(["held", "partly"].contains(&words[0]), "{limit}: {words:?}");
    }
}

#[test]
fn a_client_whose_files_the_sandbox_hides_is_told_so() {
    use std::os::unix::fs::PermissionsExt;
    if !has_bubblewrap() {
        return;
    }
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let script = folder.path().join("view");
    std::fs::write(&script, "#!/bin/sh\nPYTHONPATH=/tmp/packages false\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let client = format!("mine={} {{in}} {{out}}", script.display());
    let ran = repfuzz!("clients", "--client", &client, "mine");
    let words: Vec<&str> = ran.stdout.split_whitespace().collect();
    assert!(words.join(" ").contains("the sandbox hides /tmp but for"), "{}", ran.stdout);
    std::fs::write(&script, "#!/bin/sh\nfalse\n").unwrap();
    let ran = repfuzz!("clients", "--client", &client, "mine");
    assert!(ran.stdout.contains("broken") && !ran.stdout.contains("hides"), "{}", ran.stdout);
}

#[test]
fn folders_of_a_run_that_was_killed_are_removed_by_the_next() {
    let temporary = tempfile::tempdir().unwrap();
    let left = || {
        let all = std::fs::read_dir(temporary.path()).unwrap().flatten();
        all.filter(|entry| entry.file_name().to_string_lossy().starts_with("repfuzz-"))
            .map(|entry| entry.path())
            .collect::<Vec<_>>()
    };
    let mut run = std::process::Command::new(assert_cmd::cargo::cargo_bin!("repfuzz"))
        .args(["clients", "--client", "slow=sleep 60 {in} {out}", "slow"])
        .env("TMPDIR", temporary.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // The glue of the shipped clients is there.
    while !left().iter().any(|folder| folder.join("netpbm.toml").exists()) {
        assert!(run.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(!left().is_empty());
    let mut next = std::process::Command::new(assert_cmd::cargo::cargo_bin!("repfuzz"));
    next.args(["clients", "--no-probe"]).env("TMPDIR", temporary.path());
    assert!(next.output().unwrap().status.success());
    assert_eq!(left(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn a_full_temporary_folder_has_a_remedy() {
    if !has_bubblewrap() {
        return;
    }
    let temporary = tempfile::tempdir().unwrap();
    let mut small = std::process::Command::new("bwrap");
    small.args(["--dev-bind", "/", "/", "--size", "65536", "--tmpfs"]).arg(temporary.path());
    small.arg(assert_cmd::cargo::cargo_bin!("repfuzz")).args(["clients", "--no-probe"]);
    let output = small.env("TMPDIR", temporary.path()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{told}");
    assert!(told.contains("is full; make room, or name another folder by TMPDIR"), "{told}");
}
