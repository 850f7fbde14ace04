//! Joins tokens to the operators of C and C++.

use super::super::lex::{Token, tokens};

/// A token: a name, a number, a string or an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word<'a> {
    /// The text.
    pub text: &'a str,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

impl Word<'_> {
    /// Returns true for names, including keywords.
    pub fn is_name(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }
}

/// Operators of more than one mark, the longest first.
const OPERATORS: [&str; 22] = [
    "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "::",
];

/// The tokens of a text.
pub fn words(text: &str) -> Vec<Word<'_>> {
    let single = tokens(text);
    let mut found = Vec::with_capacity(single.len());
    let mut at = 0;
    while at < single.len() {
        let first = &single[at];
        let operator = OPERATORS.iter().find(|operator| joins(&single[at..], operator));
        let (text, count) = match operator {
            Some(operator) => (*operator, operator.len()),
            None => (first.text, 1),
        };
        found.push(Word { text, line: first.line, column: first.column });
        at += count;
    }
    found
}

/// Returns true if the first tokens are the marks of an operator without gaps.
fn joins(tokens: &[Token<'_>], operator: &str) -> bool {
    let marks = operator.as_bytes();
    let Some(first) = tokens.first() else { return false };
    tokens.len() >= marks.len()
        && marks.iter().zip(tokens).zip(0..).all(|((mark, token), k)| {
            token.text.as_bytes() == [*mark]
                && (token.line, token.column) == (first.line, first.column + k)
        })
}

/// Returns the position after the bracket that closes the one at `open`, or the end if none does.
pub fn behind(words: &[Word<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (k, word) in words.iter().enumerate().skip(open) {
        match word.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return k + 1;
        }
    }
    words.len()
}
