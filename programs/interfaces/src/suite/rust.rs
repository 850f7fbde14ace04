//! Suites as a Rust module.

use std::fmt::Write as _;

use super::Sequence;
use crate::graph::Graph;

/// Returns a module with a trait for the implementation under test, and a function that runs all sequences.
pub fn rust_suite(graph: &Graph, sequences: &[Sequence]) -> String {
    let mut out = format!(
        "// Sequences of calls of `{}`: each call must succeed, except the last of a sequence that\n\
         // fails. Implement `Library` for the implementation under test, and call `run`. The file is\n\
         // a module, or a part of one by `include!`.\n\n\
         /// The implementation under test.\n\
         #[allow(non_snake_case)]\n\
         pub trait Library {{\n",
        graph.library
    );
    for (function, parameters) in graph.functions.iter().zip(&graph.parameters) {
        let parameters: String =
            parameters.iter().map(|p| format!(", {}: i64", identifier(p))).collect();
        let _ = writeln!(out, "    /// Calls `{function}`; an error is `Err`.");
        let _ = writeln!(
            out,
            "    fn {}(&mut self{parameters}) -> Result<(), String>;",
            identifier(function)
        );
    }
    out.push_str("}\n\n/// Runs each sequence on a new library; returns what differs.\n");
    out.push_str("pub fn run<L: Library>(new: impl Fn() -> L) -> Vec<String> {\n");
    out.push_str("    let mut wrong = Vec::new();\n");
    for (k, sequence) in sequences.iter().enumerate() {
        let _ = writeln!(out, "    let mut library = new();");
        for (n, call) in sequence.calls.iter().enumerate() {
            let arguments: Vec<String> = call.arguments.iter().map(i64::to_string).collect();
            let text = format!(
                "{}({})",
                identifier(&graph.functions[call.function]),
                arguments.join(", ")
            );
            let fails = sequence.fails && n + 1 == sequence.calls.len();
            let (is, must) = if fails { ("is_ok", "fail") } else { ("is_err", "succeed") };
            let _ = writeln!(
                out,
                "    if library.{text}.{is}() {{\n        wrong.push(\"sequence {}, call {}: \
                 `{text}` must {must}\".to_owned());\n    }}",
                k + 1,
                n + 1
            );
        }
    }
    out.push_str("    wrong\n}\n");
    out
}

/// A name as a Rust identifier.
fn identifier(name: &str) -> String {
    let name = name.replace('.', "_");
    match name.as_str() {
        "match" | "type" | "in" | "move" | "fn" | "impl" | "loop" | "mod" | "ref" | "use"
        | "where" | "let" | "mut" | "pub" | "trait" | "yield" | "try" | "dyn" | "async"
        | "await" | "box" | "final" | "override" | "virtual" | "abstract" | "become" | "priv"
        | "macro" | "unsized" | "as" | "enum" | "unsafe" => format!("r#{name}"),
        "self" | "super" | "Self" | "crate" | "_" => format!("{name}_"),
        _ => name,
    }
}
