//! Splits a translation unit into its external declarations, and turns each of them into text that the parser accepts.
//!
//! The parser recurses and stops at the first error. It therefore receives one declaration at a time, whose depth and
//! length were checked. An error then costs only one function, and memory stays bounded.

use std::collections::HashSet;
use std::ops::Range;

use super::lex::{Kind, Lexeme, ends_run};
use super::options::Limits;
use super::taken::{self, ALIGNED, Attribute};

/// An external declaration or a function definition.
#[derive(Debug)]
pub struct Chunk {
    /// Its tokens, as positions in those of the unit.
    pub range: Range<usize>,
    /// The position of the `{` of the function's body.
    pub body: Option<usize>,
}

/// The text of a chunk for the parser.
#[derive(Debug, Default)]
pub struct Text {
    pub text: String,
    /// For each token in the text, where it starts, and its position in the tokens of the unit.
    pub starts: Vec<(usize, usize)>,
    /// True if an attribute or specifier says that the declared function does not return.
    pub no_return: bool,
    /// True if an attribute makes the declared function run before or after `main`.
    pub runs_outside: bool,
    /// The token of an attribute because of which the address of the declared function or variable may be null.
    pub weak: Option<usize>,
    /// Problems that are found from tokens alone: the message and the position of the token.
    pub remarks: Vec<(String, usize)>,
}

/// The label that represents the target of `goto *`.
pub const COMPUTED: &str = "__computed_goto";

/// The prefix of labels whose address is taken, as variables.
pub const LABEL_ADDRESS: &str = "__label_address_";

/// Splits the tokens of a unit.
pub fn split(lexemes: &[Lexeme]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let (mut start, mut at) = (0, 0);
    // The parameters of an old-style definition are declared before its body.
    let mut old_style = false;
    let mut previous = "";
    while at < lexemes.len() {
        let text = &*lexemes[at].text;
        match text {
            "__attribute__" | "__attribute" | "__asm__" | "asm" | "__asm" | "_Alignas" => {
                at = skip_group(lexemes, at + 1);
                continue;
            }
            "(" | "[" => {
                at = skip_group(lexemes, at);
                previous = &lexemes[at - 1].text;
                continue;
            }
            "{" if previous == ")" || old_style => {
                let end = skip_group(lexemes, at);
                chunks.push(Chunk { range: start..end, body: Some(at) });
                (start, at, old_style, previous) = (end, end, false, "");
                continue;
            }
            "{" => {
                at = skip_group(lexemes, at);
                previous = "}";
                continue;
            }
            ";" if !old_style || previous == ")" => {
                chunks.push(Chunk { range: start..at + 1, body: None });
                (start, previous, old_style) = (at + 1, "", false);
            }
            _ => {
                old_style |= previous == ")" && lexemes[at].kind == Kind::Word;
                previous = text;
            }
        }
        at += 1;
    }
    if start < lexemes.len() {
        chunks.push(Chunk { range: start..lexemes.len(), body: None });
    }
    chunks
}

/// Returns the position after the bracket that closes the one at `at`.
pub fn skip_group(lexemes: &[Lexeme], at: usize) -> usize {
    let mut depth = 0usize;
    for (k, lexeme) in lexemes.iter().enumerate().skip(at) {
        match &*lexeme.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return k + 1;
        }
    }
    lexemes.len()
}

