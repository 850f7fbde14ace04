//! The effects of functions that programs do not define.

use canonical::{Call, Callee, Expr, ExprKind, Function, Program, Type};

/// The effect of a call of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The effect is that of its graph.
    Body,
    /// The call itself is a failure: `reach_error()`, `__assert_fail(..)`.
    Error,
    /// The call is a failure if the argument is zero: `assert(..)` without its header.
    Assert,
    /// Runs on which the argument is zero end.
    Assume,
    /// The argument is never zero. This is a theorem for analyses that would not find it.
    Fact,
    /// An input of the program.
    Input,
    /// A result, and no effect on the program's variables.
    Pure,
    /// It does not return.
    Ends,
    /// Anything that a function can do with the addresses that it may have.
    Unknown,
}

/// Calls of these functions fail, whatever their bodies do.
const ERRORS: [&str; 6] = [
    "reach_error",
    "__VERIFIER_error",
    "__assert_fail",
    "__assert_perror_fail",
    "__assert",
    "__assert_rtn",
];

/// Front ends state theorems by calls of this function, whose name is not a C name.
pub const FACT: &str = "%fact";

/// Library functions that write only files and their own memory.
const PURE: [&str; 43] = [
    "printf", "puts", "putchar", "fprintf", "vprintf", "fputs", "fputc", "putc", "fflush",
    "perror", "getchar", "getc", "fgetc", "malloc", "calloc", "free", "alloca", "abs", "labs",
    "llabs", "rand", "srand", "random", "time", "clock", "strlen", "strcmp", "strncmp", "memcmp",
    "strchr", "strrchr", "strstr", "atoi", "atol", "isdigit", "isalpha", "isspace", "toupper",
    "tolower", "sleep", "fopen", "fclose", "getenv",
];

/// The kind of a function.
pub fn kind(function: &Function) -> Kind {
    let name = function.name.as_str();
    if ERRORS.contains(&name) {
        return Kind::Error;
    }
    if function.body.is_some() {
        return Kind::Body;
    }
    match name {
        "assert" | "__VERIFIER_assert" => return Kind::Assert,
        "__VERIFIER_assume" | "__builtin_assume" => return Kind::Assume,
        FACT => return Kind::Fact,
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => return Kind::Pure,
        _ => {}
    }
    if function.no_return {
        return Kind::Ends;
    }
    if name.starts_with("__VERIFIER_nondet_") {
        return if matches!(function.ty.result, Type::Int(_) | Type::Float(_)) {
            Kind::Input
        } else {
            Kind::Pure
        };
    }
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    if PURE.contains(&plain) || plain.starts_with("va_") { Kind::Pure } else { Kind::Unknown }
}

/// Returns the kind of a call of a function. Some calls of functions that otherwise write only files write through a
/// pointer.
pub fn kind_of_call(program: &Program, function: &Function, arguments: &[Expr]) -> Kind {
    let kind = kind(function);
    if kind != Kind::Pure {
        return kind;
    }
    let plain = function.name.strip_prefix("__builtin_").unwrap_or(&function.name);
    let writes = match plain {
        "printf" | "vprintf" => writes_by_format(program, arguments.first()),
        "fprintf" => writes_by_format(program, arguments.get(1)),
        "time" => arguments.first().is_none_or(|to| to.constant() != Some(0)),
        _ => false,
    };
    if writes { Kind::Unknown } else { kind }
}

/// Returns true if a format may have the conversion `%n`, which writes through an argument.
fn writes_by_format(program: &Program, format: Option<&Expr>) -> bool {
    let Some(format) = format else { return true };
    let mut inner = format;
    while let ExprKind::Cast(operand) = &inner.kind {
        inner = operand;
    }
    let ExprKind::String(id) = inner.kind else { return true };
    canonical::directives::write(program.string(id))
}

/// Functions through which the library keeps pointers to memory of the program, so later calls may write there.
const KEEPS: [&str; 8] = [
    "setvbuf",
    "setbuf",
    "setbuffer",
    "fmemopen",
    "open_memstream",
    "open_wmemstream",
    "fopencookie",
    "aio_read",
];

/// Library functions that the library calls itself. A program may define its own version instead.
const REPLACED: [&str; 9] = [
    "malloc",
    "calloc",
    "realloc",
    "free",
    "memalign",
    "aligned_alloc",
    "posix_memalign",
    "valloc",
    "pvalloc",
];

/// Returns the reason why library functions may write memory of the program without receiving its address; `None` if
/// they do not.
pub fn reaches_program(program: &Program) -> Option<String> {
    let own = program
        .defined()
        .find(|(_, function, _)| !function.internal && REPLACED.contains(&function.name.as_str()));
    if let Some((_, function, _)) = own {
        return Some(format!("the library may call `{}` of the program", function.name));
    }
    let named = |call: &Call| match call.callee {
        Callee::Function(id) => Some(&program.function(id).name),
        Callee::Pointer { .. } => None,
    };
    let mut called = program.defined().flat_map(|(_, _, graph)| graph.calls());
    let keeps = called.find_map(|(_, call)| named(call).filter(|n| KEEPS.contains(&n.as_str())));
    keeps.map(|name| format!("`{name}` lets the library keep memory of the program"))
}

/// Returns true if calls of a function start threads, which no analysis here follows.
pub fn begins_threads(name: &str) -> bool {
    matches!(name, "pthread_create" | "thrd_create" | "fork" | "vfork" | "clone")
}
