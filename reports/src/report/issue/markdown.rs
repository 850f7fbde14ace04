//! Escapes content in Markdown, so that it cannot become markup.

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

/// Escapes `text` so that nothing in it is markup: no link, mention, reference, element, or list at its start.
pub fn text(text: &str) -> String {
    let text = one_line(text);
    let mut out = String::new();
    for (at, c) in text.char_indices() {
        let (before, after) = (&text[..at], &text[at + c.len_utf8()..]);
        let acts = match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '~' | '|' | '@' | '#' => true,
            // https://..., and www....
            ':' => after.starts_with("//"),
            '.' if before.to_ascii_lowercase().ends_with("www") => true,
            '-' | '+' | '=' => before.is_empty(),
            // 1. and 1)
            '.' | ')' => {
                let number = !before.is_empty() && before.bytes().all(|b| b.is_ascii_digit());
                number && (after.is_empty() || after.starts_with(' '))
            }
            _ => false,
        };
        if acts {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Formats `word` as the language of a fence. Keeps letters, digits and signs that occur in names of languages.
pub fn language(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric() || "+-#._".contains(*c)).take(40).collect()
}

fn longest_ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_markup() {
        for (given, shown) in [
            ("8.1.2 (of 2024)", "8.1.2 (of 2024)"),
            ("a [b](https://c) <img src=x> @d #1", r"a \[b\](https\://c) \<img src=x\> \@d \#1"),
            (
                "www.a.b *c* _d_ `e` ~f~ g|h &lt; \\",
                r"www\.a.b \*c\* \_d\_ \`e\` \~f\~ g\|h \&lt; \\",
            ),
            ("1. a\n2) b\n# c\n> d", r"1\. a 2) b \# c \> d"),
            ("- a - b", r"\- a - b"),
            ("\x1b[31m\u{202e}", "\u{fffd}\\[31m\u{fffd}"),
        ] {
            assert_eq!(text(given), shown);
        }
        assert_eq!(language("c++ ```\n<b>"), "c++b");
    }

    #[test]
    fn nothing_ends_a_fence_from_inside() {
        assert_eq!(fenced("sh", "a"), "```sh\na\n```");
        assert_eq!(fenced("", "a\n````\nb"), "`````\na\n````\nb\n`````");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
    }
}
