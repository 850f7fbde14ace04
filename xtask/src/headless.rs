//! Doc lines that begin with a clause that has no subject.

use crate::tree::SourceFile;

/// The beginnings of such lines.
const BEGINNINGS: [&str; 11] = [
    "What ",
    "Which ",
    "The same ",
    "Of which ",
    "So many ",
    "By what ",
    "How ",
    "Whether ",
    "Where ",
    "When ",
    "Why ",
];

/// Returns every doc line that begins so, as `path:line: text`.
pub fn lines(files: &[SourceFile]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        let mut block = false;
        for (number, line) in file.text.lines().enumerate() {
            if is_headless(line, &mut block) {
                found.push(format!("{}:{}: {}", file.path.display(), number + 1, line.trim()));
            }
        }
    }
    found
}

/// Returns true for a headless line. `block` is true between `/**` and `*/`.
fn is_headless(line: &str, block: &mut bool) -> bool {
    let line = line.trim();
    let begins = |start: &str| line.strip_prefix(start);
    let text = if *block {
        Some(line.trim_start_matches('*'))
    } else if let Some(text) = begins("/**").or_else(|| begins("/*!")) {
        *block = true;
        Some(text)
    } else {
        begins("///").or_else(|| begins("//!")).filter(|text| !text.starts_with('/'))
    };
    *block &= !line.ends_with("*/");
    text.is_some_and(|text| BEGINNINGS.iter().any(|b| text.trim_start().starts_with(b)))
}

#[cfg(test)]
mod tests {
    use super::is_headless;

    #[test]
    fn headless_lines_are_recognized() {
        for (line, headless) in [
            ("    /// What is wrong.", true),
            ("\t///What is wrong.", true),
            ("//! The same for files.", true),
            ("/// Whether it is so.", true),
            ("/** What is wrong. */", true),
            ("//! The same-sized files.", false),
            ("// What a comment says.", false),
            ("//// What a comment says.", false),
            ("/// Whatever is left.", false),
            ("What no comment says.", false),
        ] {
            assert_eq!(is_headless(line, &mut false), headless, "{line}");
        }
    }

    #[test]
    fn lines_of_blocks_are_recognized() {
        let mut block = false;
        let mut lines = ["/**", " * What is wrong.", "   Why not.", " */", "What is code."].iter();
        let found = lines.by_ref().map(|line| is_headless(line, &mut block));
        assert_eq!(found.collect::<Vec<_>>(), [false, true, true, false, false]);
    }
}
