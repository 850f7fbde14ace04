//! `io.toml`: the functions that write and read, and the parts of their types.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::error::Error;
use crate::format::{self, Kind};
use crate::granularity::{Made, Order, Types};
use crate::program::Part;
use crate::read::toml::document;

/// The direction in which data passes through a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// The function writes.
    Out,
    /// The function reads.
    In,
    /// The function writes in the producer and reads in the consumer.
    Both,
}

/// The part that a program plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The producer writes.
    Producer,
    /// The consumer reads.
    Consumer,
}

impl Role {
    /// `producer` or `consumer`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Producer => "producer",
            Self::Consumer => "consumer",
        }
    }

    /// Returns true if a function of this direction counts for the role.
    pub fn takes(self, direction: Direction) -> bool {
        match direction {
            Direction::Both => true,
            Direction::Out => self == Self::Producer,
            Direction::In => self == Self::Consumer,
        }
    }

    /// The kind of formats in which the program passes data.
    pub fn formats(self) -> Kind {
        match self {
            Self::Producer => Kind::Print,
            Self::Consumer => Kind::Scan,
        }
    }
}

/// A function that writes or reads.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// The name of a function, or of a macro that looks like one.
    pub name: String,
    /// The direction.
    pub direction: Direction,
    /// The types that one call writes or reads: [`Part::sequence`]. By default, the name of the function.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The parameter that has a format of `printf` or `scanf`, from 1.
    pub format: Option<usize>,
    /// The parameter whose constant is the value of the event, from 1.
    pub value: Option<usize>,
    /// The parameter whose constant is appended to the type, as in `bits:24`, from 1.
    pub size: Option<usize>,
    /// The place of the value that is read: 0 is the result, other numbers are parameters of a macro, from 1.
    /// Comparisons of this value with constants are values of the event.
    pub into: Option<usize>,
    /// The parameter with the number of elements, from 1. If the argument is constant, it is this number; otherwise it
    /// means any number.
    pub count: Option<usize>,
    /// The further facts of a function of the standard library.
    #[serde(skip)]
    pub standard: Standard,
}

/// Facts of a function of the standard library.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Standard {
    /// The parameter with the stream, from 1. The standard error is not part of the data.
    pub stream: Option<usize>,
    /// True if the value is written as an `unsigned char`.
    pub is_char: bool,
    /// True if the second and the third parameter are the size and the number of elements.
    pub is_block: bool,
    /// True for all functions of the standard library.
    pub is_standard: bool,
    /// True if this is another name of a function in the settings.
    pub is_alias: bool,
}

impl Function {
    /// The parameters that settings name, from 1, with the names of the settings.
    pub fn parameters(&self) -> Vec<(&'static str, usize)> {
        let all = [
            ("format", self.format),
            ("value", self.value),
            ("size", self.size),
            ("into", self.into.filter(|k| *k > 0)),
            ("count", self.count),
        ];
        all.into_iter().filter_map(|(name, k)| Some((name, k?))).collect()
    }

    /// Returns true if `standard` added it or it is another name of a function.
    pub fn is_standard(&self) -> bool {
        self.standard.is_standard || self.standard.is_alias
    }

    /// A function that writes an element with the function's name as its type.
    fn plain(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            direction: Direction::Out,
            kind: None,
            format: None,
            value: None,
            size: None,
            into: None,
            count: None,
            standard: Standard::default(),
        }
    }

    /// A function of the standard library.
    fn standard(row: Row) -> Self {
        let (name, direction, kind, format, stream) = row;
        let is_block = matches!(name, "fread" | "fwrite");
        let is_char = kind.starts_with("char") && !is_block;
        let is_out = direction == Direction::Out;
        Self {
            direction,
            kind: (!kind.is_empty()).then(|| kind.to_owned()),
            format,
            value: (is_char && is_out).then_some(1),
            into: (is_char && !is_out).then_some(0),
            standard: Standard { stream, is_char, is_block, is_standard: true, is_alias: false },
            ..Self::plain(name)
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Type {
    name: String,
    of: Vec<String>,
    order: Option<Order>,
}

/// The calls of `exit` that end a run like a return from the first function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Exits {
    /// Calls whose status may be 0. A `return` from `main` is treated in the same way.
    #[default]
    Success,
    /// All of them.
    All,
    /// No calls, as in the paper.
    None,
}

/// Settings of one program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// The function that runs; `main` if it is left out.
    pub main: Option<String>,
    /// More arguments of the preprocessor.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The calls of `exit` that end a run.
    #[serde(default)]
    pub exits: Exits,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    function: Vec<Function>,
    #[serde(default, rename = "type")]
    types: Vec<Type>,
    #[serde(default)]
    macros: Vec<String>,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    standard: bool,
    #[serde(default)]
    producer: Program,
    #[serde(default)]
    consumer: Program,
}