/// Checks that the parser can take a chunk: its depth, its length, its brackets.
///
/// # Errors
/// Returns the reason, and the position of the token.
pub fn check(lexemes: &[Lexeme], chunk: &Chunk, limits: &Limits) -> Result<(), (String, usize)> {
    let mut open: Vec<(&str, usize)> = Vec::new();
    let (mut run, mut nested) = (0usize, 0usize);
    if chunk.range.len() > limits.declaration {
        let why = format!("a declaration of more than {} tokens", limits.declaration);
        return Err((why, chunk.range.start));
    }
    let mut literals = 0;
    for at in chunk.range.clone() {
        let text = &*lexemes[at].text;
        run += 1;
        literals += if text.ends_with('"') { text.len() } else { 0 };
        if literals > limits.literals {
            let why = format!("literals of more than {} bytes in a declaration", limits.literals);
            return Err((why, at));
        }
        match text {
            "(" | "[" | "{" => open.push((text, at)),
            ")" | "]" | "}" => {
                let expected = match text {
                    ")" => "(",
                    "]" => "[",
                    _ => "{",
                };
                if open.pop().is_none_or(|(found, _)| found != expected) {
                    return Err((format!("`{text}` closes nothing"), at));
                }
            }
            // Each of these tokens may nest the next one without a bracket.
            "else" | "if" | "for" | "while" | "do" | "switch" | "case" | ":" => nested += 1,
            _ => {}
        }
        if ends_run(text) {
            run = 0;
        }
        if open.len() > limits.depth {
            return Err((format!("brackets more than {} deep", limits.depth), at));
        }
        if run > limits.expression {
            let why = format!("an expression of more than {} tokens", limits.expression);
            return Err((why, at));
        }
        if nested > limits.branches {
            return Err((format!("more than {} branches in a function", limits.branches), at));
        }
    }
    match open.pop() {
        Some((bracket, at)) => Err((format!("`{bracket}` is never closed"), at)),
        None => Ok(()),
    }
}

/// Writes the text of a chunk. `typedefs` are the type names in scope.
pub fn text(
    lexemes: &[Lexeme],
    range: Range<usize>,
    typedefs: &HashSet<String>,
    function: Option<&str>,
) -> Text {
    let mut out = Text::default();
    let words = lexemes[range.clone()].iter().filter(|l| l.kind == Kind::Word);
    let mut used: Vec<&str> = words.map(|l| &*l.text).filter(|w| typedefs.contains(*w)).collect();
    used.sort_unstable();
    used.dedup();
    for name in used {
        out.text.push_str(&format!("typedef int {name};"));
    }
    let within = Within { lexemes, range: range.clone() };
    let mut at = range.start;
    while at < range.end {
        at = one(&within, at, function, &mut out);
    }
    out
}

/// Writes the token at `at`, or its replacement; returns the position at which to continue.
fn one(within: &Within<'_>, at: usize, function: Option<&str>, out: &mut Text) -> usize {
    let (lexemes, end) = (within.lexemes, within.range.end);
    let text = &*lexemes[at].text;
    let is = |k: usize, text: &str| k < end && &*lexemes[k].text == text;
    match text {
        "__attribute__" | "__attribute" if is(at + 1, "(") => {
            let after = skip_group(lexemes, at + 1).min(end);
            attributes(lexemes, at..after, within, out);
            return after;
        }
        "[" if is(at + 1, "[") => {
            let after = skip_group(lexemes, at).min(end);
            attributes(lexemes, at..after, within, out);
            return after;
        }
        "_Alignas" if is(at + 1, "(") => {
            let after = skip_group(lexemes, at + 1).min(end);
            if !within.is_about_a_variable(at, after) {
                out.remarks.push((ALIGNED.to_owned(), at));
            }
            return after;
        }
        "_Noreturn" => {
            out.no_return |= within.is_about_the_function(at);
            return at + 1;
        }
        // Without threads, a thread-local variable is a static one.
        "__extension__" | "__thread" | "_Thread_local" => return at + 1,
        "__int128" | "__int128_t" | "__uint128_t" => {
            out.remarks.push((INT128.to_owned(), at));
            push(out, if text == "__uint128_t" { "unsigned long long" } else { "long long" }, at);
        }
        "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => {
            push(out, &format!("\"{}\"", function.unwrap_or_default()), at);
        }
        "goto" if is(at + 1, "*") => {
            out.remarks.push((COMPUTED_GOTO.to_owned(), at));
            push(out, &format!("goto {COMPUTED}"), at);
            let rest = lexemes[at..end].iter().position(|l| &*l.text == ";");
            return rest.map_or(end, |k| at + k);
        }
        "&&" if at > 0 && at + 1 < end && takes_operand(&lexemes[at - 1]) => {
            push(out, &format!("{LABEL_ADDRESS}{}", lexemes[at + 1].text), at);
            return at + 2;
        }
        _ if lexemes[at].kind == Kind::Literal && text.contains("\\") => {
            push(out, &universal(text), at);
        }
        _ => push(out, text, at),
    }
    at + 1
}

