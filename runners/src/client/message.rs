//! Scrubbing of client messages, so that reports are reproducible and safe to show.

use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// The most characters of a message that are kept.
const LONGEST: usize = 300;
/// The most bytes of a line that are looked at.
const MOST_BYTES: usize = 16 * 1024;
/// The most lines of a message that are kept.
const LINES: usize = 3;

/// Replaces parts of a client's output that differ from run to run: scratch folders, process
/// ids, addresses in memory.
#[derive(Debug, Clone, Default)]
pub struct Scrubber {
    paths: Vec<(String, &'static str)>,
    pids: Option<Regex>,
}

impl Scrubber {
    /// Creates a scrubber that knows of no run: for messages of repfuzz itself.
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
        // A line of many megabytes costs no more than what is kept of it.
        let text = &text[..text.floor_char_boundary(MOST_BYTES)];
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
            // A message that is repeated for every row is worth one line.
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

/// Returns what two messages have in common if they differ only in numbers: each number becomes `#`.
pub fn shape(message: &str) -> String {
    static NUMBERS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b0x[0-9a-fA-F]+|[0-9]+(\.[0-9]+)*").expect("constant"));
    NUMBERS.replace_all(message, "#").into_owned()
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
