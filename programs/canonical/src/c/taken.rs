//! Lists of the constructs that the front end supports in addition to the C grammar: directives that the preprocessor
//! leaves, attributes, and functions of the compiler.
//!
//! Each list names constructs that do not change the results of a program, or that are understood. Everything else
//! causes a diagnostic, because nothing about a program is certain if a part of it was dropped.

/// The meaning of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attribute {
    /// It changes no value and no order of execution.
    Harmless,
    /// The function does not return.
    NoReturn,
    /// An alignment. It moves fields and is part of a type, but changes nothing for a variable.
    Alignment,
    /// The address of the declared function or variable may be null.
    Weak,
    /// A section, which its argument names.
    Section,
    /// The attribute changes the behaviour of the program; this is the message.
    Effect(String),
}

/// Attributes that change no value, no layout and no order of execution.
const HARMLESS: [&str; 52] = [
    "access",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "artificial",
    "assume_aligned",
    "cold",
    "common",
    "const",
    "deprecated",
    "designated_init",
    "diagnose_if",
    "error",
    "externally_visible",
    "fallthrough",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "flag_enum",
    "flatten",
    "format",
    "format_arg",
    "hot",
    "leaf",
    "malloc",
    "may_alias",
    "maybe_unused",
    "no_icf",
    "no_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_stack_protector",
    "nocf_check",
    "noclone",
    "nocommon",
    "nodiscard",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noplt",
    "nothrow",
    "pure",
    "returns_nonnull",
    "sentinel",
    "tls_model",
    "unused",
    "used",
    "visibility",
    "warn_unused_result",
    "warning",
];

/// Pragmas that do not change the results of a program, by their first words.
const PRAGMAS: [&[&str]; 17] = [
    &["once"],
    &["region"],
    &["endregion"],
    &["message"],
    // The preprocessor handles these itself.
    &["push_macro"],
    &["pop_macro"],
    &["GCC", "diagnostic"],
    &["GCC", "system_header"],
    &["GCC", "poison"],
    &["GCC", "dependency"],
    &["GCC", "warning"],
    &["GCC", "error"],
    &["GCC", "visibility"],
    &["GCC", "ivdep"],
    &["GCC", "unroll"],
    &["clang", "diagnostic"],
    &["STDC", "CX_LIMITED_RANGE"],
];

/// Functions of the compiler, after `__builtin_`, whose result has the type that the front end gives it.
const BUILTINS: [&str; 35] = [
    "abort",
    "abs",
    "alloca",
    "assume",
    "assume_aligned",
    "bswap16",
    "bswap32",
    "bswap64",
    "clz",
    "clzl",
    "clzll",
    "constant_p",
    "ctz",
    "ctzl",
    "ctzll",
    "dynamic_object_size",
    "expect",
    "expect_with_probability",
    "ffs",
    "ffsl",
    "ffsll",
    "memcmp",
    "object_size",
    "parity",
    "popcount",
    "popcountl",
    "popcountll",
    "prefetch",
    "strlen",
    "trap",
    "unreachable",
    "va_arg",
    "va_copy",
    "va_end",
    "va_start",
];

/// The message about an attribute by which functions run before `main`.
pub const CONSTRUCTOR: &str = "constructor: that the function runs before `main` is left out";
/// The message about an attribute by which functions run after `main`.
pub const DESTRUCTOR: &str = "destructor: that the function runs after `main` is left out";
/// The message about an attribute by which a function runs at the end of a scope.
pub const CLEANUP: &str = "cleanup: the function that runs at the end of the scope is left out";
/// The message about an attribute by which a name denotes another function or variable.
pub const ALIAS: &str = "alias: the function that stands behind this name is left out";
/// The message about a section of functions that run before or after `main`.
pub const SECTION: &str = "section: functions that are named here run before or after `main`";
/// The message about a variable whose address may be null.
pub const WEAK: &str = "weak: the address of the variable may be null";
/// The message about an alignment that may change a layout.
pub const ALIGNED: &str = "aligned: sizes and offsets may be others";

/// Returns true for the message about a function that runs before or after `main`.
pub fn runs_outside(message: &str) -> bool {
    matches!(message, CONSTRUCTOR | DESTRUCTOR)
}

