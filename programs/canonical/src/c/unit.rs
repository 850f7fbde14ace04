//! Reads translation units, one after another, into one program.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use lang_c::ast::ExternalDeclaration;

use super::chunk::{self, Chunk};
use super::lex::{Interner, Kind, Lexeme, Longest, lex};
use super::lower::{Linkage, Lowerer, Problem, Symbol, unknown_function};
use super::options::Options;
use super::overlay::Overlay;
use super::parse;
use super::preprocess::{self, Input};
use crate::model::{
    Diagnostic, Effect, Expr, ExprKind, FunctionId, Initial, Place, Program, Token, TokenId, Type,
};
use crate::{address, walk};

/// A file, or a text with a name.
#[derive(Debug)]
pub enum Source {
    File(PathBuf),
    Text(String, String),
}

/// Reads all sources.
pub fn link(sources: &[Source], options: &Options) -> Program {
    let mut program = Program::default();
    let (mut linkage, mut interner) = (Linkage::default(), Interner::default());
    for source in sources {
        if let Err((message, place)) =
            read(source, options, &mut program, &mut linkage, &mut interner)
        {
            let effect = Effect::LeftOut;
            program.diagnostics.push(Diagnostic { message, place, function: None, effect });
        }
    }
    complete(&mut program, &linkage);
    drop_unused(&mut program, &linkage);
    address::mark(&mut program);
    program
}

/// Completes arrays without a size, and adds remarks about names that other files would have to define.
fn complete(program: &mut Program, linkage: &Linkage) {
    let mut open = Vec::new();
    for variable in &mut program.variables {
        let Type::Array(element, None) = &variable.ty else { continue };
        match variable.initial {
            // A tentative definition has one element (C11, 6.9.2).
            Initial::Values(_) => variable.ty = Type::Array(element.clone(), Some(1)),
            Initial::Unknown => {
                let message = format!("the size of `{}` is not known", variable.name);
                open.push((message, variable.place, None));
            }
            Initial::None => {}
        }
    }
    let mut inline: Vec<_> = linkage.inline.iter().collect();
    inline.retain(|(id, _)| !linkage.external.contains(id) && !linkage.system.contains(id));
    inline.sort();
    for (id, place) in inline {
        let name = &program.function(*id).name;
        let message = format!("`{name}` is inline: another definition of it may be called");
        open.push((message, Some(*place), Some(*id)));
    }
    for (message, place, function) in open {
        let effect = Effect::Unsound;
        program.diagnostics.push(Diagnostic { message, place, function, effect });
    }
}

/// Drops the graphs of functions in system headers to which nothing refers.
fn drop_unused(program: &mut Program, linkage: &Linkage) {
    let mut used = vec![false; program.functions.len()];
    let mut waiting: Vec<FunctionId> = Vec::new();
    for (id, _, _) in program.defined() {
        if !linkage.system.contains(&id) {
            waiting.push(id);
        }
    }
    let mut named = Vec::new();
    walk::initial(program, &mut |expr| named.extend(function_of(expr)));
    waiting.extend(named);
    while let Some(id) = waiting.pop() {
        if std::mem::replace(&mut used[id.index()], true) {
            continue;
        }
        let Some(graph) = &program.function(id).body else { continue };
        walk::graph(graph, &mut |expr| waiting.extend(function_of(expr)));
        waiting.extend(graph.calls().flat_map(|(_, call)| call.callee.targets().to_vec()));
    }
    for id in &linkage.system {
        if !used[id.index()] {
            program.functions[id.index()].body = None;
        }
    }
}

fn function_of(expr: &Expr) -> Option<FunctionId> {
    match expr.kind {
        ExprKind::Function(id) => Some(id),
        _ => None,
    }
}

/// The reason why a file was left out, and the place.
type Failure = (String, Option<Place>);

fn read(
    source: &Source,
    options: &Options,
    program: &mut Program,
    linkage: &mut Linkage,
    interner: &mut Interner,
) -> Result<(), Failure> {
    let own = |program: &mut Program, interner: &mut Interner| match source {
        Source::File(path) => interner.file(path.clone(), &mut program.files),
        Source::Text(name, _) => interner.file(name.into(), &mut program.files),
    };
    let file = own(program, interner);
    let at = |line| Some(Place { file, line, column: 1 });
    let (text, overlay) = match preprocessed(source, options) {
        Ok(found) => found,
        Err(failure) => {
            let place = match failure.place {
                Some((path, line)) if path != Path::new("<stdin>") => {
                    let path = path.strip_prefix("./").map(Path::to_owned).unwrap_or(path);
                    let file = interner.file(path, &mut program.files);
                    Some(Place { file, line, column: 1 })
                }
                Some((_, line)) => at(line),
                None => at(1),
            };
            return Err((failure.message, place));
        }
    };
    let name = |path: &str| name_of(path, source, overlay.as_ref());
    // One more than the maximum, so that an excess is noticed.
    let longest =
        Longest { run: options.limits.expression + 1, declaration: options.limits.declaration + 1 };
    let lexed = lex(&text, interner, &mut program.files, longest, name);
    drop(text);
    for (message, place) in &lexed.directives {
        let (message, place, effect) = (message.clone(), Some(*place), Effect::Unsound);
        program.diagnostics.push(Diagnostic { message, place, function: None, effect });
    }
    let mut lowerer = Lowerer::new(program, linkage, &lexed, char_is_signed());
    for chunk in chunk::split(&lexed.lexemes) {
        one(&mut lowerer, &chunk, options);
    }
    lowerer.remark_names();
    Ok(())
}

