//! The lexical tokens of preprocessed text, with places in the files that the line markers name.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::taken;
use crate::model::{FileId, Place};

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// A number.
    Number,
    /// A string or character literal, with its prefix.
    Literal,
    /// An operator or punctuator.
    Punctuator,
}

/// A token of the text.
#[derive(Debug, Clone)]
pub struct Lexeme {
    pub kind: Kind,
    pub text: Arc<str>,
    pub place: Place,
    /// True if it is from a system header.
    pub system: bool,
}

/// A translation unit as tokens, and the directives that the preprocessor left between them.
#[derive(Debug, Default)]
pub struct Lexed {
    pub lexemes: Vec<Lexeme>,
    /// Directives that are not understood: message and place.
    pub directives: Vec<(String, Place)>,
    /// The maximum alignments of fields due to `#pragma pack`, each with the index of the token from which it applies;
    /// 0 means no maximum.
    pub packs: Vec<(usize, u64)>,
}

/// Files by name, and texts of tokens. Equal texts share memory.
#[derive(Debug, Default)]
pub struct Interner {
    files: HashMap<PathBuf, FileId>,
    texts: HashMap<Arc<str>, ()>,
}

impl Interner {
    /// Returns the number of a file; adds a new file to `files`.
    pub fn file(&mut self, name: PathBuf, files: &mut Vec<PathBuf>) -> FileId {
        *self.files.entry(name).or_insert_with_key(|name| {
            files.push(name.clone());
            FileId::new(files.len() - 1)
        })
    }

    /// A text.
    pub fn text(&mut self, text: &str) -> Arc<str> {
        if let Some((known, ())) = self.texts.get_key_value(text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        self.texts.insert(new.clone(), ());
        new
    }
}

/// Operators of two and three characters, the longest first.
const OPERATORS: [&str; 24] = [
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "^=", "|=", "##", "::",
];

/// Tokens that end a run, after which the next run may have any length.
pub fn ends_run(text: &str) -> bool {
    matches!(text, ";" | "{" | "}" | ",")
}

/// The maximum number of tokens that are kept.
#[derive(Debug, Clone, Copy)]
pub struct Longest {
    /// The maximum number of tokens of a run.
    pub run: usize,
    /// The maximum number of tokens of an external declaration.
    pub declaration: usize,
}

/// The numbers of tokens since the last one that ends a run, and since the beginning of the declaration. Beyond a
/// limit, only the tokens that are needed for matching brackets are kept, so memory stays bounded.
struct Run {
    longest: Longest,
    length: usize,
    declaration: usize,
    /// The number of open brackets that were kept.
    kept: usize,
    /// The number of open brackets that were not kept.
    open: usize,
    /// True after the semicolon of a declaration. Another semicolon would be an empty declaration.
    ended: bool,
}

impl Run {
    fn new(longest: Longest) -> Self {
        Self { longest, length: 0, declaration: 0, kept: 0, open: 0, ended: false }
    }

