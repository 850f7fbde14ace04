//! Runs the system's preprocessor, within limits of time and size.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::options::Options;

/// A problem that the preprocessor reported.
#[derive(Debug)]
pub struct Failure {
    pub message: String,
    /// File and line, if the message has them.
    pub place: Option<(PathBuf, u32)>,
}

impl Failure {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None }
    }
}

/// The text that is preprocessed.
#[derive(Debug, Clone, Copy)]
pub enum Input<'a> {
    File(&'a Path),
    Text(&'a str),
}

/// Preprocesses a file or a text. `before` are arguments that precede those of the options.
///
/// # Errors
/// Returns the preprocessor's first error, or an error if it could not be run, took too long, or wrote too much.
pub fn preprocess(
    input: Input<'_>,
    before: &[String],
    options: &Options,
) -> Result<String, Failure> {
    run(input, &["-E", "-Wfatal-errors"], before, options)
}

/// The file itself, and then the files that it includes.
///
/// # Errors
/// As [`preprocess`].
pub fn included(file: &Path, options: &Options) -> Result<Vec<PathBuf>, Failure> {
    let rule = run(Input::File(file), &["-M", "-Wfatal-errors"], &[], options)?;
    let list = rule.split_once(": ").map_or("", |(_, list)| list);
    let list = list.replace("\\\n", " ").replace("\\ ", "\0");
    Ok(list.split_whitespace().map(|name| name.replace('\0', " ").into()).collect())
}

fn run(
    input: Input<'_>,
    mode: &[&str],
    before: &[String],
    options: &Options,
) -> Result<String, Failure> {
    let compiler = &options.compiler;
    let mut command = Command::new(compiler);
    command.args(mode).args(before).args(&options.arguments).args(["-x", "c"]);
    match input {
        // A name that begins with a minus sign would be an option.
        Input::File(path) if path.is_relative() => command.arg(Path::new(".").join(path)),
        Input::File(path) => command.arg(path),
        Input::Text(_) => command.arg("-"),
    };
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn();
    let mut child = child.map_err(|why| Failure::new(format!("cannot run `{compiler}`: {why}")))?;
    let text = if let Input::Text(text) = input { text.to_owned() } else { String::new() };
    let stdin = child.stdin.take();
    thread::spawn(move || {
        // The preprocessor may end before it has read everything.
        stdin.map(|mut stdin| stdin.write_all(text.as_bytes()))
    });
    let out = collect(child.stdout.take(), options.limits.bytes);
    let errors = collect(child.stderr.take(), 1 << 20);
    let result = out.recv_timeout(options.limits.time);
    let Ok(out) = result else {
        stop(&mut child);
        let seconds = options.limits.time.as_secs();
        return Err(Failure::new(format!("the preprocessor took more than {seconds} s")));
    };
    if out.len() > options.limits.bytes {
        stop(&mut child);
        let most = options.limits.bytes >> 20;
        return Err(Failure::new(format!("more than {most} MiB of preprocessed text")));
    }
    let errors = errors.recv_timeout(Duration::from_secs(10)).unwrap_or_default();
    let status =
        child.wait().map_err(|why| Failure::new(format!("`{compiler}` is lost: {why}")))?;
    if status.success() {
        return Ok(decode(out));
    }
    Err(first_error(&String::from_utf8_lossy(&errors)))
}

fn stop(child: &mut Child) {
    // The preprocessor may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

/// Reads a stream on a separate thread, up to one byte more than the limit.
fn collect(stream: Option<impl Read + Send + 'static>, limit: usize) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            // If a stream breaks off, the exit status shows it.
            let _ = stream.take(limit as u64 + 1).read_to_end(&mut bytes);
        }
        sender.send(bytes)
    });
    receiver
}

/// Text that is not UTF-8 is read as Latin-1.
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

/// The first error among the messages of a compiler: `file:line:column: error: message`.
fn first_error(messages: &str) -> Failure {
    let line = messages.lines().find(|line| line.contains("error:"));
    let Some(line) = line else {
        let last = messages.lines().last().unwrap_or("the preprocessor failed");
        return Failure::new(last.trim());
    };
    let (place, message) = line.split_once("error:").unwrap_or(("", line));
    let place = place.trim_end().trim_end_matches("fatal").trim_end().trim_end_matches(':');
    let mut parts = place.rsplitn(3, ':');
    let (_, row, file) = (parts.next(), parts.next(), parts.next());
    let place = file.zip(row).and_then(|(file, row)| Some((file.into(), row.parse().ok()?)));
    Failure { message: message.trim().to_owned(), place }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_has_its_place() {
        let failure = first_error(
            "In file included from a.c:1:\nb.h:3:10: fatal error: no.h: No such file or directory\n",
        );
        assert_eq!(failure.place, Some(("b.h".into(), 3)));
        assert_eq!(failure.message, "no.h: No such file or directory");
        assert_eq!(first_error("cc: error: x").place, None);
    }
}
