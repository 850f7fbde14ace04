//! Finds attributes and assembly that run code or change the meaning of names, which no function graph shows. The front
//! end keeps no attributes, only their tokens.

use canonical::{Place, Program};

/// Something that is not followed, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unfollowed {
    pub(crate) name: String,
    pub(crate) place: Place,
}

const ATTRIBUTES: [&str; 8] = [
    "cleanup",
    "alias",
    "ifunc",
    "weakref",
    "mode",
    "init_priority",
    "transparent_union",
    "vector_size",
];

/// Sections whose contents run before or after `main`.
const SECTIONS: [&str; 6] =
    [".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors", ".init"];

/// Finds the attributes in the files other than system headers.
pub(crate) fn unfollowed(program: &Program) -> Vec<Unfollowed> {
    let mut out = Vec::new();
    let text = |k: usize| program.tokens.get(k).map_or("", |t| &*t.text);
    let mut add = |name: String, at: usize| {
        let place = program.tokens[at].place;
        let file = program.files.get(place.file.index());
        if !file.is_some_and(|f| f.starts_with("/usr")) {
            out.push(Unfollowed { name, place });
        }
    };
    let mut at = 0;
    while at < program.tokens.len() {
        let end = match text(at) {
            "asm" | "__asm__" | "__asm" => {
                add("asm".to_owned(), at);
                at + 1
            }
            "__attribute__" | "__attribute" => closed(program, at + 1),
            "[" if text(at + 1) == "[" => closed(program, at),
            _ => at + 1,
        };
        for k in at + 1..end {
            let name = text(k).trim_matches('_');
            if ATTRIBUTES.contains(&name) && !is_argument(program, at, k) {
                add(name.to_owned(), k);
            }
            let string = text(k).trim_matches('"');
            let is_inside = |section: &&str| {
                let rest = string.strip_prefix(*section);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            if text(k).starts_with('"') && SECTIONS.iter().any(is_inside) {
                add(format!("section({})", text(k)), k);
            }
        }
        at = end;
    }
    out
}

/// Returns the position after the bracket that closes the one at a position.
fn closed(program: &Program, at: usize) -> usize {
    let mut depth = 0usize;
    for (k, token) in program.tokens.iter().enumerate().skip(at) {
        match &*token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return k + 1;
        }
    }
    program.tokens.len()
}

/// Returns true for a word inside the parentheses of an attribute: `cleanup(alias)`.
fn is_argument(program: &Program, from: usize, at: usize) -> bool {
    let depth = program.tokens[from..at].iter().fold(0i32, |depth, token| match &*token.text {
        "(" | "[" => depth + 1,
        ")" | "]" => depth - 1,
        _ => depth,
    });
    depth > 2
}