/// Returns the preprocessed text. The overlay must live as long as its files are used.
fn preprocessed(
    source: &Source,
    options: &Options,
) -> Result<(String, Option<Overlay>), preprocess::Failure> {
    match source {
        Source::Text(_, text) => {
            let text = super::overlay::without(text, &options.calls);
            Ok((preprocess::preprocess(Input::Text(&text), &[], options)?, None))
        }
        Source::File(path) if options.calls.is_empty() => {
            check_file(path)?;
            Ok((preprocess::preprocess(Input::File(path), &[], options)?, None))
        }
        Source::File(path) => {
            check_file(path)?;
            let overlay = Overlay::new(path, options)?;
            let text = overlay.preprocess(options)?;
            Ok((text, Some(overlay)))
        }
    }
}

/// Distinguishes files that cannot be read from those that the preprocessor refuses.
fn check_file(path: &Path) -> Result<(), preprocess::Failure> {
    let failed = |message| preprocess::Failure { message, place: None };
    let about = fs::metadata(path).map_err(|why| failed(format!("cannot read the file: {why}")))?;
    if about.is_file() { Ok(()) } else { Err(failed("not a file".to_owned())) }
}

/// Returns the name that is used for the file of a line marker.
fn name_of(path: &str, source: &Source, overlay: Option<&Overlay>) -> PathBuf {
    if let (Source::Text(name, _), "<stdin>") = (source, path) {
        return name.into();
    }
    match overlay {
        Some(overlay) => overlay.original(Path::new(path)),
        None => path.strip_prefix("./").unwrap_or(path).into(),
    }
}

/// Returns true if `char` has a sign on this machine.
fn char_is_signed() -> bool {
    cfg!(any(target_arch = "x86_64", target_arch = "x86"))
}

/// Reads one external declaration.
fn one(lowerer: &mut Lowerer<'_>, chunk: &Chunk, options: &Options) {
    let lexemes = lowerer.lexemes;
    keep_tokens(lowerer, chunk);
    if let Err((message, at)) = chunk::check(lexemes, chunk, &options.limits) {
        return left_out(lowerer, chunk, message, Some(lexemes[at].place));
    }
    let name = chunk
        .body
        .and_then(|body| function_name(&lexemes[chunk.range.start..body], &lowerer.typedefs));
    let text = chunk::text(lexemes, chunk.range.clone(), &lowerer.typedefs, name);
    let unit = match parse::parse(&text.text) {
        Ok(unit) => unit,
        Err((message, offset)) => {
            let place = text.position(offset).map(|at| lexemes[at].place);
            return left_out(lowerer, chunk, message, place);
        }
    };
    lowerer.claimed = vec![false; text.starts.len()];
    lowerer.text = text;
    for external in &unit.0 {
        let result = match &external.node {
            // These types are declared to the parser by `chunk::text`.
            _ if external.span.end <= lowerer.text.starts.first().map_or(0, |s| s.0) => continue,
            ExternalDeclaration::Declaration(declaration) => lowerer.declaration(declaration),
            ExternalDeclaration::StaticAssert(_) => Ok(()),
            ExternalDeclaration::FunctionDefinition(definition) => lowerer.definition(definition),
        };
        if let Err(Problem { message, place }) = result {
            left_out(lowerer, chunk, message, place);
        }
    }
    lowerer.remark_attributes();
    if let (Some(body), Some(name)) = (chunk.body, name)
        && lexemes[body].system
        && let Some(Symbol::Function(id)) = lowerer.scopes[0].names.get(name)
    {
        lowerer.linkage.system.insert(*id);
    }
}

/// Adds the tokens of a declaration to those of the program.
fn keep_tokens(lowerer: &mut Lowerer<'_>, chunk: &Chunk) {
    for at in chunk.range.clone() {
        let lexeme = &lowerer.lexemes[at];
        if !lexeme.system || chunk.body.is_some() {
            lowerer.tokens[at] = Some(TokenId::new(lowerer.program.tokens.len()));
            let token = Token { text: lexeme.text.clone(), place: lexeme.place };
            lowerer.program.tokens.push(token);
        }
    }
}

