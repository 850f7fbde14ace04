//! Exit codes, and lines on standard output and standard error.

/// Exit code: success.
pub const SUCCESS: u8 = 0;
/// Exit code: at least one difference was found.
pub const FOUND: u8 = 1;
/// Exit code: the command failed.
pub const FAILURE: u8 = 2;

/// Exit code: the command continued but left out variants because of an internal error, or clients that cannot be used
/// here.
pub const INCOMPLETE: u8 = 3;

/// Prints an error on standard error, in one line; returns the exit code.
pub fn fail(why: impl std::fmt::Display) -> u8 {
    complain("error", &why);
    FAILURE
}

/// Prints a note on standard error, in one line.
pub(crate) fn note(what: impl std::fmt::Display) {
    complain("note", &what);
}

fn complain(kind: &str, what: &dyn std::fmt::Display) {
    let line = reports::report::clean(&what.to_string()).replace('\n', " ");
    warn(format_args!("{kind}: {line}\n"));
}

/// Prints text on standard error. `eprint!` would panic if the reader has closed the pipe.
pub(crate) fn warn(text: impl std::fmt::Display) {
    use std::io::Write;
    let _ = std::io::stderr().write_all(text.to_string().as_bytes());
}

/// Prints a line to standard output. Ignores errors, because the reader may have closed the pipe. Removes characters
/// that control a terminal, whatever their source. In JSON such characters are escaped.
pub(crate) fn say(line: impl std::fmt::Display) {
    use std::io::Write;
    let controls = |c: char| c.is_control() && c != '\n' && c != '\t';
    let line = line.to_string().replace(controls, "\u{fffd}");
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Prints a value to standard output as a line of JSON, without buffering it as a string. Ignores errors, as [`say`]
/// does.
pub(crate) fn say_json(value: &impl serde::Serialize) {
    let _ = write_json(std::io::stdout().lock(), value);
}

/// Writes a value as a line of JSON, as it is made.
pub(crate) fn write_json(
    to: impl std::io::Write,
    value: &impl serde::Serialize,
) -> std::io::Result<()> {
    use std::io::Write;
    let mut to = std::io::BufWriter::with_capacity(1 << 16, to);
    serde_json::to_writer(&mut to, value)?;
    to.write_all(b"\n")?;
    to.flush()
}
