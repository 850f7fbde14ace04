//! Marks: comments by which a spec states that a loss is intended.
//!
//! `// loss: the reason` covers the statement on the next line, or the function that starts there, including its
//! contents.

use syn::spanned::Spanned;

use inverter::program::fold::statements;
use inverter::program::{Program, SourceFile, Span};

/// The beginning of a mark.
const MARK: &str = "// loss:";

/// A mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The reason, as the spec states it.
    pub reason: String,
    /// The place of the mark.
    pub at: Span,
    /// The parts of the text that it covers.
    covers: Vec<Span>,
    /// True if it is before a function.
    whole: bool,
}

impl Mark {
    /// Returns true if it covers a loss at `span` or, if it is before a function, a loss without a place.
    pub fn covers(&self, span: Option<Span>) -> bool {
        match span {
            None => self.whole,
            Some(span) => self.covers.iter().any(|c| c.start <= span.start && span.end <= c.end),
        }
    }
}

/// Returns the marks in the files of a spec.
pub fn marks(program: &Program) -> Vec<Mark> {
    program.source.files().iter().flat_map(|file| in_file(program, file)).collect()
}

fn in_file(program: &Program, file: &SourceFile) -> Vec<Mark> {
    let mut out: Vec<Mark> = Vec::new();
    let mut open: Option<(String, Span)> = None;
    let mut at = file.start();
    for line in file.text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let text = line.trim();
        let span = Span { start: at + indent, end: at + line.trim_end().len().max(indent) };
        at += line.len();
        if let Some(reason) = text.strip_prefix(MARK) {
            open = Some((reason.trim().to_owned(), span));
        } else if let Some((reason, _)) = &mut open
            && let Some(more) = text.strip_prefix("//")
        {
            // A reason may be longer than a line.
            reason.push(' ');
            reason.push_str(more.trim());
        } else if !text.is_empty()
            && !text.starts_with("#[")
            && let Some((reason, at)) = open.take()
        {
            let function = function_at(file, span.start);
            let mut covers = vec![span];
            covers.extend(function);
            statements(&program.body, &mut |stmt| {
                // This excludes a mere continuation of the previous line.
                if (span.start..span.end).contains(&stmt.span.start) {
                    covers.push(stmt.span);
                    for block in stmt.blocks() {
                        statements(block, &mut |inner| covers.push(inner.span));
                    }
                }
            });
            out.push(Mark { reason, at, covers, whole: function.is_some() });
        }
    }
    out
}

/// Returns the place of the function that begins at a position.
fn function_at(file: &SourceFile, start: usize) -> Option<Span> {
    let syntax = syn::parse_file(&file.text).ok()?;
    syntax.items.iter().find_map(|item| {
        let syn::Item::Fn(function) = item else { return None };
        // Comments for documentation belong to the function.
        let end = function.block.span().byte_range().end + file.start();
        let name = function.sig.span().byte_range().start + file.start();
        let begin = function.span().byte_range().start + file.start();
        (begin <= start && start <= name).then_some(Span { start, end })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use inverter::program::parse;

    #[test]
    fn marks_cover_statements_and_functions() {
        let text = "
struct In { a: u8, n: u8, d: [u8; n] }
struct Out { a: u8, n: u8, d: [u8; n] }
fn normalize(x: &In, y: &mut Out) {
    // loss: only small ones,
    // for now
    y.a = x.a;
    y.n = x.n;
    // loss: loops
    for i in 0..x.n {
        y.d[i] = x.d[i];
    }
}
";
        let program = parse("t.rs", text).unwrap();
        let at = |text_of: &str| {
            let start = text.find(text_of).unwrap();
            Some(Span { start, end: start + text_of.len() })
        };
        let found = marks(&program);
        assert_eq!(found[0].reason, "only small ones, for now");
        assert!(found[0].covers(at("y.a = x.a;")) && !found[0].covers(at("y.n = x.n;")));
        assert!(found[1].covers(at("y.d[i] = x.d[i];")) && !found[1].covers(at("y.a = x.a;")));
        assert!(!found[0].covers(None));
        let text = text.replace("fn normalize", "// loss: all of it\nfn normalize");
        let program = parse("t.rs", &text).unwrap();
        let whole = &marks(&program)[0];
        let start = text.find("y.n = x.n;").unwrap();
        assert!(whole.covers(None) && whole.covers(Some(Span { start, end: start + 10 })));
        assert!(!whole.covers(Some(Span { start: 3, end: 5 })));
    }
}
