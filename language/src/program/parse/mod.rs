//! The front end: parses Rust text with `syn` and reads it as a [`Program`]. Errors name the construct outside the
//! subset of Rust, its place, and the allowed alternatives.

mod bits;
mod call;
mod expr;
mod first_and_last;
mod item;
mod length;
mod limits;
mod load;
mod loop_read;
mod loop_view;
mod matching;
mod primitive;
mod relative;
mod stmt;
mod view;
mod walk;
mod words;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use limits::{MAX_NESTING, MAX_TEXT, local};
use load::Parsed;
use loop_read::LoopRead;
use syn::spanned::Spanned;

use super::callee::{Callee, Shipped, Signatures};
use super::diagnostic::{Diagnostic, SpecError};
use super::source::{Source, Span, SpecText};
use super::syntax::{Expr, Pred, Program, RecordType, VarId};
use super::views::{Around, StoredLength, View};
use super::wellformed;

/// The maximum number of statements.
const MAX_STATEMENTS: usize = 4096;
/// The maximum number of findings that are reported at once.
const MAX_FOUND: usize = 100;
/// A stack size, in bytes, that suffices for the recursion that the limits allow.
const STACK: usize = 256 << 20;

/// Reads a normalization program from `text`, which may call the primitives of this crate and uses
/// no other file; `name` is its file's name.
///
/// # Errors
///
/// The errors of the spec, as far as it could be read, at most 100 of them.
pub fn parse(name: &str, text: &str) -> Result<Program, SpecError> {
    parse_with(name, text, &Shipped)
}

/// [`parse`] for a program that may call only `primitives`.
///
/// # Errors
///
/// As for [`parse`].
pub fn parse_with(
    name: &str,
    text: &str,
    primitives: &dyn Signatures,
) -> Result<Program, SpecError> {
    parse_from(&SpecText::alone(name, text), primitives)
}

/// [`parse_with`] for a program that may use other files.
///
/// # Errors
///
/// As for [`parse`].
pub fn parse_from(spec: &SpecText<'_>, primitives: &dyn Signatures) -> Result<Program, SpecError> {
    let mut programs = parse_all(spec, primitives)?;
    if programs.len() > 1 {
        let source = programs[1].source.clone();
        let at = Span::default();
        let d = Diagnostic::new("a spec has one function here", at, "it has several")
            .help("several functions of one file are the stages of a pipeline");
        return Err(SpecError::new(source, vec![d]));
    }
    Ok(programs.remove(0))
}

/// Reads all stages of a spec, at least one, in the order written: each function that no other function calls is a
/// separate program, named after the function if there are several.
///
/// # Errors
///
/// As for [`parse`].
pub fn parse_all(
    spec: &SpecText<'_>,
    primitives: &dyn Signatures,
) -> Result<Vec<Program>, SpecError> {
    let refuse = |source: Arc<Source>, mut diagnostics: Vec<Diagnostic>| {
        diagnostics.truncate(MAX_FOUND);
        Err(SpecError::new(source, diagnostics))
    };
    let alone = || Arc::new(Source::new(spec.name, spec.text));
    let size = spec.text.len();
    if size > MAX_TEXT {
        let message = format!("the spec has {size} bytes; at most {MAX_TEXT} are read");
        return refuse(alone(), vec![Diagnostic::new(message, Span::default(), "")]);
    }
    // `syn` recurses, so it runs on a thread with a large stack.
    let primitives = primitives.signatures();
    let parsed = std::thread::scope(|scope| {
        let work = || read(spec, primitives);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.map(|t| t.join())
    });
    match parsed {
        Ok(Ok(Ok(programs))) => {
            let found: Vec<_> = programs.iter().flat_map(wellformed::check).collect();
            match programs.first() {
                Some(first) if !found.is_empty() => refuse(first.source.clone(), found),
                _ => Ok(programs),
            }
        }
        Ok(Ok(Err((source, diagnostics)))) => refuse(source, diagnostics),
        _ => {
            let d = Diagnostic::new("the spec could not be read", Span::default(), "");
            refuse(alone(), vec![d])
        }
    }
}

fn read(
    spec: &SpecText<'_>,
    primitives: Vec<Callee>,
) -> Result<Vec<Program>, (Arc<Source>, Vec<Diagnostic>)> {
    let loaded = load::load(spec).map_err(|(source, found)| (Arc::new(source), found))?;
    let source = Arc::new(loaded.source);
    let mut reader = Reader::new(source.clone(), &loaded.files, primitives);
    let programs = reader.spec(&loaded.order);
    match programs {
        Some(programs) if reader.found.is_empty() => Ok(programs),
        _ => Err((source, reader.found)),
    }
}

