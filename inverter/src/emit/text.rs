//! Prints emitted code, formatted and with the spec's lines as comments.

use std::cell::RefCell;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::program::{Source, Span};

/// The lines of the spec that become comments of the emitted code.
#[derive(Debug)]
pub(super) struct Comments {
    source: std::sync::Arc<Source>,
    lines: RefCell<Vec<Vec<String>>>,
}

impl Comments {
    pub fn new(source: &std::sync::Arc<Source>) -> Self {
        Self { source: source.clone(), lines: RefCell::default() }
    }

    /// Returns a marker for a whole statement.
    pub fn statement(&self, span: Span) -> TokenStream {
        self.marker(self.source.at(span))
    }

    /// Returns a marker for a statement up to its body.
    pub fn header(&self, span: Span) -> TokenStream {
        let text = self.source.at(span);
        self.marker(text.split_inclusive('{').next().unwrap_or(""))
    }

    /// Returns a marker that [`print`](Self::print) replaces by the lines of `text`, as tokens
    /// cannot hold comments.
    fn marker(&self, text: &str) -> TokenStream {
        let lines: Vec<String> = text.lines().map(|l| l.trim().to_owned()).collect();
        if lines.is_empty() {
            return TokenStream::new();
        }
        let mut all = self.lines.borrow_mut();
        all.push(lines);
        let at = Literal::usize_unsuffixed(all.len() - 1);
        quote!(spec!(#at);)
    }

    /// Prints items, with the markers replaced by comments.
    pub fn print(&self, items: TokenStream) -> String {
        let file = match syn::parse2(items.clone()) {
            Ok(file) => prettyplease::unparse(&file),
            // A bug of the emitter: the tokens as they are help most to find it.
            Err(_) => items.to_string(),
        };
        let all = self.lines.borrow();
        let mut out = String::new();
        for line in file.lines() {
            let indent = &line[..line.len() - line.trim_start().len()];
            let marked = line.trim().strip_prefix("spec!(").and_then(|l| l.strip_suffix(");"));
            match marked.and_then(|n| n.parse().ok()).and_then(|n: usize| all.get(n)) {
                Some(lines) => {
                    for line in lines {
                        out.push_str(&format!("{indent}// {line}\n"));
                    }
                }
                None => {
                    out.push_str(line);
                    out.push('\n');
                }
            }
        }
        out
    }
}

/// Returns a string literal, raw unless the text has carriage returns, which raw literals cannot
/// hold.
pub(super) fn literal(text: &str) -> String {
    if text.contains('\r') {
        return format!("{text:?}");
    }
    let mut hashes = String::from("#");
    while text.contains(&format!("\"{hashes}")) {
        hashes.push('#');
    }
    format!("r{hashes}\"{text}\"{hashes}")
}

#[cfg(test)]
mod tests {
    use super::literal;

    #[test]
    fn literals_are_the_text() {
        for text in ["", "a\"#b", "\"##\n\"#", "\r\n", "\\ \r\u{7f}\u{e9}\""] {
            let found: syn::LitStr = syn::parse_str(&literal(text)).unwrap();
            assert_eq!(found.value(), text);
        }
    }
}