    /// Returns true if the next token is kept.
    fn keeps(&mut self, text: &str) -> bool {
        let is_whole = self.declaration >= self.longest.declaration;
        let ends = ends_run(text);
        self.length = if ends { 0 } else { self.length + 1 };
        let is_long = !ends && self.length > self.longest.run;
        let keeps = match text {
            "(" | "[" | "{" if is_whole || is_long => {
                self.open += 1;
                false
            }
            "(" | "[" | "{" => {
                self.kept += 1;
                true
            }
            ")" | "]" | "}" if self.open > 0 => {
                self.open -= 1;
                false
            }
            ")" | "]" | "}" => {
                self.kept = self.kept.saturating_sub(1);
                true
            }
            ";" if self.kept + self.open == 0 => !self.ended,
            _ => !is_whole && !is_long,
        };
        if keeps {
            let is_outside = self.kept + self.open == 0;
            self.ended = is_outside && text == ";";
            self.declaration += 1;
            if is_outside && matches!(text, ";" | "}") {
                self.declaration = 0;
            }
        }
        keeps
    }
}

/// Splits preprocessed text into tokens. `name` returns the name for the file of a line marker. Runs and declarations
/// are cut off after `longest` tokens.
pub fn lex(
    text: &str,
    interner: &mut Interner,
    files: &mut Vec<PathBuf>,
    longest: Longest,
    name: impl Fn(&str) -> PathBuf,
) -> Lexed {
    let mut out = Lexed::default();
    let mut pack = Pack::default();
    let mut run = Run::new(longest);
    let mut file = interner.file(name("<unknown>"), files);
    let (mut line, mut system) = (1u32, false);
    for row in text.split('\n') {
        if let Some(marker) = row.strip_prefix('#') {
            if let Some((number, path, flags)) = line_marker(marker) {
                (line, system) = (number, flags.contains('3'));
                file = interner.file(name(&path), files);
                continue;
            }
            if let Some(align) = pack.follow(marker) {
                out.packs.push((out.lexemes.len(), align));
            } else if let Some(message) = taken::directive(marker) {
                out.directives.push((message, Place { file, line, column: 1 }));
            }
            line = line.saturating_add(1);
            continue;
        }
        let (mut at, mut column) = (0, 1usize);
        while let Some(c) = row[at..].chars().next() {
            let (kind, length) = token(&row[at..], c);
            if let Some(kind) = kind
                && run.keeps(&row[at..at + length])
            {
                let place = Place { file, line, column: u32::try_from(column).unwrap_or(u32::MAX) };
                let text = interner.text(&row[at..at + length]);
                out.lexemes.push(Lexeme { kind, text, place, system });
            }
            column += row[at..at + length].chars().count();
            at += length;
        }
        line = line.saturating_add(1);
    }
    out
}

/// The alignments that `#pragma pack` has set.
#[derive(Debug, Default)]
struct Pack {
    now: u64,
    before: Vec<u64>,
}

impl Pack {
    /// Processes a directive; returns the alignment that applies after it if the directive is `#pragma pack` and is
    /// understood.
    fn follow(&mut self, directive: &str) -> Option<u64> {
        let inner = directive.trim().strip_prefix("pragma")?.trim().strip_prefix("pack")?.trim();
        let inner = inner.strip_prefix('(')?.strip_suffix(')')?;
        let words: Vec<&str> = inner.split(',').map(str::trim).collect();
        let align =
            |word: &str| word.parse().ok().filter(|n: &u64| n.is_power_of_two() && *n <= 16);
        self.now = match words[..] {
            [""] => 0,
            ["push"] => {
                self.before.push(self.now);
                self.now
            }
            ["push", n] => {
                let n = align(n)?;
                self.before.push(self.now);
                n
            }
            ["pop"] => self.before.pop()?,
            [n] => align(n)?,
            _ => return None,
        };
        Some(self.now)
    }
}

/// Returns the kind and the length of the token at the beginning of `rest`; white space has no kind.
fn token(rest: &str, c: char) -> (Option<Kind>, usize) {
    let while_true = |test: &dyn Fn(char) -> bool| rest.find(|c| !test(c)).unwrap_or(rest.len());
    if c.is_whitespace() {
        return (None, while_true(&char::is_whitespace));
    }
    let digit = rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
    if c.is_ascii_digit() || c == '.' && digit {
        return (Some(Kind::Number), number(rest));
    }
    if c == '"' || c == '\'' {
        return (Some(Kind::Literal), literal(rest, 0));
    }
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    if word(c) {
        let length = while_true(&word);
        let prefix = matches!(&rest[..length], "L" | "u" | "U" | "u8");
        if prefix && rest[length..].starts_with(['"', '\'']) {
            return (Some(Kind::Literal), literal(rest, length));
        }
        return (Some(Kind::Word), length);
    }
    let operator = OPERATORS.iter().find(|o| rest.starts_with(**o));
    (Some(Kind::Punctuator), operator.map_or(c.len_utf8(), |o| o.len()))
}

/// The length of a preprocessing number: letters, digits, points, and signs after an exponent.
fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let mut end = 1;
    while let Some(&b) = bytes.get(end) {
        let exponent = if hexadecimal { b"pP" } else { b"eE" };
        let sign = matches!(b, b'+' | b'-') && exponent.contains(&bytes[end - 1]);
        if !(b.is_ascii_alphanumeric() || b == b'.' || b == b'_' || sign) {
            break;
        }
        end += 1;
    }
    end
}

