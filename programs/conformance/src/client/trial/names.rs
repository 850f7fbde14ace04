//! Functions that are not the client's, by their names.

/// Words in the names of functions that tell a person something, or that get memory.
const HARMLESS: [&str; 16] = [
    "err",
    "warn",
    "log",
    "print",
    "message",
    "msg",
    "debug",
    "trace",
    "assert",
    "throw",
    "alloc",
    "free",
    "new",
    "create",
    "return_if_fail",
    "resize",
];

/// True for a function whose name says that a picture cannot depend on it.
pub fn harmless(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    HARMLESS.iter().any(|word| lower.contains(word))
}