/// The contents of `io.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// Functions that write or read, by name.
    pub functions: BTreeMap<String, Function>,
    /// True if functions of the C library are included.
    pub standard: bool,
    /// Types that consist of other types.
    pub types: Types,
    /// Macros whose calls are not expanded. They do not write or read, which their expansion would hide.
    pub macros: Vec<String>,
    /// Arguments of the preprocessor for both programs.
    pub arguments: Vec<String>,
    /// The producer.
    pub producer: Program,
    /// The consumer.
    pub consumer: Program,
    /// The values of the types for which the producer writes a single constant at each place
    /// ([`program::Program::written`](crate::program::Program::written)): a consumer distinguishes these.
    pub written: BTreeMap<String, BTreeSet<i128>>,
    /// The constants of the other types that the producer writes
    /// ([`program::Program::partly_written`](crate::program::Program::partly_written)): a narrow variable of the
    /// consumer may truncate them.
    pub partly: BTreeMap<String, BTreeSet<i128>>,
    /// The maximum number of distinct numbers of one variable of the consumer, if that is more than at the first look.
    pub numbers: usize,
}

/// Name, direction, types, parameters of the format and of the stream.
type Row = (&'static str, Direction, &'static str, Option<usize>, Option<usize>);

/// Functions of the standard library.
const STANDARD: [Row; 16] = [
    ("putchar", Direction::Out, "char", None, None),
    ("putc", Direction::Out, "char", None, Some(2)),
    ("fputc", Direction::Out, "char", None, Some(2)),
    ("puts", Direction::Out, "string", None, None),
    ("fputs", Direction::Out, "string", None, Some(2)),
    ("printf", Direction::Out, "", Some(1), None),
    ("fprintf", Direction::Out, "", Some(2), Some(1)),
    ("fwrite", Direction::Out, "char", None, Some(4)),
    ("getchar", Direction::In, "char?", None, None),
    ("getc", Direction::In, "char?", None, Some(1)),
    ("fgetc", Direction::In, "char?", None, Some(1)),
    ("gets", Direction::In, "string", None, None),
    ("fgets", Direction::In, "string", None, Some(3)),
    ("scanf", Direction::In, "", Some(1), None),
    ("fscanf", Direction::In, "", Some(2), Some(1)),
    ("fread", Direction::In, "char", None, Some(4)),
];

/// Further C library functions that write or read and that no type describes, grouped by their effect.
const OTHERS: [(&str, &str); 2] = [
    (
        "writes",
        "__fprintf_chk __printf_chk __vfprintf_chk __vprintf_chk _IO_putc dprintf putw pwrite system \
         vdprintf vfprintf vprintf write writev",
    ),
    (
        "reads, or moves what is read next",
        "_IO_getc freopen fseek fseeko fsetpos \
         getdelim getline getw lseek pread read readv rewind ungetc vfscanf vscanf",
    ),
];

/// Describes a C library function that is not in `standard`; returns `None` for other functions.
pub fn beyond_standard(name: &str) -> Option<&'static str> {
    let bare = name.strip_prefix("__builtin_").unwrap_or(name);
    let has = |names: &str| names.split_whitespace().any(|own| own == bare);
    OTHERS.iter().find(|(_, names)| has(names)).map(|(does, _)| *does)
}

/// Returns the name of a C library function that a program calls and that writes or reads, regardless of the side.
pub fn other_calls(program: &canonical::Program, role: Role) -> Option<&str> {
    let is_of_side = |name: &str| {
        let row = STANDARD.iter().find(|row| row.0 == name);
        let is_standard = row.is_some_and(|row| role.takes(row.1));
        let does = beyond_standard(name).map(|does| does.starts_with("writes"));
        is_standard || does == Some(role == Role::Producer)
    };
    let calls = program.defined().flat_map(|(_, _, graph)| graph.calls());
    let mut names = calls.flat_map(|(_, call)| {
        call.callee.targets().iter().map(|id| program.function(*id).name.as_str())
    });
    names.find(|name| is_of_side(name))
}

/// Reads the text of an `io.toml`.
///
/// # Errors
///
/// Returns an error if the text is not TOML, or not of this form; the error has the file's name and a line.
pub fn read(file: &str, text: &str) -> Result<Settings, Error> {
    let document: Document = document(file, text)?;
    let mut functions: BTreeMap<String, Function> = BTreeMap::new();
    if document.standard {
        functions.extend(STANDARD.map(|row| (row.0.to_owned(), Function::standard(row))));
    }
    let mut named = BTreeSet::new();
    for function in document.function {
        if let Some((setting, _)) = function.parameters().into_iter().find(|(_, k)| *k == 0) {
            let why = format!("`{setting} = 0` of `{}`: parameters count from 1", function.name);
            return Err(Error::text(file, line_of(text, &function.name), why));
        }
        let kind = function.kind.as_deref();
        if kind.is_some_and(|kind| kind.trim().is_empty()) {
            let why = format!("`type` of `{}` is empty", function.name);
            return Err(Error::text(file, line_of(text, &function.name), why));
        }
        if !named.insert(function.name.clone()) {
            let why = format!("function `{}` is there twice", function.name);
            return Err(Error::text(file, last_line_of(text, &function.name), why));
        }
        functions.insert(function.name.clone(), function);
    }
    add_aliases(&mut functions);
    if functions.is_empty() {
        let why = "no function writes or reads: `[[function]]` names one";
        return Err(Error::text(file, 1, why));
    }
    let mut types = Types::new();
    for Type { name, of, order } in document.types {
        let parts: Vec<Part> = of.iter().flat_map(|part| Part::sequence(part)).collect();
        let made = Made { parts, order };
        let why = match (made.parts.is_empty(), types.contains_key(&name)) {
            (true, _) => Some(format!("type `{name}` is made of nothing: `of` is empty")),
            (false, true) => Some(format!("type `{name}` is there twice")),
            (false, false) => None,
        };
        if let Some(why) = why {
            return Err(Error::text(file, last_line_of(text, &name), why));
        }
        if made.order.is_some() && !made.keeps_values() {
            let why = format!("`order` of type `{name}`: it must be of two to eight bytes");
            return Err(Error::text(file, line_of(text, &name), why));
        }
        types.insert(name, made);
    }
    let Document { macros, arguments, producer, consumer, .. } = document;
    let (written, partly) = (BTreeMap::new(), BTreeMap::new());
    let standard = document.standard;
    Ok(Settings {
        functions,
        standard,
        types,
        macros,
        arguments,
        producer,
        consumer,
        written,
        partly,
        numbers: 0,
    })
}

