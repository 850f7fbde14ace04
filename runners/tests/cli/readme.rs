//! The README's example: the inverse of its spec has the condition that it shows.

use std::fs;

use super::{file, folder, repfuzz};

/// The text of the first fenced block of a language that begins so.
fn block<'t>(text: &'t str, language: &str, beginning: &str) -> &'t str {
    let fence = format!("```{language}\n{beginning}");
    let at = text.find(&fence).expect("a block") + fence.len() - beginning.len();
    text[at..].split_once("```").expect("its end").0
}

#[test]
fn the_inverse_has_the_condition_in_the_readme() {
    let text = fs::read_to_string(file("README.md")).unwrap();
    let folder = folder();
    let spec = folder.path().join("surface.rs");
    fs::write(&spec, block(&text, "rust", "struct Surface")).unwrap();
    let printed = repfuzz!("invert", &spec);
    let condition = printed.fine().lines().find(|line| line.starts_with("ensure ")).unwrap();
    assert!(text.contains(&format!("`{condition}`")), "{condition}");
}
