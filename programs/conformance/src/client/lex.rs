//! Tokens of C and C++ sources before preprocessing. At that point names of tags still exist, and no headers are
//! needed.

/// A name, a string with its quotes, or a punctuation mark of one character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// The text.
    pub text: &'a str,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

/// Returns the names, numbers, strings and marks of a text, without comments and without what `#if 0` excludes.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let (mut at, mut line, mut start) = (0, 1, 0);
    // The nesting depth of conditions inside `#if 0`; `None` outside.
    let mut dead: Option<u32> = None;
    while let Some(byte) = bytes.get(at) {
        let begin = at;
        match byte {
            b'\n' => {
                at += 1;
                line += 1;
                start = at;
                continue;
            }
            b'#' if text[start..at].trim().is_empty() => {
                let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
                let words = text[at + 1..end].trim();
                dead = directive(words, dead);
                // The names in a condition do not count as used, but those in a macro definition do.
                at = if dead.is_none() && words.starts_with("define") { at + 1 } else { end };
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = text[at..].find('\n').map_or(text.len(), |end| at + end);
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text[at + 2..].find("*/").map_or(text.len(), |end| at + end + 4);
            }
            b'"' | b'\'' => {
                at += 1;
                while let Some(inner) = bytes.get(at).filter(|inner| **inner != b'\n') {
                    at += if *inner == b'\\' { 2 } else { 1 };
                    if inner == byte {
                        break;
                    }
                }
                at = at.min(text.len());
                if let (b'"', None, Some(string)) = (byte, dead, text.get(begin..at)) {
                    push(&mut found, string, line, begin - start);
                }
            }
            _ if dead.is_some() => at += 1,
            b if b.is_ascii_alphanumeric() || *b == b'_' => {
                let name = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
                at += bytes[at..].iter().take_while(name).count();
                push(&mut found, &text[begin..at], line, begin - start);
            }
            b if b.is_ascii_punctuation() => {
                at += 1;
                push(&mut found, &text[begin..at], line, begin - start);
            }
            _ => at += 1,
        }
        let lines = bytes[begin..at.min(bytes.len())].iter().filter(|b| **b == b'\n').count();
        if lines > 0 {
            line += u32::try_from(lines).unwrap_or(0);
            start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        }
    }
    found
}

fn push<'a>(found: &mut Vec<Token<'a>>, text: &'a str, line: u32, column: usize) {
    let column = u32::try_from(column).unwrap_or(u32::MAX).saturating_add(1);
    found.push(Token { text, line, column });
}

/// Returns the state after a directive.
fn directive(text: &str, dead: Option<u32>) -> Option<u32> {
    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    match (dead, word) {
        (None, "if") => (text[2..].trim() == "0").then_some(0),
        (None, _) => None,
        (Some(depth), "if" | "ifdef" | "ifndef") => Some(depth + 1),
        (Some(0), "endif" | "else" | "elif") => None,
        (Some(depth), "endif") => Some(depth - 1),
        _ => dead,
    }
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn comments_strings_and_dead_text_do_not_count() {
        let text = "a /* b\n c */ d // e\n#if 0\nf\n#ifdef X\ng\n#endif\n#else\nh\n#endif\n\"i\\\"\" j('k')";
        let found: Vec<(&str, u32, u32)> =
            tokens(text).iter().map(|t| (t.text, t.line, t.column)).collect();
        let names: Vec<_> =
            found.into_iter().filter(|t| t.0.chars().all(char::is_alphabetic)).collect();
        let wanted = [("a", 1, 1), ("d", 2, 7), ("h", 9, 1), ("j", 11, 7)];
        assert_eq!(names, wanted);
    }

    #[test]
    fn any_text_is_read() {
        for text in ["\"", "'\\", "/*", "#if 0", "#", "é\"é", "//", "#if"] {
            tokens(text);
        }
    }
}