/// Records the attributes that change what a program does.
fn attributes(lexemes: &[Lexeme], range: Range<usize>, within: &Within<'_>, out: &mut Text) {
    let mut depth = 0usize;
    let begin = range.start;
    for at in range.clone() {
        let text = &*lexemes[at].text;
        match text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        // `__attribute__((name(argument)))`, `[[space::name(argument)]]`
        let space = at + 1 < range.end && &*lexemes[at + 1].text == "::";
        if depth != 2 || lexemes[at].kind != Kind::Word || space {
            continue;
        }
        match taken::attribute(text) {
            Attribute::Harmless => {}
            Attribute::NoReturn => out.no_return |= within.is_about_the_function(begin),
            Attribute::Alignment if within.is_about_a_variable(begin, range.end) => {}
            Attribute::Alignment => out.remarks.push((ALIGNED.to_owned(), at)),
            Attribute::Section => {
                // Nothing is known about an argument that is not a literal.
                let name = lexemes[at..range.end].get(2).map_or("", |name| &*name.text);
                if taken::is_run(name) {
                    out.remarks.push((taken::SECTION.to_owned(), at));
                }
            }
            Attribute::Weak if within.is_about_the_function(begin) => out.weak = Some(at),
            Attribute::Weak => out.remarks.push((taken::WEAK.to_owned(), at)),
            Attribute::Effect(message) => {
                out.runs_outside |= taken::runs_outside(&message);
                out.remarks.push((message, at));
            }
        }
    }
}

/// The tokens of the declaration (at file level or nested) that contains an attribute or specifier.
struct Within<'l> {
    lexemes: &'l [Lexeme],
    range: Range<usize>,
}

impl Within<'_> {
    /// Returns true if a specifier or attribute applies to the only function that an external declaration declares: it
    /// is at the outermost level and before a body. Otherwise it may apply to a pointer, a parameter, or one of several
    /// functions.
    fn is_about_the_function(&self, at: usize) -> bool {
        let mut depth = 0usize;
        let mut outside = false;
        let mut several = false;
        for k in self.range.clone() {
            outside |= k == at && depth == 0;
            match &*self.lexemes[k].text {
                "{" if depth == 0 && k > self.range.start => break,
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                "," if depth == 0 => several = true,
                _ => {}
            }
        }
        outside && !several
    }

    /// Returns true if an alignment applies to a variable: it is not in a struct, union or `typedef`, and not directly
    /// at the definition of a type.
    fn is_about_a_variable(&self, at: usize, after: usize) -> bool {
        let word = |k: usize| &*self.lexemes[k].text;
        let (mut depth, mut from, mut type_body) = (0usize, self.range.start, false);
        for k in (self.range.start..at).rev() {
            match word(k) {
                ")" | "]" => depth += 1,
                "(" | "[" if depth == 0 => return false,
                "(" | "[" => depth -= 1,
                "}" if k + 1 == at => return false,
                "{" | "}" | ";" if depth == 0 => {
                    from = k + 1;
                    type_body = word(k) == "{" && self.is_type_body(k)
                        || word(k) != "{" && self.encloses_type(k);
                    break;
                }
                _ => {}
            }
        }
        let is_type = |k: usize| matches!(word(k), "struct" | "union" | "enum");
        let end = (after..self.range.end).find(|k| matches!(word(*k), ";" | "{"));
        let mut all = (from..at).chain(after..end.unwrap_or(self.range.end));
        let in_type = type_body || at > self.range.start && is_type(at - 1);
        !in_type && !all.any(|k| word(k) == "typedef")
    }

    /// Returns true if a `{` begins the fields of a struct or union, or the constants of an enumeration.
    fn is_type_body(&self, open: usize) -> bool {
        let mut depth = 0usize;
        for k in (self.range.start..open).rev() {
            match &*self.lexemes[k].text {
                ")" => depth += 1,
                // Parameters are not part of the head of a type, but attributes are.
                "(" if depth == 1 && !is_attribute(self.lexemes, k) => return false,
                "(" => depth = depth.saturating_sub(1),
                "struct" | "union" | "enum" if depth == 0 => return true,
                _ if depth > 0 || self.lexemes[k].kind == Kind::Word => {}
                _ => return false,
            }
        }
        false
    }

    /// Returns true if the innermost open brace before a token belongs to a type.
    fn encloses_type(&self, at: usize) -> bool {
        let mut depth = 0usize;
        for k in (self.range.start..=at).rev() {
            match &*self.lexemes[k].text {
                "}" => depth += 1,
                "{" if depth == 0 => return self.is_type_body(k),
                "{" => depth -= 1,
                _ => {}
            }
        }
        false
    }
}

