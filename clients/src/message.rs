//! Scrubbing of client messages, so that reports are reproducible and safe to show.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// The maximum number of characters of a message that are kept.
const LONGEST: usize = 300;
/// The maximum number of bytes of a line that are examined.
const MOST_BYTES: usize = 16 * 1024;
/// The maximum number of lines of a message that are kept.
const LINES: usize = 3;

/// Replaces parts of a client's output that vary from run to run: scratch folders, process ids, memory addresses.
#[derive(Debug, Clone, Default)]
pub struct Scrubber {
    paths: Vec<(String, &'static str)>,
    pids: Option<Regex>,
}

impl Scrubber {
    /// Creates a scrubber without a run, for messages of repfuzz itself.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes `name` in place of `path`. The longest path is replaced first.
    #[must_use]
    pub fn path(mut self, path: &Path, name: &'static str) -> Self {
        if let Some(text) = path.to_str().filter(|t| t.len() > 1) {
            self.paths.push((text.to_string(), name));
            self.paths.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        }
        self
    }

    /// Writes `{pid}` in place of this process id.
    #[must_use]
    pub fn pid(mut self, pid: u32) -> Self {
        self.pids = Regex::new(&format!(r"\b{pid}\b")).ok();
        self
    }

    /// Returns the text as one line without control characters, truncated to 300 characters.
    pub fn line(&self, text: &str) -> String {
        static ESCAPES: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|[@-_])").expect("constant"));
        static ADDRESSES: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"\b0x[0-9a-fA-F]{6,16}\b").expect("constant"));
        // Only the part of a line that may be kept is examined, because a line may have many megabytes.
        let end = (0..=MOST_BYTES.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
        let text = &text[..end.unwrap_or(0)];
        let mut text = ESCAPES.replace_all(text, "").into_owned();
        for (path, name) in &self.paths {
            text = text.replace(path, name);
        }
        text = ADDRESSES.replace_all(&text, "{address}").into_owned();
        if let Some(pids) = &self.pids {
            text = pids.replace_all(&text, "{pid}").into_owned();
        }
        let unseen = |c: char| {
            c.is_control()
                || matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        };
        let spaced: String = text.chars().map(|c| if unseen(c) { ' ' } else { c }).collect();
        let mut line = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((at, _)) = line.char_indices().nth(LONGEST) {
            line.truncate(at);
            line.push('…');
        }
        line
    }

    /// Joins the last meaningful lines into one line; `None` if there are none.
    pub fn last_words(&self, text: &str) -> Option<String> {
        let mut lines: Vec<String> = Vec::new();
        for line in text.lines().rev().filter(|l| says_something(l)) {
            let line = self.line(line);
            // A message that is repeated for every row counts as one line.
            if !line.is_empty() && !lines.contains(&line) {
                lines.push(line);
            }
            if lines.len() == LINES {
                break;
            }
        }
        lines.reverse();
        (!lines.is_empty()).then(|| self.line(&lines.join("; ")))
    }
}

/// Returns a message with each number replaced by `#`, so that messages that differ only in numbers are equal.
pub fn shape(message: &str) -> String {
    static NUMBERS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b0x[0-9a-fA-F]+|[0-9]+(\.[0-9]+)*").expect("constant"));
    NUMBERS.replace_all(message, "#").into_owned()
}

/// The kind of error that a sanitizer reports in `text`: `AddressSanitizer: heap-use-after-free`.
pub fn sanitizer(text: &str) -> Option<&str> {
    static ERROR: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\bERROR: (\w+Sanitizer: [\w-]+)").expect("constant"));
    Some(ERROR.captures(text)?.get(1)?.as_str())
}

/// The maximum number of frames of a stack that are named.
const FRAMES: usize = 3;

