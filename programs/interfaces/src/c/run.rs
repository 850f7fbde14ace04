//! Runs all sequences of calls up to a length on the C code itself.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::graph::Call;
use crate::library::{Place, Problem};
use crate::suite::{CFunction, TRAPS};
use crate::watch::Watch;

/// Runs every sequence of calls of an alphabet up to a length, each in a fresh state, and returns an answer for each
/// call: `.`, or `E` if it failed. A sequence ends after a call that failed. The order is that of
/// [`compare_answers`](crate::exhaustive::compare_answers).
///
/// The code is compiled with traps for indices out of range and division by zero. Between sequences, the variables of
/// static storage are restored. Memory is never freed, because it might be reused.
///
/// # Errors
///
/// The compiler fails or is not there, or the time limit passes.
pub fn answers(
    file: &Path,
    functions: &[CFunction],
    alphabet: &[Call],
    length: usize,
    error: Option<&str>,
    watch: &Watch,
) -> Result<Vec<u8>, Problem> {
    let fail = |message: String| {
        Problem::new(Place::default(), message).in_file(&file.display().to_string())
    };
    let io = |e: std::io::Error| fail(format!("cannot be run: {e}"));
    let file = file.canonicalize().map_err(io)?;
    let folder = tempfile::tempdir().map_err(io)?;
    let source = folder.path().join("driver.c");
    std::fs::write(&source, driver(&file, functions, alphabet, length, error)).map_err(io)?;
    let program = folder.path().join("driver");
    let compiled = Command::new("cc")
        .args(["-O1", "-w", "-fwrapv"])
        .args(TRAPS)
        .arg("-o")
        .args([&program, &source])
        .output()
        .map_err(io)?;
    if !compiled.status.success() {
        let text = String::from_utf8_lossy(&compiled.stderr);
        let line = text.lines().find(|l| l.contains("error")).unwrap_or("no message");
        return Err(fail(format!("does not compile: {line}")));
    }
    let path = folder.path().join("answers");
    let answers = std::fs::File::create(&path).map_err(io)?;
    let mut command = Command::new(&program);
    command.stdin(Stdio::null()).stdout(answers).stderr(Stdio::null());
    let mut child = command.spawn().map_err(io)?;
    while child.try_wait().map_err(io)?.is_none() {
        if let Err(problem) = watch.in_time() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
            return Err(problem);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    std::fs::read(&path).map_err(io)
}

/// The driver. Its own variables are in memory that is not restored: registers, the stack and the heap.
fn driver(
    file: &Path,
    functions: &[CFunction],
    alphabet: &[Call],
    length: usize,
    error: Option<&str>,
) -> String {
    let mut out = String::from(
        "#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
         #include <string.h>\n#include <unistd.h>\n\
         static sigjmp_buf *repfuzz_back;\n\
         static void repfuzz_stop(void) { siglongjmp(*repfuzz_back, 1); }\n\
         static void repfuzz_signal(int s) { (void)s; siglongjmp(*repfuzz_back, 1); }\n\
         void __assert_fail(const char *a, const char *f, unsigned l, const char *n) {\n\
         \x20   (void)a; (void)f; (void)l; (void)n; siglongjmp(*repfuzz_back, 1);\n}\n\
         #define exit(code) repfuzz_stop()\n#define abort() repfuzz_stop()\n\
         #define free(memory) ((void)(memory))\n",
    );
    let _ = writeln!(out, "#include \"{}\"", file.display());
    out.push_str(
        "#undef exit\n#undef abort\n#undef free\nstatic _Alignas(16) char client_buffer[4096];\n",
    );
    for k in 0..CFunction::objects(functions) {
        let _ = writeln!(out, "static _Alignas(16) char client_object{k}[65536];");
    }
    out.push_str("static void repfuzz_call(int n) {\n    (void)client_buffer;\n    switch (n) {\n");
    for (k, call) in alphabet.iter().enumerate() {
        let text = functions[call.function].call(&call.arguments);
        let _ = writeln!(out, "    case {k}: {text}; break;");
    }
    let (count, error) = (alphabet.len(), error.unwrap_or("0"));
    let _ = write!(
        out,
        "    }}\n}}\n\
         extern char __data_start, _end;\n\
         static void repfuzz_walk(int depth, FILE *answers) {{\n\
         \x20   size_t size = &_end - &__data_start;\n\
         \x20   char *saved = malloc(size);\n\
         \x20   for (volatile int k = 0; k < {count}; k++) {{\n\
         \x20       sigjmp_buf here;\n\
         \x20       volatile int failed = 1;\n\
         \x20       memcpy(saved, &__data_start, size);\n\
         \x20       repfuzz_back = &here;\n\
         \x20       if (sigsetjmp(here, 1) == 0) {{\n\
         \x20           alarm(5);\n\
         \x20           repfuzz_call(k);\n\
         \x20           failed = ({error});\n\
         \x20       }}\n\
         \x20       alarm(0);\n\
         \x20       fputc(failed ? 'E' : '.', answers);\n\
         \x20       if (!failed && depth > 1) repfuzz_walk(depth - 1, answers);\n\
         \x20       memcpy(&__data_start, saved, size);\n\
         \x20   }}\n\
         \x20   free(saved);\n\
         }}\n\
         int main(void) {{\n\
         \x20   int signals[] = {{SIGILL, SIGSEGV, SIGFPE, SIGABRT, SIGBUS, SIGALRM, SIGTRAP}};\n\
         \x20   for (int k = 0; k < 7; k++) signal(signals[k], repfuzz_signal);\n\
         \x20   FILE *answers = fdopen(dup(1), \"w\");\n\
         \x20   if (!freopen(\"/dev/null\", \"w\", stdout)) return 1;\n\
         \x20   repfuzz_walk({length}, answers);\n\
         \x20   return fclose(answers);\n\
         }}\n"
    );
    out
}
