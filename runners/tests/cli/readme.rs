//! The README's example: the inverse of its spec is the one that it shows.

use std::fs;

use super::{file, folder, repfuzz};

/// The text of the first fenced block of a language.
fn block<'t>(text: &'t str, language: &str) -> &'t str {
    let (_, rest) = text.split_once(&format!("```{language}\n")).expect("a block");
    rest.split_once("```").expect("its end").0
}

#[test]
fn the_inverse_in_the_readme_is_what_is_printed() {
    let text = fs::read_to_string(file("README.md")).unwrap();
    let folder = folder();
    let spec = folder.path().join("surface.rs");
    fs::write(&spec, block(&text, "rust")).unwrap();
    let printed = repfuzz!("invert", &spec);
    assert_eq!(printed.fine(), block(&text, "text"));
}
