//! Settings and bounds of the front end.

use std::time::Duration;

/// Settings of the front end.
#[derive(Debug, Clone)]
pub struct Options {
    /// The compiler that preprocesses: `cc`.
    pub compiler: String,
    /// Arguments for it, as `-Iinclude` and `-DNAME=1`.
    pub arguments: Vec<String>,
    /// Macros that are kept as function calls. Their definitions are removed.
    pub calls: Vec<String>,
    /// Bounds of time and memory.
    pub limits: Limits,
}

/// Bounds of the front end. A file or function beyond one of them is left out, with a diagnostic.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The maximum number of bytes of a file after preprocessing.
    pub bytes: usize,
    /// The maximum time that the preprocessor may take for a file.
    pub time: Duration,
    /// The maximum number of tokens of an external declaration.
    pub declaration: usize,
    /// The maximum number of tokens without a comma, semicolon or brace between them.
    pub expression: usize,
    /// The maximum size in bytes of the string literals of an external declaration.
    pub literals: usize,
    /// The maximum number of brackets that are open at once.
    pub depth: usize,
    /// The maximum number of statements of a function that may nest without brackets: `else`, `if`, loops, labels.
    pub branches: usize,
    /// The size, in bytes, of the stack on which files are parsed and lowered.
    pub stack: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            compiler: "cc".to_owned(),
            arguments: Vec::new(),
            calls: Vec::new(),
            limits: Limits::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            literals: 1 << 20,
            time: Duration::from_secs(60),
            declaration: 400_000,
            expression: 4_000,
            depth: 256,
            branches: 5_000,
            stack: 1 << 30,
        }
    }
}