/// Returns true for the message of a diagnostic about an attribute that makes a function run or gives it another name.
pub fn is_about_attribute(message: &str) -> bool {
    [CLEANUP, CONSTRUCTOR, DESTRUCTOR, ALIAS, SECTION].contains(&message)
}

/// Returns true for the literal of a section whose functions run before or after `main`.
pub fn is_run(section: &str) -> bool {
    const RUN: [&str; 8] =
        [".init", ".fini", ".init_array", ".fini_array", ".preinit_array", ".ctors", ".dtors", ""];
    let name = section.trim_matches('"');
    RUN.iter().any(|run| {
        name == *run
            || name.strip_prefix(run).is_some_and(|n| n.starts_with('.') && !run.is_empty())
    })
}

/// The meaning of an attribute, whose name may be between underscores.
pub fn attribute(name: &str) -> Attribute {
    let name = name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).unwrap_or(name);
    if HARMLESS.contains(&name) {
        return Attribute::Harmless;
    }
    let effect = match name {
        "noreturn" | "_Noreturn" => return Attribute::NoReturn,
        "aligned" => return Attribute::Alignment,
        "weak" => return Attribute::Weak,
        "section" => return Attribute::Section,
        "packed" => "packed: fields may be at other offsets",
        "vector_size" => "vectors are taken as single numbers",
        "mode" => "mode: the type has another size",
        "cleanup" => CLEANUP,
        "constructor" => CONSTRUCTOR,
        "destructor" => DESTRUCTOR,
        "alias" | "ifunc" | "weakref" => ALIAS,
        other => return Attribute::Effect(format!("the attribute `{other}` is not understood")),
    };
    Attribute::Effect(effect.to_owned())
}

/// Returns the message about a line (without its number sign) that the preprocessor left; `None` if the line changes
/// nothing.
pub fn directive(line: &str) -> Option<String> {
    let words: Vec<&str> = line
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|w| !w.is_empty())
        .collect();
    let (first, rest) = words.split_first()?;
    match *first {
        "pragma" if PRAGMAS.iter().any(|known| rest.starts_with(known)) => None,
        "pragma" if rest.is_empty() => None,
        "pragma" => {
            let word = rest.first().copied().unwrap_or_default();
            Some(format!("`#pragma {word}` is not understood"))
        }
        "ident" | "sccs" => None,
        other => Some(format!("`#{other}` is not understood")),
    }
}

/// Returns true for a function that no header declares and whose result type is known: a listed function of the
/// compiler, or a C89 function with the result `int`.
pub fn is_known_implicitly(name: &str) -> bool {
    match name.strip_prefix("__builtin_") {
        Some(_) => {
            let plain = crate::library_name(name);
            BUILTINS.contains(&plain)
                || ["mem", "str", "print", "snprint", "vprint", "put"]
                    .iter()
                    .any(|start| plain.starts_with(start))
        }
        None => !name.starts_with("__sync_") && !name.starts_with("__atomic_"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_on_a_list_has_a_message() {
        assert_eq!(attribute("__unused__"), Attribute::Harmless);
        assert_eq!(attribute("__noreturn__"), Attribute::NoReturn);
        for name in ["packed", "mode", "transparent_union", "new_one"] {
            assert!(matches!(attribute(name), Attribute::Effect(_)), "{name}");
        }
        assert!(is_run("\".init_array.101\"") && is_run("\".ctors\"") && !is_run("\".text.hot\""));
        assert_eq!(directive("pragma GCC diagnostic push"), None);
        assert_eq!(directive("pragma push_macro(\"X\")"), None);
        for line in [
            "pragma pack(1)",
            "pragma omp parallel",
            "pragma weak f",
            "assert x",
            "pragma STDC FENV_ACCESS ON",
        ] {
            assert!(directive(line).is_some(), "{line}");
        }
        assert!(is_known_implicitly("f") && is_known_implicitly("__builtin_memcpy"));
        assert!(
            !is_known_implicitly("__builtin_choose_expr")
                && !is_known_implicitly("__sync_lock_release")
        );
    }
}
