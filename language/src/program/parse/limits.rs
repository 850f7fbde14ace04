//! Limits on a spec's text, checked on its tokens before it is parsed.
//!
//! The parser recurses over brackets and operators; the limits ensure that its stack suffices for
//! any text. The check takes one pass and does not recurse.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::program::diagnostic::Diagnostic;
use crate::program::source::Span;

/// The maximum length of a spec, in bytes.
pub(super) const MAX_TEXT: usize = 1 << 20;
/// The maximum nesting depth of brackets and blocks.
pub(super) const MAX_NESTING: usize = 100;
/// The maximum number of tokens of one statement, because operators nest without brackets.
const MAX_RUN: usize = 8000;
/// The maximum length of a name, in bytes.
const MAX_NAME: usize = 100;

/// Returns an error for the first token that nests too deeply, is too long, or exceeds the number of tokens.
pub(super) fn unreadable(tokens: TokenStream) -> Option<Diagnostic> {
    let mut open = vec![(tokens.into_iter().peekable(), 0)];
    while let Some((level, run)) = open.last_mut() {
        *run += 1;
        let next = level.next();
        if *run > MAX_RUN
            && let Some(token) = &next
        {
            let message = format!("more than {MAX_RUN} words without a `;` or a `,`");
            let d = Diagnostic::new(message, local(token.span()), "too long");
            return Some(d.help("split the expression with `let`"));
        }
        match next {
            None => drop(open.pop()),
            Some(TokenTree::Group(group)) if group.delimiter() != Delimiter::None => {
                let more = matches!(level.peek(), Some(TokenTree::Ident(word)) if *word == "else");
                if group.delimiter() == Delimiter::Brace && !more {
                    *run = 0;
                }
                if open.len() > MAX_NESTING {
                    let message = format!("brackets nest more than {MAX_NESTING} deep");
                    let d = Diagnostic::new(message, local(group.span_open()), "too deep");
                    return Some(d.help("split the expression with `let`"));
                }
                open.push((group.stream().into_iter().peekable(), 0));
            }
            Some(TokenTree::Punct(p)) if matches!(p.as_char(), ';' | ',') => *run = 0,
            Some(TokenTree::Ident(word)) if word.to_string().len() > MAX_NAME => {
                let at = local(word.span());
                let at = Span { start: at.start, end: at.start + 1 };
                let message = format!("a name of more than {MAX_NAME} bytes");
                return Some(Diagnostic::new(message, at, "starts here"));
            }
            // Parsing a number takes time quadratic in its length.
            Some(TokenTree::Literal(number))
                if number.to_string().len() > MAX_NAME
                    && number.to_string().starts_with(|c: char| c.is_ascii_digit()) =>
            {
                let message = "this literal is not an integer of at most 64 bits";
                let at = local(number.span());
                let at = Span { start: at.start, end: at.start + 1 };
                return Some(Diagnostic::new(message, at, "starts here"));
            }
            Some(_) => {}
        }
    }
    None
}

/// Returns the span within its file.
pub(super) fn local(span: proc_macro2::Span) -> Span {
    let range = span.byte_range();
    Span { start: range.start, end: range.end }
}
