//! Functions that run before and after the one in which a client begins: constructors, functions passed to `atexit`,
//! destructors.

use canonical::{Expr, ExprKind, FunctionId, Program};

/// C library functions that register a function to call at the end.
pub(super) const REGISTERS: [&str; 2] = ["atexit", "on_exit"];

/// Functions that end a program without calling the registered functions.
pub(super) const STOPS: [&str; 8] = [
    "abort",
    "_exit",
    "_Exit",
    "quick_exit",
    "__assert_fail",
    "__assert_rtn",
    "__builtin_trap",
    "__builtin_unreachable",
];

/// The maximum number of functions passed to `atexit` that are followed.
pub(super) const MOST: usize = 32;

/// Functions that run in each run of a client, in the order of their calls.
#[derive(Debug, Default)]
pub(crate) struct Always {
    pub(crate) constructors: Vec<FunctionId>,
    pub(super) destructors: Vec<FunctionId>,
}

/// The part of a run that is being executed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// The constructor of this number.
    Begin(usize),
    /// The function in which the client begins.
    Main,
    /// The end, after this many destructors have begun.
    End(usize),
}

impl Always {
    /// Finds the functions with the attributes `constructor` and `destructor`. The front end keeps no attributes, only
    /// their tokens.
    pub(crate) fn of(program: &Program) -> Self {
        let mut constructors = Vec::new();
        let mut destructors = Vec::new();
        for (at, token) in program.tokens.iter().enumerate() {
            let list = match &*token.text {
                "constructor" | "__constructor__" => &mut constructors,
                "destructor" | "__destructor__" => &mut destructors,
                _ => continue,
            };
            let text = |k: usize| program.tokens.get(k).map_or("", |t| &*t.text);
            let Some(id) = declared(program, at) else { continue };
            // Functions with a priority run first, in the order of their priorities.
            let priority = match text(at + 1) {
                "(" => text(at + 2).parse().unwrap_or(u32::MAX),
                _ => u32::MAX,
            };
            let known: &mut Vec<(u32, FunctionId)> = list;
            match known.iter_mut().find(|(_, f)| *f == id) {
                Some((known, _)) => *known = priority.min(*known),
                None => known.push((priority, id)),
            }
        }
        let place =
            |id: FunctionId| program.function(id).place.map(|p| (p.file.index(), p.line, p.column));
        let ordered = |mut list: Vec<(u32, FunctionId)>| -> Vec<FunctionId> {
            list.sort_by_key(|(priority, id)| (*priority, place(*id)));
            list.into_iter().map(|(_, id)| id).collect()
        };
        let mut destructors = ordered(destructors);
        destructors.reverse();
        Self { constructors: ordered(constructors), destructors }
    }
}

/// Returns the function that the declaration around an attribute declares, if it has a body.
fn declared(program: &Program, at: usize) -> Option<FunctionId> {
    let text = |k: usize| &*program.tokens[k].text;
    let is_end = |k: &usize| matches!(text(*k), ";" | "}" | "{");
    let start = (0..at).rev().find(is_end).map_or(0, |k| k + 1);
    let end = (at..program.tokens.len()).find(is_end).unwrap_or(program.tokens.len());
    let is_attribute = (start..at)
        .any(|k| text(k).starts_with("__attribute") || (text(k) == "[" && text(k + 1) == "["));
    if !is_attribute {
        return None;
    }
    (start..end.saturating_sub(1)).find_map(|k| {
        let id = program.function_named(text(k)).filter(|_| text(k + 1) == "(")?;
        program.function(id).body.is_some().then_some(id)
    })
}

/// Returns the function whose address an argument is.
pub(super) fn function(argument: Option<&Expr>) -> Option<FunctionId> {
    match &argument?.kind {
        ExprKind::Function(id) => Some(*id),
        ExprKind::Cast(inner) => function(Some(inner)),
        _ => None,
    }
}
