//! The front end: Rust text to a [`Program`], by `syn`. Whatever is outside the subset is
//! named, with its place and what is allowed instead.

mod expr;
mod item;
mod primitive;
mod stmt;
mod view;

use std::collections::HashMap;
use std::sync::Arc;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::spanned::Spanned;

use super::diagnostic::{Diagnostic, SpecError};
use super::syntax::{Expr, Pred, Program, Record, Source, Span};
use super::views::{Told, View};
use super::wellformed;
use crate::primitive::Primitives;

/// The longest spec, in bytes.
const MAX_TEXT: usize = 1 << 20;
/// How deep brackets and blocks may nest.
const MAX_NESTING: usize = 100;
/// How many words one statement may have: operators nest without brackets.
const MAX_RUN: usize = 8000;
/// The longest name, in bytes.
const MAX_NAME: usize = 100;
/// The most statements.
const MAX_STATEMENTS: usize = 4096;
/// The most findings that are told at once.
const MAX_FOUND: usize = 100;
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
    let mut programs = parse_all(name, text, primitives)?;
    if programs.len() > 1 {
        let source = programs[1].source.clone();
        let at = Span::default();
        let d = Diagnostic::new("a spec has one function here", at, "it has several")
            .help("several functions of one file are the stages of a pipeline");
        return Err(SpecError::new(source, vec![d]));
    }
    Ok(programs.remove(0))
}

/// Reads all functions of a spec, in the order written: each is a program of its own, called
/// as the function if there are several. At least one.
///
/// # Errors
///
/// As for [`parse`].
pub fn parse_all(
    name: &str,
    text: &str,
    primitives: &Primitives,
) -> Result<Vec<Program>, SpecError> {
    let source = Arc::new(Source { name: name.to_owned(), text: text.to_owned() });
    let refuse = |mut diagnostics: Vec<Diagnostic>| {
        diagnostics.truncate(MAX_FOUND);
        Err(SpecError::new(source.clone(), diagnostics))
    };
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
        Ok(Ok(Ok(programs))) => {
            let found: Vec<_> = programs.iter().flat_map(wellformed::check).collect();
            if found.is_empty() { Ok(programs) } else { refuse(found) }
        }
        Ok(Ok(Err(diagnostics))) => refuse(diagnostics),
        _ => refuse(vec![Diagnostic::new("the spec could not be read", Span::default(), "")]),
    }
}

fn read(source: &Arc<Source>, primitives: &Primitives) -> Result<Vec<Program>, Vec<Diagnostic>> {
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
    if let Some(d) = unreadable(tokens.clone()) {
        return Err(vec![d]);
    }
    let file: syn::File = syn::parse2(tokens).map_err(|e| {
        e.into_iter()
            .map(|e| Diagnostic::new(format!("not valid Rust: {e}"), span(e.span()), "here"))
            .collect::<Vec<_>>()
    })?;
    let mut reader = Reader::new(source.clone(), primitives.clone());
    let programs = reader.file(&file);
    match programs {
        Some(programs) if reader.found.is_empty() => Ok(programs),
        _ => Err(reader.found),
    }
}

/// The first thing that is too deep, too long or too much to be read: what follows recurses.
fn unreadable(tokens: TokenStream) -> Option<Diagnostic> {
    let mut open = vec![(tokens.into_iter().peekable(), 0)];
    while let Some((level, run)) = open.last_mut() {
        *run += 1;
        let next = level.next();
        if *run > MAX_RUN
            && let Some(token) = &next
        {
            let message = format!("more than {MAX_RUN} words without a `;` or a `,`");
            let d = Diagnostic::new(message, span(token.span()), "too long");
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
                    let d = Diagnostic::new(message, span(group.span_open()), "too deep");
                    return Some(d.help("split the expression with `let`"));
                }
                open.push((group.stream().into_iter().peekable(), 0));
            }
            Some(TokenTree::Punct(p)) if matches!(p.as_char(), ';' | ',') => *run = 0,
            Some(TokenTree::Ident(word)) if word.to_string().len() > MAX_NAME => {
                let at = span(word.span());
                let at = Span { start: at.start, end: at.start + 1 };
                let message = format!("a name of more than {MAX_NAME} bytes");
                return Some(Diagnostic::new(message, at, "starts here"));
            }
            // To find out that a number is too large takes time in its square.
            Some(TokenTree::Literal(number))
                if number.to_string().len() > MAX_NAME
                    && number.to_string().starts_with(|c: char| c.is_ascii_digit()) =>
            {
                let message = "this literal is not an integer of at most 64 bits";
                let at = span(number.span());
                let at = Span { start: at.start, end: at.start + 1 };
                return Some(Diagnostic::new(message, at, "starts here"));
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
    views: Vec<View>,
    told: Vec<Told>,
    /// The conditions around the statement that is read, outermost first.
    guards: Vec<Pred>,
    /// How many loops are around it.
    loops: usize,
    depth: usize,
    statements: usize,
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
            views: Vec::new(),
            told: Vec::new(),
            guards: Vec::new(),
            loops: 0,
            depth: 0,
            statements: 0,
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
