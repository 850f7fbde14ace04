//! Suites as a C program.

use std::fmt::Write as _;

use super::Sequence;
use crate::graph::{Call, Graph};

/// A parameter of a function of C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CParameter {
    /// The value of a parameter of the library, by its position.
    Value(usize),
    /// The object that the library works on, by its number.
    Object(usize),
    /// Memory of the client.
    Buffer,
    /// A value that has no influence.
    Zero,
}

/// A function of C as a client calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CFunction {
    /// Name.
    pub name: String,
    /// Parameters.
    pub parameters: Vec<CParameter>,
}

impl CFunction {
    /// A function all of whose parameters are values.
    pub fn plain(name: &str, parameters: usize) -> Self {
        Self { name: name.to_owned(), parameters: (0..parameters).map(CParameter::Value).collect() }
    }

    /// A call as an expression of C.
    pub fn call(&self, arguments: &[i64]) -> String {
        let parameters: Vec<String> = self
            .parameters
            .iter()
            .map(|p| match p {
                CParameter::Value(k) => arguments.get(*k).map_or("0".to_owned(), |v| number(*v)),
                CParameter::Object(k) => format!("(void *)client_object{k}"),
                CParameter::Buffer => "(void *)client_buffer".to_owned(),
                CParameter::Zero => "0".to_owned(),
            })
            .collect();
        format!("{}({})", self.name, parameters.join(", "))
    }

    /// The number of objects that some functions work on.
    pub fn objects(functions: &[Self]) -> usize {
        let object = |p: &CParameter| match p {
            CParameter::Object(k) => k + 1,
            _ => 0,
        };
        functions.iter().flat_map(|f| f.parameters.iter().map(object)).max().unwrap_or(0)
    }
}

/// A number as a constant of C.
fn number(value: i64) -> String {
    match i32::try_from(value) {
        Ok(i32::MIN) => "(-2147483647 - 1)".to_owned(),
        Ok(value) => value.to_string(),
        Err(_) => format!("{value}LL"),
    }
}

/// A program that includes the implementation under test, runs each sequence in a process of its own,
/// and exits with 1 if one fails where it must not, or the other way around. `error` is an expression
/// that is true after a call that failed, such as `err != 0`; calls that do not return have failed as
/// well.
pub fn c_suite(
    graph: &Graph,
    sequences: &[Sequence],
    functions: &[CFunction],
    error: Option<&str>,
) -> String {
    let mut out = format!(
        "/* Sequences of calls of {}: each must fail exactly where it is marked.\n\
         \x20  Compile with the implementation under test: cc -DIMPLEMENTATION='\"lib.c\"' suite.c */\n\
         #include <stdio.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
         #ifdef IMPLEMENTATION\n#include IMPLEMENTATION\n#endif\n\
         #ifndef FAILED\n#define FAILED ({})\n#endif\n\n\
         static _Alignas(16) char client_buffer[4096];\n",
        graph.library,
        error.unwrap_or("0")
    );
    for k in 0..CFunction::objects(functions) {
        let _ = writeln!(out, "static _Alignas(16) char client_object{k}[65536];");
    }
    out.push_str(
        "\n/* A call that must succeed. */\n\
         #define MUST(n, c) do { c; if (FAILED) _exit(n); } while (0)\n\
         /* A call that must fail. */\n\
         #define MUST_FAIL(c) do { c; if (FAILED) _exit(101); _exit(102); } while (0)\n\n",
    );
    for (k, sequence) in sequences.iter().enumerate() {
        let _ = writeln!(out, "static void sequence{}(void) {{", k + 1);
        for (n, Call { function, arguments }) in sequence.calls.iter().enumerate() {
            let call = functions[*function].call(arguments);
            let _ = match sequence.fails && n + 1 == sequence.calls.len() {
                true => writeln!(out, "    MUST_FAIL({call});"),
                false => writeln!(out, "    MUST({}, {call});", n + 1),
            };
        }
        out.push_str("}\n\n");
    }
    out.push_str("static const struct { void (*run)(void); int calls, fails; } all[] = {\n");
    for (k, s) in sequences.iter().enumerate() {
        let _ =
            writeln!(out, "    {{sequence{}, {}, {}}},", k + 1, s.calls.len(), i32::from(s.fails));
    }
    out.push_str(
        "};\n\n\
         int main(void) {\n\
         \x20   int count = sizeof all / sizeof *all, wrong = 0;\n\
         \x20   (void)client_buffer;\n\
         \x20   for (int k = 0; k < count; k++) {\n\
         \x20       int status = 0;\n\
         \x20       fflush(NULL);\n\
         \x20       pid_t child = fork();\n\
         \x20       if (child == 0) {\n\
         \x20           alarm(10);\n\
         \x20           all[k].run();\n\
         \x20           _exit(100);\n\
         \x20       }\n\
         \x20       waitpid(child, &status, 0);\n\
         \x20       int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;\n\
         \x20       int failed = code != 100 && code != 102;\n\
         \x20       if (failed != all[k].fails || (all[k].fails && code > 0 && code < all[k].calls)) {\n\
         \x20           printf(\"sequence %d: %s\\n\", k + 1,\n\
         \x20                  all[k].fails && !failed ? \"the last call must fail\"\n\
         \x20                                          : \"a call fails that must not\");\n\
         \x20           wrong++;\n\
         \x20       }\n\
         \x20   }\n\
         \x20   printf(\"%d of %d sequences differ\\n\", wrong, count);\n\
         \x20   return wrong > 0;\n\
         }\n",
    );
    out
}
