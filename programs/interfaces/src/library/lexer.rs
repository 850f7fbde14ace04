//! Tokens of the syntax of guarded updates.

use super::{Place, Problem};

/// A token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    /// A name or a keyword.
    Name(String),
    /// A number.
    Int(i64),
    /// Punctuation.
    Sign(&'static str),
    /// The end of the text.
    End,
}

/// The signs. A sign comes before any other sign that is its prefix.
const SIGNS: [&str; 32] = [
    "==>", "==", "=>", "!=", "<=", ">=", "<<", ">>", "&&", "||", "..", "=", "<", ">", "&", "|",
    "!", "'", "+", "-", "*", "/", "%", "(", ")", "[", "]", "{", "}", ":", ";", ",",
];

/// The largest number that is accepted. No range of variables needs larger ones.
const LARGEST: i64 = 1 << 60;

/// Splits a text into tokens with their places. Comments run from `//` or `#` to the end of a line.
///
/// # Errors
///
/// A character or number that belongs to no token.
pub fn tokens(text: &str) -> Result<Vec<(Token, Place)>, Problem> {
    let mut out = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut rest = line;
        loop {
            rest = rest.trim_start();
            let column = line[..line.len() - rest.len()].chars().count() + 1;
            let place = Place { line: index + 1, column };
            let Some(first) = rest.chars().next() else { break };
            if rest.starts_with("//") || first == '#' {
                break;
            }
            let length = if first.is_ascii_digit() {
                let digits = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
                let number = rest[..digits].parse().ok().filter(|n| *n <= LARGEST);
                let Some(number) = number else {
                    let message =
                        format!("`{}` is no number up to {LARGEST}", brief(&rest[..digits]));
                    return Err(Problem::new(place, message));
                };
                out.push((Token::Int(number), place));
                digits
            } else if first.is_ascii_alphabetic() || first == '_' {
                let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
                let mut end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
                // `a..b` is a range, not a name with dots.
                end = rest[..end].find("..").unwrap_or(end);
                out.push((Token::Name(rest[..end].to_owned()), place));
                end
            } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
                out.push((Token::Sign(sign), place));
                sign.len()
            } else {
                let message = format!("`{}` begins no token", first.escape_default());
                return Err(Problem::new(place, message));
            };
            rest = &rest[length..];
        }
    }
    let last = text.lines().count().max(1);
    let column = text.lines().last().unwrap_or_default().chars().count() + 1;
    out.push((Token::End, Place { line: last, column }));
    Ok(out)
}

/// The beginning of a text that may be long.
fn brief(text: &str) -> String {
    match text.len() > 30 {
        true => format!("{}…", text.chars().take(29).collect::<String>()),
        false => text.to_owned(),
    }
}
