//! Doc lines that begin with a clause that has no subject.

use crate::tree::SourceFile;

/// How such a line goes on after `///` or `//!` and a space.
const BEGINNINGS: [&str; 6] = ["What ", "Which ", "The same ", "Of which ", "So many ", "By what "];

/// Returns every doc line that begins so, as `path:line: text`.
pub fn lines(files: &[SourceFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        for (number, line) in file.text.lines().enumerate() {
            if is_headless(line) {
                found.push(format!("{}:{}: {}", file.path.display(), number + 1, line.trim()));
            }
        }
    }
    found
}

fn is_headless(line: &str) -> bool {
    let line = line.trim_start_matches(' ');
    let text = line.strip_prefix("/// ").or_else(|| line.strip_prefix("//! "));
    text.is_some_and(|text| BEGINNINGS.iter().any(|b| text.starts_with(b)))
}

#[cfg(test)]
mod tests {
    use super::is_headless;

    #[test]
    fn headless_lines_are_recognized() {
        assert!(is_headless("    /// What is wrong."));
        assert!(is_headless("//! The same for files."));
        assert!(!is_headless("//! The same-sized files."));
        assert!(!is_headless("// What a comment says."));
        assert!(!is_headless("/// Whatever is left."));
    }
}
