//! `docs/write-a-spec.md` is run, from its first block to its last, as are the scripts of other pages.
//!
//! | info of a block  | action                                                              |
//! |------------------|---------------------------------------------------------------------|
//! | `…,file=NAME`    | it is written to a file                                             |
//! | `sh`, `sh,exit=N` | it is run, and exits with 0 or N                                   |
//! | `text,output`    | the output of the block before it has these lines, in order; `...` stands for any lines |
//! | any without `,`  | but for `sh`, nothing is done                                       |
//!
//! With `INSTA_UPDATE=always` outputs that differ and have no `...` are written to the page.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{file, folder, installed, seed};

/// The code blocks of a page: info strings and texts.
fn blocks(markdown: &str) -> Vec<(&str, String)> {
    let mut blocks: Vec<(&str, String)> = Vec::new();
    let mut open = false;
    for line in markdown.lines() {
        match line.strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                open = true;
                blocks.push((info, String::new()));
            }
            None if open => {
                let text = &mut blocks.last_mut().unwrap().1;
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    assert!(!open, "a block is not closed");
    blocks
}

/// Runs a script; returns its exit code and its whole output.
fn run(script: &str, folder: &Path) -> (i32, String) {
    let program = assert_cmd::cargo::cargo_bin!("repfuzz");
    let path = std::env::var("PATH").unwrap();
    let output = Command::new("sh")
        .args(["-c", script])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.parent().unwrap().display()))
        .env("COLUMNS", "80")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(said).unwrap())
}

/// Returns true if `said` contains the lines of `expected`, adjacent except at `...`.
fn says(said: &str, expected: &str) -> bool {
    let said: Vec<&str> = said.lines().map(str::trim_end).collect();
    let mut from = 0;
    expected.split("...\n").filter(|part| !part.is_empty()).all(|part| {
        let part: Vec<&str> = part.lines().collect();
        let starts = |at: &usize| {
            let (last, whole) = part.split_last().unwrap();
            said[*at..].len() >= part.len()
                && said[*at..].starts_with(whole)
                && said[at + whole.len()].starts_with(last)
        };
        let found = (from..said.len()).find(starts);
        found.inspect(|at| from = at + part.len()).is_some()
    })
}

/// Runs the blocks of a page in `folder`; returns the number of scripts.
fn play(name: &str, folder: &Path) -> usize {
    let page = fs::read_to_string(file(name)).unwrap();
    let (mut said, mut ran, mut shown) = (String::new(), 0, page.clone());
    let update = std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always");
    for (info, text) in blocks(&page) {
        let (kind, option) = info.split_once(',').unwrap_or((info, ""));
        match option.split_once('=') {
            Some(("file", name)) => fs::write(folder.join(name), text).unwrap(),
            None if option == "output" && says(&said, &text) => {}
            None if option == "output" => {
                assert!(update && !text.contains("..."), "{text}\nis not in\n{said}");
                let output = |text: &str| format!("```text,output\n{text}```");
                shown = shown.replace(&output(&text), &output(&said));
            }
            exit if kind == "sh" => {
                let expected = exit.map_or(0, |(_, code)| code.parse().unwrap());
                let (code, all) = run(&text, folder);
                assert_eq!(code, expected, "{text}{all}");
                (said, ran) = (all, ran + 1);
            }
            _ => assert!(option.is_empty(), "unknown kind of block `{info}`"),
        }
    }
    if shown != page {
        fs::write(file(name), shown).unwrap();
    }
    ran
}

#[test]
fn the_tutorial_runs_as_written() {
    if installed("python3") {
        let ran = play("docs/write-a-spec.md", folder().path());
        assert!(ran >= 10, "{ran}");
    }
}

#[test]
fn the_pages_show_what_is_printed() {
    for (page, scripts) in [("README.md", 1), ("docs/usage.md", 1)] {
        let folder = folder();
        let seeds = folder.path().join("corpus/seeds");
        fs::create_dir_all(&seeds).unwrap();
        for copy in [seeds.join("rgb.tif"), folder.path().join("photo.tif")] {
            fs::copy(seed("rgb.tif"), copy).unwrap();
        }
        assert_eq!(play(page, folder.path()), scripts, "{page}");
    }
}

#[test]
fn lines_are_compared_in_order() {
    assert!(says("a\nb c\nd\n", "a\nb\n"), "the last line may go on");
    assert!(says("a\nb\nc\nd\n", "a\n...\nd\n"));
    assert!(!says("a\nb\nc\n", "b\na\n") && !says("a\nx\nb\n", "a\nb\n") && !says("", "a\n"));
}