/// The length of a literal whose opening quote is at `quote`.
fn literal(rest: &str, quote: usize) -> usize {
    let close = rest.as_bytes()[quote];
    let mut escaped = false;
    for (k, b) in rest.bytes().enumerate().skip(quote + 1) {
        if escaped {
            escaped = false;
        } else if b == b'\\' {
            escaped = true;
        } else if b == close {
            return k + 1;
        }
    }
    rest.len()
}

/// Splits `# 12 "file" 1 3`, without the number sign, into line, file and flags.
fn line_marker(marker: &str) -> Option<(u32, String, &str)> {
    let marker = marker.strip_prefix(' ')?;
    let (number, rest) = marker.split_once(' ')?;
    let number = number.parse().ok()?;
    let rest = rest.strip_prefix('"')?;
    let mut path = String::new();
    let mut chars = rest.char_indices();
    while let Some((k, c)) = chars.next() {
        match c {
            '"' => return Some((number, path, &rest[k + 1..])),
            '\\' => path.push(chars.next()?.1),
            c => path.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_places_of_the_files_that_markers_name() {
        let text = "# 7 \"a \\\"b.c\" 1 3\nint x=1e+5;\n# 1 \"c.h\"\n  L\"a\\\"b\" >>= 'x'...\n";
        let (mut interner, mut files) = (Interner::default(), Vec::new());
        let longest = Longest { run: 100, declaration: 100 };
        let all = lex(text, &mut interner, &mut files, longest, |name| PathBuf::from(name)).lexemes;
        let texts: Vec<&str> = all.iter().map(|l| &*l.text).collect();
        assert_eq!(texts, ["int", "x", "=", "1e+5", ";", "L\"a\\\"b\"", ">>=", "'x'", "..."]);
        assert_eq!((all[1].place.line, all[1].place.column, all[1].system), (7, 5, true));
        assert_eq!((all[5].place.line, all[5].place.column, all[5].system), (1, 3, false));
        assert_eq!(files[all[1].place.file.index()], PathBuf::from("a \"b.c"));
    }

    #[test]
    fn pragmas_are_followed_or_named() {
        let text = "a\n#pragma pack(push, 1)\nb\n#pragma pack(pop)\nc\n#pragma pack(pop)\n#pragma omp\n#ident \"x\"\n";
        let (mut interner, mut files) = (Interner::default(), Vec::new());
        let longest = Longest { run: 100, declaration: 100 };
        let all = lex(text, &mut interner, &mut files, longest, |name| PathBuf::from(name));
        assert_eq!(all.packs, [(1, 1), (2, 0)]);
        let lines: Vec<u32> = all.directives.iter().map(|(_, place)| place.line).collect();
        assert_eq!(lines, [6, 7]);
    }

    #[test]
    fn a_long_run_keeps_its_brackets() {
        let said = |text: &str, run: usize, declaration: usize| {
            let longest = Longest { run, declaration };
            let (mut interner, mut files) = (Interner::default(), Vec::new());
            let all = lex(text, &mut interner, &mut files, longest, |name| PathBuf::from(name));
            all.lexemes.iter().map(|l| &*l.text).collect::<Vec<_>>().join(" ")
        };
        let text = "f(a + (b * [c] + d) + e) ; g(1)";
        assert_eq!(said(text, 100, 100), "f ( a + ( b * [ c ] + d ) + e ) ; g ( 1 )");
        assert_eq!(said(text, 4, 100), "f ( a + ) ; g ( 1 )");
        assert_eq!(said(text, 5, 100), "f ( a + ( ) ) ; g ( 1 )");
        let text = "int f ( ) { g ( 1 , 2 ) ; { ; } } int x ; struct { int a ; } y ;";
        assert_eq!(said(text, 100, 100), text);
        let cut = "int f ( ) { g } int x ; struct { int a ; } y ;";
        assert_eq!(said(text, 100, 6), cut);
        assert_eq!(
            said("int x;; ; struct s { ; ; };; int y;", 9, 9),
            "int x ; struct s { ; ; } ; int y ;"
        );
        assert_eq!(said("int f(1, 2, 3, 4, 5); int x;", 100, 4), "int f ( 1 ) ; int x ;");
    }
}
