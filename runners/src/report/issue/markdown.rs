//! Markdown that its content cannot leave.

use crate::report::clean::one_line;

/// Puts `text` into a fence that it cannot close.
pub fn fenced(language: &str, text: &str) -> String {
    let fence = "`".repeat((longest_ticks(text) + 1).max(3));
    format!("{fence}{language}\n{text}\n{fence}")
}

/// Formats `text` as inline code.
pub fn code(text: &str) -> String {
    let text = one_line(text);
    let ticks = "`".repeat(longest_ticks(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

fn longest_ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_fence_from_inside() {
        assert_eq!(fenced("sh", "a"), "```sh\na\n```");
        assert_eq!(fenced("", "a\n````\nb"), "`````\na\n````\nb\n`````");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
    }
}