/// Adds the other names that functions of C's library have.
fn add_aliases(functions: &mut BTreeMap<String, Function>) {
    let known: Vec<Function> =
        functions.values().filter(|own| crate::library::is_known(&own.name)).cloned().collect();
    for function in known {
        let name = &function.name;
        let unlocked = format!("{name}_unlocked");
        for alias in [format!("__builtin_{name}"), format!("__builtin_{unlocked}"), unlocked] {
            let standard = Standard { is_alias: true, ..function.standard };
            let other = Function { name: alias.clone(), standard, ..function.clone() };
            functions.entry(alias).or_insert(other);
        }
    }
}

/// The first line that quotes a name, from 1.
fn line_of(text: &str, name: &str) -> usize {
    let quoted = [format!("\"{name}\""), format!("'{name}'")];
    let names = |line: &str| quoted.iter().any(|quoted| line.contains(quoted));
    text.lines().position(names).unwrap_or(0) + 1
}

/// The last line that quotes a name, from 1.
fn last_line_of(text: &str, name: &str) -> usize {
    let quoted = [format!("\"{name}\""), format!("'{name}'")];
    let names = |line: &&str| quoted.iter().any(|quoted| line.contains(quoted));
    let lines: Vec<&str> = text.lines().collect();
    lines.iter().rposition(names).unwrap_or(0) + 1
}

impl Settings {
    /// Refuses composed types that nothing writes or reads. `found` has the types of calls and automata, in addition to
    /// those of the settings.
    ///
    /// # Errors
    ///
    /// Returns an error if there is one.
    pub fn check_types(&self, found: &BTreeSet<String>) -> Result<(), Error> {
        for (name, made) in &self.types {
            if let Some(part) = made.parts.iter().find(|part| !self.knows(&part.kind, found)) {
                let why = format!(
                    "type `{name}` in --io is made of `{}`, which nothing writes or reads, and which is no type of \
                     --io",
                    part.kind
                );
                return Err(Error::Program(why));
            }
        }
        Ok(())
    }

    /// Returns true for types of the settings (but not their parts) and types in `found`.
    pub fn knows(&self, kind: &str, found: &BTreeSet<String>) -> bool {
        if self.types.contains_key(kind) || found.contains(kind) {
            return true;
        }
        self.functions.values().any(|function| {
            let text = function.kind.as_deref().unwrap_or(&function.name);
            let mut own = Part::sequence(text).into_iter().map(|part| part.kind);
            match (function.format, function.size) {
                (Some(_), _) => format::is_name(kind),
                (_, Some(_)) => own.any(|own| kind.starts_with(&format!("{own}:"))),
                (None, None) => own.any(|own| own == kind),
            }
        })
    }

    /// The settings of one program.
    pub fn program(&self, role: Role) -> &Program {
        match role {
            Role::Producer => &self.producer,
            Role::Consumer => &self.consumer,
        }
    }

    /// Returns the names of the macros that are removed so that their uses remain calls.
    pub fn kept_macros(&self) -> Vec<String> {
        self.functions.keys().chain(&self.macros).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_the_library_is_named_if_settings_lack_it() {
        let text = "long read(int, void *, unsigned long); int putchar(int); \
                    int main(void) { char c; putchar(1); while (read(0, &c, 1) == 1); return 0; }";
        let program = canonical::c::read_text("a.c", text, &canonical::c::Options::default());
        assert_eq!(other_calls(&program, Role::Consumer), Some("read"));
        assert_eq!(other_calls(&program, Role::Producer), Some("putchar"));
    }

    #[test]
    fn functions_of_the_library_have_other_names() {
        let all = read("io", "standard = true").unwrap().functions;
        assert!(all["__builtin_putchar"].is_standard() && all.contains_key("fwrite_unlocked"));
        let own = read("io", "function = [{ name = 'more', direction = 'out' }]").unwrap();
        assert_eq!(own.functions.len(), 1);
    }
}
