//! `completions` and `man`: every subcommand is in them.

use std::collections::BTreeSet;
use std::fs;

use assert_cmd::Command;

use crate::{folder, installed, repfuzz};

/// The subcommands that `--help` lists.
fn subcommands() -> BTreeSet<String> {
    let help = repfuzz!("--help");
    let all = help.fine();
    let groups =
        all.split("Options:\n").next().unwrap().split("\n\n").filter(|group| group.contains(":\n"));
    // Continuation lines are indented further.
    let names = groups
        .flat_map(str::lines)
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn completions_know_every_subcommand() {
    let subcommands = subcommands();
    assert!(subcommands.contains("fuzz") && subcommands.contains("completions"));
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = repfuzz!("completions", shell);
        let script = run.fine();
        for name in &subcommands {
            assert!(script.contains(name.as_str()), "{shell}: {name}");
        }
        if matches!(shell, "bash" | "zsh") && installed(shell) {
            Command::new(shell).arg("-n").write_stdin(script).assert().success();
        }
    }
    assert_eq!(repfuzz!("completions", "cmd.exe").code, 2);
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let folder = folder();
    let pages = folder.path().join("man/man1");
    assert_eq!(repfuzz!("man", "-o", &pages).fine(), "");
    let written: BTreeSet<String> = fs::read_dir(&pages)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let expected = subcommands().into_iter().map(|name| format!("repfuzz-{name}.1"));
    let expected: BTreeSet<String> = expected.chain(["repfuzz.1".to_owned()]).collect();
    assert_eq!(written, expected);
    let page = fs::read_to_string(pages.join("repfuzz-fuzz.1")).unwrap();
    assert!(page.contains(".TH repfuzz-fuzz 1"), "{page}");
    assert!(page.lines().any(|l| l.starts_with(".TH") && l.contains("\"repfuzz 0.")), "{page}");
    assert!(page.contains("\\fBrepfuzz fuzz\\fR [OPTIONS] [SEED]...\n"), "{page}");
    for name in &written {
        let page = fs::read_to_string(pages.join(name)).unwrap();
        assert_eq!(page.matches("EXIT STATUS").count(), 1, "{name}");
        assert!(!page.contains("repfuzz\\-help"), "{name}");
    }
    assert!(page.contains("\\-\\-hang\\-limit"), "{page}");
    // A file in place of the folder.
    assert!(repfuzz!("man", "-o", pages.join("repfuzz.1")).error().contains("repfuzz.1: "));
}