/// The meaning of a name where it is used.
#[derive(Debug, Clone)]
enum Meaning {
    Number(Expr),
    Truth(Pred),
}

/// An item with the file that declares it.
struct Declared<'a, T> {
    file: usize,
    item: &'a T,
}

impl<T> Clone for Declared<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Declared<'_, T> {}

impl<T> Declared<'_, T> {
    /// Returns true if it is the same declaration.
    fn is(self, other: Self) -> bool {
        std::ptr::eq(self.item, other.item)
    }
}

/// The declarations to which names refer in one file.
#[derive(Default)]
struct Scope<'a> {
    structs: HashMap<String, Declared<'a, syn::ItemStruct>>,
    functions: HashMap<String, Declared<'a, syn::ItemFn>>,
    constants: HashMap<String, Meaning>,
    /// The names that are imported from other files.
    imported: HashSet<String>,
}

/// The state of reading one spec.
struct Reader<'a> {
    source: Arc<Source>,
    files: &'a [Parsed],
    /// The scope of each file, as far as it has been read.
    scopes: Vec<Scope<'a>>,
    /// The file that is being read.
    file: usize,
    primitives: Vec<Callee>,
    found: Vec<Diagnostic>,
    input: Option<RecordType>,
    output: Option<RecordType>,
    /// The structs of the input and the output.
    types: Option<[Declared<'a, syn::ItemStruct>; 2]>,
    vars: Vec<String>,
    names: HashMap<String, Meaning>,
    views: Vec<View>,
    /// The numbers that loops read from bytes under a name.
    loop_reads: Vec<LoopRead>,
    stored_lengths: Vec<StoredLength>,
    /// The conditions around the statement being read, outermost first.
    guards: Vec<Pred>,
    /// The loops around the statement being read, outermost first.
    around: Vec<Around>,
    /// True if the program that is being read has variables that change.
    walking: bool,
    /// The variables that change.
    mutable: HashSet<VarId>,
    /// The dimensions of the numbers that the program's walks read.
    walk_dimensions: HashSet<String>,
    depth: usize,
    statements: usize,
    /// The enclosing functions: a stage, then called functions, each called by the previous one.
    calls: Vec<Declared<'a, syn::ItemFn>>,
    /// The functions of the spec's own file that are called.
    called: HashSet<String>,
}

impl<'a> Reader<'a> {
    fn new(source: Arc<Source>, files: &'a [Parsed], primitives: Vec<Callee>) -> Self {
        Self {
            source,
            scopes: files.iter().map(|_| Scope::default()).collect(),
            files,
            file: 0,
            primitives,
            found: Vec::new(),
            input: None,
            output: None,
            types: None,
            vars: Vec::new(),
            names: HashMap::new(),
            views: Vec::new(),
            loop_reads: Vec::new(),
            stored_lengths: Vec::new(),
            guards: Vec::new(),
            around: Vec::new(),
            walking: false,
            mutable: HashSet::new(),
            walk_dimensions: HashSet::new(),
            depth: 0,
            statements: 0,
            calls: Vec::new(),
            called: HashSet::new(),
        }
    }

    /// The place of a token of the file that is being read.
    fn span(&self, span: proc_macro2::Span) -> Span {
        local(span).shifted(self.files[self.file].start)
    }

    /// The place of a piece of syntax of the file that is being read.
    fn span_of(&self, node: &impl Spanned) -> Span {
        self.span(node.span())
    }

    /// The primitive called `name`.
    fn primitive(&self, name: &str) -> Option<&Callee> {
        self.primitives.iter().find(|p| p.name == name)
    }

    /// Records a finding; returns `None` in place of the result that could not be read.
    fn refuse<T>(&mut self, diagnostic: Diagnostic) -> Option<T> {
        self.found.push(diagnostic);
        None
    }

    /// Runs `read` one level deeper, or refuses if that is too deep: operators and `else if` nest without brackets, so
    /// the limit on brackets does not bound them. `node` is the nesting construct: the place of a long expression is
    /// expensive to compute, and is needed only for the message.
    fn deeper<T>(
        &mut self,
        node: &impl Spanned,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.depth >= 4 * MAX_NESTING {
            return self.refuse(
                Diagnostic::new("this nests too deeply", self.span_of(node), "too deep")
                    .help("split the expression with `let`"),
            );
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}
