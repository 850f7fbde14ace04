//! Recognizes functions that do not belong to the client by their names.

/// Words in the names of functions that print messages or allocate memory.
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

/// Returns true for a function whose name indicates that a picture cannot depend on it.
pub fn harmless(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    HARMLESS.iter().any(|word| lower.contains(word))
}