/// Returns true if the parenthesis at `open` is that of an attribute.
fn is_attribute(lexemes: &[Lexeme], open: usize) -> bool {
    open > 0 && matches!(&*lexemes[open - 1].text, "__attribute__" | "__attribute" | "_Alignas")
}

/// Returns a literal with characters in place of their universal names, such as `\u00e9`.
fn universal(literal: &str) -> String {
    let mut out = String::new();
    let mut rest = literal;
    while let Some(k) = rest.find('\\') {
        let (before, after) = rest.split_at(k);
        out.push_str(before);
        let digits = match after.as_bytes().get(1) {
            Some(b'u') => 4,
            Some(b'U') => 8,
            _ => 0,
        };
        let number = after.get(2..2 + digits).filter(|_| digits > 0);
        let value = number.and_then(|number| u32::from_str_radix(number, 16).ok());
        // An escape sequence has at least two characters, of which the second may be a backslash.
        let length = match value.and_then(char::from_u32) {
            Some(c) => {
                out.push(c);
                2 + digits
            }
            None => {
                let two = after.char_indices().nth(2).map_or(after.len(), |(k, _)| k);
                out.push_str(&after[..two]);
                two
            }
        };
        rest = &after[length..];
    }
    out + rest
}

const INT128: &str = "128-bit integers are taken as 64-bit ones";
/// The remark of a `goto *`.
pub const COMPUTED_GOTO: &str = "computed goto: any label whose address is taken";

/// Returns true if an operand follows the token, so `&&` after it is not a conjunction.
fn takes_operand(before: &Lexeme) -> bool {
    match before.kind {
        Kind::Punctuator => !matches!(&*before.text, ")" | "]" | "++" | "--" | "}"),
        Kind::Word => &*before.text == "return",
        _ => false,
    }
}

