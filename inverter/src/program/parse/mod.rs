//! The front end: Rust text to a [`Program`], by `syn`. Whatever is outside the subset is
//! named, with its place and what is allowed instead.

mod expr;
mod item;
mod primitive;
mod stmt;

use std::collections::HashMap;
use std::sync::Arc;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::spanned::Spanned;

use super::diagnostic::{Diagnostic, SpecError};
use super::syntax::{Expr, Pred, Program, Record, Source, Span};
use super::wellformed;
use crate::primitive::Primitives;

/// The longest spec, in bytes.
const MAX_TEXT: usize = 1 << 20;
/// How deep brackets and blocks may nest.
const MAX_NESTING: usize = 100;
/// Room for the recursion that the limits above allow.
const STACK: usize = 256 << 20;

/// Reads a normalization program from `text`, which may call the primitives of this crate;
/// `name` is its file's name.
///
/// # Errors
///
/// Everything that is wrong with it, as far as it could be understood.
pub fn parse(name: &str, text: &str) -> Result<Program, SpecError> {
    parse_with(name, text, &Primitives::shipped())
}

/// The same for a program that may call just `primitives`.
///
/// # Errors
///
/// As for [`parse`].
pub fn parse_with(name: &str, text: &str, primitives: &Primitives) -> Result<Program, SpecError> {
    let source = Arc::new(Source { name: name.to_owned(), text: text.to_owned() });
    let refuse = |diagnostics| Err(SpecError::new(source.clone(), diagnostics));
    if text.len() > MAX_TEXT {
        let message = format!("the spec has {} bytes; at most {MAX_TEXT} are read", text.len());
        return refuse(vec![Diagnostic::new(message, Span::default(), "")]);
    }
    // `syn` recurses; a thread of its own gives it the room.
    let parsed = std::thread::scope(|scope| {
        let work = || read(&source, primitives);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.map(|t| t.join())
    });
    match parsed {
        Ok(Ok(Ok(program))) => {
            let found = wellformed::check(&program);
            if found.is_empty() { Ok(program) } else { refuse(found) }
        }
        Ok(Ok(Err(diagnostics))) => refuse(diagnostics),
        _ => refuse(vec![Diagnostic::new("the spec could not be read", Span::default(), "")]),
    }
}

fn read(source: &Arc<Source>, primitives: &Primitives) -> Result<Program, Vec<Diagnostic>> {
    let tokens: TokenStream = source.text.parse().map_err(|e: proc_macro2::LexError| {
        vec![
            Diagnostic::new(
                "this is not Rust: it cannot be split into words",
                span(e.span()),
                "here",
            )
            .help("look for an unclosed bracket, quote or comment"),
        ]
    })?;
    if let Some(group) = too_deep(tokens.clone()) {
        return Err(vec![
            Diagnostic::new(
                format!("brackets nest more than {MAX_NESTING} deep"),
                span(group.span_open()),
                "too deep",
            )
            .help("split the expression with `let`"),
        ]);
    }
    let file: syn::File = syn::parse2(tokens).map_err(|e| {
        e.into_iter()
            .map(|e| Diagnostic::new(format!("not valid Rust: {e}"), span(e.span()), "here"))
            .collect::<Vec<_>>()
    })?;
    let mut reader = Reader::new(source.clone(), primitives.clone());
    let program = reader.file(&file);
    match program {
        Some(program) if reader.found.is_empty() => Ok(program),
        _ => Err(reader.found),
    }
}

/// The first group that is nested too deeply.
fn too_deep(tokens: TokenStream) -> Option<Group> {
    let mut open = vec![tokens.into_iter()];
    while let Some(level) = open.last_mut() {
        match level.next() {
            None => drop(open.pop()),
            Some(TokenTree::Group(group)) if group.delimiter() != Delimiter::None => {
                if open.len() > MAX_NESTING {
                    return Some(group);
                }
                open.push(group.stream().into_iter());
            }
            Some(_) => {}
        }
    }
    None
}

fn span(span: proc_macro2::Span) -> Span {
    let range = span.byte_range();
    Span { start: range.start, end: range.end }
}

fn span_of(node: &impl Spanned) -> Span {
    span(node.span())
}

/// What a name stands for where it is used.
#[derive(Debug, Clone)]
enum Meaning {
    Number(Expr),
    Truth(Pred),
}

/// The state of reading one spec.
struct Reader {
    source: Arc<Source>,
    primitives: Primitives,
    found: Vec<Diagnostic>,
    input: Option<Record>,
    output: Option<Record>,
    vars: Vec<String>,
    names: HashMap<String, Meaning>,
    depth: usize,
}

impl Reader {
    fn new(source: Arc<Source>, primitives: Primitives) -> Self {
        Self {
            source,
            primitives,
            found: Vec::new(),
            input: None,
            output: None,
            vars: Vec::new(),
            names: HashMap::new(),
            depth: 0,
        }
    }

    /// Notes a finding; `None`, to be returned in place of what could not be read.
    fn refuse<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.found.push(diagnostic);
        None
    }

    /// Runs `read` one level deeper, or refuses if that is too deep: operators and
    /// `else if` nest without brackets.
    fn deeper<T>(&mut self, at: Span, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= 4 * MAX_NESTING {
            return self.refuse(
                Diagnostic::new("this nests too deeply", at, "too deep")
                    .help("split the expression with `let`"),
            );
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}