/// Records that a declaration was left out. A function is at least declared.
fn left_out(lowerer: &mut Lowerer<'_>, chunk: &Chunk, message: String, place: Option<Place>) {
    let lexemes = lowerer.lexemes;
    lowerer.reset();
    let header = chunk.body.map(|body| &lexemes[chunk.range.start..body]);
    let name = header.and_then(|header| function_name(header, &lowerer.typedefs));
    if let (Some(name), Some(body)) = (name, chunk.body) {
        declare_only(lowerer, chunk, body, name);
        let known = lowerer.scopes[0].names.get(name).cloned();
        let id = match known {
            Some(Symbol::Function(id)) => id,
            _ => lowerer.declare_unknown(name, unknown_function(), lexemes[body].place),
        };
        return lowerer.not_understood(id, message, place);
    }
    // A declaration of a system header that is not used anywhere does not matter.
    if chunk.range.clone().all(|at| lexemes[at].system) {
        return;
    }
    let effect = Effect::LeftOut;
    let place = place.or(lexemes.get(chunk.range.start).map(|l| l.place));
    lowerer.program.diagnostics.push(Diagnostic { message, place, function: None, effect });
}

/// Declares a function whose body is not understood, if its head is understood.
fn declare_only(lowerer: &mut Lowerer<'_>, chunk: &Chunk, body: usize, name: &str) {
    let lexemes = lowerer.lexemes;
    let range = chunk.range.start..body;
    let text = chunk::text(lexemes, range, &lowerer.typedefs, Some(name));
    let Ok(unit) = parse::parse(&format!("{};", text.text)) else { return };
    lowerer.claimed = vec![false; text.starts.len()];
    lowerer.text = text;
    for external in &unit.0 {
        let first = lowerer.text.starts.first().map_or(0, |s| s.0);
        if let ExternalDeclaration::Declaration(declaration) = &external.node
            && external.span.end > first
        {
            // If it cannot be declared either, only its name is known.
            let _ = lowerer.declaration(declaration);
        }
    }
    lowerer.reset();
}

/// Returns the name of a function from the tokens before its body: the first name, other than that of a type, that is
/// followed by parameters, directly or after closing parentheses, as in `int (f)(int x)`.
fn function_name<'l>(header: &'l [Lexeme], typedefs: &HashSet<String>) -> Option<&'l str> {
    let text = |k: usize| header.get(k).map(|lexeme| &*lexeme.text);
    let mut at = 0;
    while let Some(word) = text(at) {
        match word {
            "{" => at = chunk::skip_group(header, at),
            "struct" | "union" | "enum" if text(at + 1) != Some("{") => at += 2,
            _ if HEADS.contains(&word) && text(at + 1) == Some("(") => {
                at = chunk::skip_group(header, at + 1);
            }
            _ if header[at].kind == Kind::Word && !is_type(word, typedefs) => {
                let behind = (at + 1..).find(|k| text(*k) != Some(")"));
                if behind.and_then(text) == Some("(") {
                    return Some(word);
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    None
}

/// Words that are followed by a group in parentheses that belongs to them.
const HEADS: [&str; 8] = [
    "__attribute__",
    "__attribute",
    "__asm__",
    "asm",
    "typeof",
    "__typeof__",
    "_Alignas",
    "_Atomic",
];

/// Returns true for words of declarations that are not names of functions.
fn is_type(word: &str, typedefs: &HashSet<String>) -> bool {
    const WORDS: [&str; 20] = [
        "void",
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "signed",
        "unsigned",
        "_Bool",
        "const",
        "volatile",
        "static",
        "extern",
        "inline",
        "register",
        "_Complex",
        "__inline",
        "__inline__",
        "_Noreturn",
    ];
    WORDS.contains(&word) || typedefs.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_function_may_be_in_parentheses() {
        let typedefs = HashSet::from(["T".to_owned()]);
        for (header, name) in [
            ("int f(int x)", "f"),
            ("static int (f)(int (x))", "f"),
            ("T (f)(T (*g)(T))", "f"),
            ("int (*get(int k))(void)", "get"),
            ("struct s (f)(void)", "f"),
            ("__attribute__((format(printf, 1, 2))) void say(char *x, ...)", "say"),
            ("f(a, b) int a; char *b;", "f"),
            ("struct { int a; } f(void)", "f"),
        ] {
            let longest = Longest { run: 1_000, declaration: 1_000 };
            let name_of = |name: &str| PathBuf::from(name);
            let all = lex(header, &mut Interner::default(), &mut Vec::new(), longest, name_of);
            assert_eq!(function_name(&all.lexemes, &typedefs), Some(name), "{header}");
        }
    }
}