/// Returns the innermost functions of the first stack trace in `text`, as sanitizers, debuggers and Rust print them:
/// `get_tile < read_row < main`. Runtime functions that report the crash are left out.
pub fn stack(text: &str) -> Option<String> {
    static FRAME: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^\s*(?:#\d+\s+(?:0x[0-9a-f]+\s+)?in|\d+:(?:\s+0x[0-9a-f]+\s+-)?)\s+([^\s(]+)")
            .expect("constant")
    });
    static RUNTIME: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"^_*(rustc|std|core|gsignal|raise|abort)\b|^_*(asan|ubsan|interceptor|sanitizer|libc|pthread|GI|rust)_",
        )
        .expect("constant")
    });
    let names = text.lines().filter_map(|line| Some(FRAME.captures(line)?.get(1)?.as_str()));
    let own: Vec<&str> = names.filter(|name| !RUNTIME.is_match(name)).take(FRAMES).collect();
    (!own.is_empty()).then(|| own.join(" < "))
}

/// Returns true unless a line is a stack frame or a ruler.
fn says_something(line: &str) -> bool {
    let text = line.trim();
    let frame = line.starts_with(char::is_whitespace)
        && (text.starts_with("at ") || text.starts_with("File \"") || text.starts_with("... "));
    !frame
        && !text.starts_with("Traceback (most recent call last)")
        && text.chars().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_pids_and_addresses_are_replaced() {
        let scrub = Scrubber::new()
            .path(Path::new("/tmp/x1"), "{dir}")
            .path(Path::new("/tmp/x1/in.tif"), "{in}")
            .pid(4711);
        let text = "\x1b[31m(convert:4711)\x1b[0m: /tmp/x1/in.tif\tat 0x55aa00ff0: /tmp/x1/y\u{7}";
        assert_eq!(scrub.line(text), "(convert:{pid}): {in} at {address}: {dir}/y");
        assert_eq!(scrub.line("14711 47110"), "14711 47110");
    }

    #[test]
    fn stacks_are_named_by_their_innermost_functions() {
        let asan = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60\n\
                    \x20   #0 0x7f12 in __interceptor_memcpy (libasan.so+0x3)\n\
                    \x20   #1 0x55aa in TIFFReadTile /src/tif_read.c:17:3\n\
                    \x20   #2 0x55ab in main /src/a.c:3\n";
        assert_eq!(stack(asan).as_deref(), Some("TIFFReadTile < main"));
        assert_eq!(sanitizer(asan), Some("AddressSanitizer: heap-buffer-overflow"));
        assert_eq!(sanitizer("==7==ABORTING"), None);
        let rust = "thread 'main' panicked at a.rs:3:1:\nstack backtrace:\n   0: rust_begin_unwind\n   \
                    1: core::panicking::panic_fmt\n   2: decoder::tile::get\n             at ./a.rs:3:1\n";
        assert_eq!(stack(rust).as_deref(), Some("decoder::tile::get"));
        assert_eq!(stack("Segmentation fault\n1: no\n").as_deref(), Some("no"));
        assert_eq!(stack("Segmentation fault"), None);
    }

    #[test]
    fn lines_of_many_megabytes_cost_little() {
        let line = "a b ".repeat(10 << 20);
        assert_eq!(Scrubber::new().line(&line).chars().count(), LONGEST + 1);
    }

    #[test]
    fn messages_that_differ_in_numbers_have_one_shape() {
        assert_eq!(shape("strip 3 of 17 at 0xff: v4.5.1"), "strip # of # at #: v#");
        assert_eq!(shape(""), "");
    }

    #[test]
    fn long_messages_are_cut() {
        let line = Scrubber::new().line(&"ä".repeat(5000));
        assert_eq!(line.chars().count(), LONGEST + 1);
    }

    #[test]
    fn the_last_lines_that_say_something() {
        let scrub = Scrubber::new();
        assert_eq!(scrub.last_words("\n \n----\n"), None);
        assert_eq!(scrub.last_words("a\nb\nc\nd\nd\n\n").as_deref(), Some("b; c; d"));
        let java =
            "Exception in thread \"main\" java.lang.Error: no\n\tat A.b(C.java)\n\t... 3 more\n";
        assert_eq!(
            scrub.last_words(java).as_deref(),
            Some("Exception in thread \"main\" java.lang.Error: no")
        );
    }
}