fn push(out: &mut Text, text: &str, at: usize) {
    out.text.push(' ');
    out.starts.push((out.text.len(), at));
    out.text.push_str(text);
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::lex::{Interner, Longest, lex};
    use super::*;

    fn lexemes(text: &str) -> Vec<Lexeme> {
        let longest = Longest { run: 1_000, declaration: 1_000 };
        let name = |name: &str| PathBuf::from(name);
        lex(text, &mut Interner::default(), &mut Vec::new(), longest, name).lexemes
    }

    #[test]
    fn declarations_and_definitions_are_split() {
        let all = lexemes(
            "int x = 1, y[] = {1, 2}; struct s { int a; } f(void) { return z; } \
             int g(a, b) int a; char *b; { ; } int h(int) __attribute__((const)); typedef int t;",
        );
        let of = |c: &Chunk| (lexemes_text(&all, c), c.body.is_some());
        let chunks: Vec<(String, bool)> = split(&all).iter().map(of).collect();
        assert_eq!(
            chunks,
            [
                ("int x = 1 , y [ ] = { 1 , 2 } ;".to_owned(), false),
                ("struct s { int a ; } f ( void ) { return z ; }".to_owned(), true),
                ("int g ( a , b ) int a ; char * b ; { ; }".to_owned(), true),
                ("int h ( int ) __attribute__ ( ( const ) ) ;".to_owned(), false),
                ("typedef int t ;".to_owned(), false),
            ]
        );
    }

    fn lexemes_text(all: &[Lexeme], chunk: &Chunk) -> String {
        let texts: Vec<&str> = all[chunk.range.clone()].iter().map(|l| &*l.text).collect();
        texts.join(" ")
    }

    #[test]
    fn the_parser_gets_no_extension_that_it_does_not_know() {
        let all = lexemes("[[nodiscard]] t f(void) { goto *p; q = &&l; return a && __func__; }");
        let out = text(&all, 0..all.len(), &HashSet::from(["t".to_owned()]), Some("f"));
        assert_eq!(
            out.text,
            "typedef int t; t f ( void ) { goto __computed_goto ; q = __label_address_l ; \
             return a && \"f\" ; }"
        );
        assert_eq!(out.remarks.len(), 1);
    }

    fn first_remark(text: &str) -> Option<String> {
        let all = lexemes(text);
        let out = super::text(&all, 0..all.len(), &HashSet::new(), None);
        out.remarks.first().map(|(remark, _)| remark.clone())
    }

    fn no_return(text: &str) -> bool {
        let all = lexemes(text);
        super::text(&all, 0..all.len(), &HashSet::new(), None).no_return
    }

    #[test]
    fn attributes_that_run_functions_are_remarked() {
        for (attribute, remark) in [
            ("__attribute__((cleanup(g)))", Some(taken::CLEANUP)),
            ("__attribute__((__constructor__))", Some(taken::CONSTRUCTOR)),
            ("[[gnu::destructor]]", Some(taken::DESTRUCTOR)),
            ("__attribute__((weak, alias(\"g\")))", Some(taken::ALIAS)),
            ("__attribute__((new(packed)))", Some("the attribute `new` is not understood")),
            ("__attribute__((unused))", None),
            ("__attribute__((format(printf, 1, 2)))", None),
        ] {
            let text = format!("{attribute} void f(void);");
            assert_eq!(first_remark(&text).as_deref(), remark, "{attribute}");
            assert!(!no_return(&text));
        }
    }

    #[test]
    fn only_the_function_that_is_declared_does_not_return() {
        for (text, is) in [
            ("[[noreturn]] void f(void);", true),
            ("_Noreturn void f(void) { for (;;); }", true),
            ("void f(void) __attribute__((noreturn));", true),
            ("void f(void) __attribute__((noreturn)), g(void);", false),
            ("void f(void (*g)(void) __attribute__((noreturn)));", false),
            ("int f(void) { extern void g(void) __attribute__((noreturn)); return 1; }", false),
        ] {
            assert_eq!(no_return(text), is, "{text}");
        }
    }

    #[test]
    fn an_alignment_of_a_variable_changes_nothing() {
        for text in [
            "int x __attribute__((aligned(16)));",
            "static _Alignas(16) char x[4], y;",
            "int f(void) { struct s { int a; }; _Alignas(8) int x = 1; return x; }",
        ] {
            assert_eq!(first_remark(text), None, "{text}");
        }
        for text in [
            "typedef int t __attribute__((aligned(16)));",
            "struct s { char c; int x __attribute__((aligned(16))); };",
            "struct s { char c; struct { int y; } z; _Alignas(16) int x; };",
            "struct s { char c; } __attribute__((aligned(16)));",
            "struct __attribute__((aligned(16))) s { char c; };",
            "int f(void) { struct s { char c; } __attribute__((aligned(16))) x; return sizeof x; }",
            "_Alignas(8) typedef int t;",
        ] {
            assert_eq!(first_remark(text).as_deref(), Some(ALIGNED), "{text}");
        }
    }
}
