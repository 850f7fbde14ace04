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
    /// Returns true for a function whose parameters are all values.
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

/// Compiler options that trap where a call fails: at an index out of range, a division by zero, a shift by too much, or
/// an access through a null pointer.
pub(crate) const TRAPS: [&str; 2] = [
    "-fsanitize=bounds,integer-divide-by-zero,shift-exponent,null",
    "-fsanitize-undefined-trap-on-error",
];

/// The beginning of a suite, up to the implementation under test.
const HEAD: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef IMPLEMENTATION
#include IMPLEMENTATION
#endif
"#;

/// Calls report their progress through a pipe, so that exit codes and signals come from the library alone: `c` before a
/// call, `f` after one that failed by FAILED, `d` after the last call.
const CALLS: &str = r#"
static int repfuzz_pipe[2];
static void repfuzz_tell(char c) {
    if (write(repfuzz_pipe[1], &c, 1) != 1) _exit(1);
}
#define CALL(c) do { \
        repfuzz_tell('c'); \
        c; \
        if (FAILED) { repfuzz_tell('f'); _exit(0); } \
    } while (0)

"#;

/// The end of a suite, which runs each sequence in a separate process. A sequence that stops without `d` has failed in
/// its last call, because of FAILED, `exit`, a signal, or a timeout of 10 seconds.
const MAIN: &str = r#"};

/* Runs a sequence; returns the number of the call that failed, or 0. */
static int repfuzz_run(int k) {
    int calls = 0, done = 0;
    char c;
    fflush(NULL);
    if (pipe(repfuzz_pipe)) { perror("pipe"); exit(2); }
    pid_t child = fork();
    if (child < 0) { perror("fork"); exit(2); }
    if (child == 0) {
        close(repfuzz_pipe[0]);
        alarm(10);
        all[k].run();
        repfuzz_tell('d');
        _exit(0);
    }
    close(repfuzz_pipe[1]);
    while (read(repfuzz_pipe[0], &c, 1) == 1) {
        calls += c == 'c';
        done |= c == 'd';
    }
    close(repfuzz_pipe[0]);
    waitpid(child, NULL, 0);
    return done ? 0 : calls;
}

/* True if an index out of range stops the program. */
static int repfuzz_traps(void) {
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        static volatile int numbers[4];
        volatile int k = 4;
        _exit(numbers[k] * 0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status != 0;
}

int main(void) {
    int count = sizeof all / sizeof *all, wrong = 0, missed = 0;
    (void)client_buffer;
    for (int k = 0; k < count; k++) {
        int failed = repfuzz_run(k);
        if (failed != (all[k].fails ? all[k].calls : 0)) {
            printf("sequence %d: %s\n", k + 1,
                   failed ? "a call fails that must not" : "the last call must fail");
            wrong++;
            missed += !failed;
        }
    }
    if (missed && !repfuzz_traps())
        printf("an index out of range does not stop this program: compile it as its first lines say\n");
    printf("%d of %d sequences differ\n", wrong, count);
    return wrong > 0;
}
"#;

/// Returns a program that includes the implementation under test, runs each sequence in a separate process, and exits
/// with 1 if a sequence fails where it must not, or does not fail where it must. `error` is an expression that is true
/// after a call that failed, such as `err != 0`. Calls that do not return have failed as well.
pub fn c_suite(
    graph: &Graph,
    sequences: &[Sequence],
    functions: &[CFunction],
    error: Option<&str>,
) -> String {
    let mut out = format!(
        "/* Sequences of calls of {}: each must fail exactly where it is marked.\n\
         \x20  Compile with the implementation under test, and with traps for indices out of range, divisions by\n\
         \x20  zero, shifts by too much and null pointers, which do not fail otherwise:\n\
         \x20  cc -fwrapv {} \\\n\
         \x20     -DIMPLEMENTATION='\"lib.c\"' suite.c */\n{HEAD}\
         #ifndef FAILED\n#define FAILED ({})\n#endif\n\n\
         static _Alignas(16) char client_buffer[4096];\n",
        graph.library,
        TRAPS.join(" "),
        error.unwrap_or("0")
    );
    for k in 0..CFunction::objects(functions) {
        let _ = writeln!(out, "static _Alignas(16) char client_object{k}[65536];");
    }
    out.push_str(CALLS);
    for (k, sequence) in sequences.iter().enumerate() {
        let _ = writeln!(out, "static void sequence{}(void) {{", k + 1);
        for Call { function, arguments } in &sequence.calls {
            let _ = writeln!(out, "    CALL({});", functions[*function].call(arguments));
        }
        out.push_str("}\n\n");
    }
    out.push_str("static const struct { void (*run)(void); int calls, fails; } all[] = {\n");
    for (k, s) in sequences.iter().enumerate() {
        let _ =
            writeln!(out, "    {{sequence{}, {}, {}}},", k + 1, s.calls.len(), i32::from(s.fails));
    }
    out.push_str(MAIN);
    out
}
