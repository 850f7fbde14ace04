//! The text of a spec: its own file and the files that it uses, in one space of positions.
//!
//! Each file occupies a separate range of positions, so a [`Span`] identifies its file without naming it (as in rustc's
//! source map).

use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// A place in a spec's text, in bytes: `start..end`. [`Source::file`] returns the file that contains it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Returns true if they have a byte in common.
    pub fn overlaps(self, other: Self) -> bool {
        self.start.max(other.start) < self.end.min(other.end)
    }

    /// Shifts the span by `by` bytes.
    pub fn shifted(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }
}

/// One file of a spec.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its path, or another name for display.
    pub name: String,
    /// The whole text.
    pub text: String,
    start: usize,
}

impl SourceFile {
    /// The position of its first byte.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The part of the text that `span` covers, as a range of this text.
    pub fn range(&self, span: Span) -> std::ops::Range<usize> {
        let within = |at: usize| at.saturating_sub(self.start).min(self.text.len());
        within(span.start)..within(span.end).max(within(span.start))
    }
}

/// The files of a spec: its own first, then those that it uses, in the order in which they are found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    files: Vec<SourceFile>,
}

impl Source {
    /// A spec whose own file is `text`; `name` is its path, or another name for display.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { files: vec![SourceFile { name: name.into(), text: text.into(), start: 0 }] }
    }

    /// Adds a used file; returns its position in [`Source::files`].
    pub fn add(&mut self, name: String, text: String) -> usize {
        // One more than the length of the text, so that its end is not the start of the next file.
        let start = self.files.last().map_or(0, |f| f.start + f.text.len() + 1);
        self.files.push(SourceFile { name, text, start });
        self.files.len() - 1
    }

    /// The name of the spec's own file.
    pub fn name(&self) -> &str {
        &self.files[0].name
    }

    /// The text of the spec's own file.
    pub fn text(&self) -> &str {
        &self.files[0].text
    }

    /// All files.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Returns true if `spec` and the files that it uses still have these names and texts.
    pub fn is_of(&self, spec: &SpecText<'_>) -> bool {
        let Some((own, used)) = self.files.split_first() else { return false };
        let same = |f: &SourceFile| spec.files.read(Path::new(&f.name)).is_ok_and(|t| t == f.text);
        own.name == spec.name && own.text == spec.text && used.iter().all(same)
    }

    /// The file that `span` is in.
    pub fn file(&self, span: Span) -> &SourceFile {
        let after = self.files.partition_point(|f| f.start <= span.start);
        &self.files[after.saturating_sub(1)]
    }

    /// The text at `span`; empty if the span does not belong to this source.
    pub fn at(&self, span: Span) -> &str {
        let file = self.file(span);
        let within = |at: usize| at.checked_sub(file.start);
        let range = within(span.start).zip(within(span.end));
        range.and_then(|(start, end)| file.text.get(start..end)).unwrap_or("")
    }

    /// The line that `span` starts on, from 1, in its file.
    pub fn line(&self, span: Span) -> usize {
        let file = self.file(span);
        let upto = file.range(span).start;
        file.text.as_bytes()[..upto].iter().filter(|b| **b == b'\n').count() + 1
    }

    /// The line that `span` starts on, with the file's name unless it is the spec's own: `line 3`
    /// or `line 3 of picture.rs`.
    pub fn place(&self, span: Span) -> String {
        let (file, line) = (self.file(span), self.line(span));
        match file.start {
            0 => format!("line {line}"),
            _ => format!("line {line} of {}", file_name(&file.name)),
        }
    }

    /// Two places: `lines 3 and 4` if both are in the spec's own file.
    pub fn places(&self, one: Span, other: Span) -> String {
        match (self.file(one).start, self.file(other).start) {
            (0, 0) => format!("lines {} and {}", self.line(one), self.line(other)),
            _ => format!("{} and {}", self.place(one), self.place(other)),
        }
    }
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A source of the files that a spec uses.
pub trait Files: Sync {
    /// Returns the text of the file at `path`.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be read, in one line.
    fn read(&self, path: &Path) -> Result<String, String>;
}

/// The file system.
#[derive(Debug, Clone, Copy)]
pub struct Disk;

impl Disk {
    /// The largest file that is read, in bytes.
    const MAX: u64 = 1 << 20;
}

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<String, String> {
        let kind = std::fs::metadata(path).map_err(|e| {
            let folder = path.with_extension("");
            match folder.is_dir() {
                true => format!("{e}; `{}` is a folder", file_name(&folder.to_string_lossy())),
                false => e.to_string(),
            }
        })?;
        // Opening a pipe would wait for its writer.
        if !kind.is_file() {
            let kind = if kind.is_dir() { "a folder" } else { "a pipe or a device" };
            return Err(format!("it is {kind}, not a file"));
        }
        let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
        let mut bytes = Vec::new();
        // The file may grow meanwhile.
        file.take(Self::MAX + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        if bytes.len() as u64 > Self::MAX {
            return Err(format!("more than {} bytes", Self::MAX));
        }
        String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
    }
}

/// Files as pairs of path and text, such as those that a crate embeds with `include_str!`.
#[derive(Debug, Clone, Copy)]
pub struct Embedded<'a>(pub &'a [(&'a str, &'a str)]);

impl Files for Embedded<'_> {
    fn read(&self, path: &Path) -> Result<String, String> {
        let found = self.0.iter().find(|(name, _)| Path::new(name) == path);
        found.map_or_else(
            || Err("it is not among the files that were given".to_owned()),
            |(_, text)| Ok((*text).to_owned()),
        )
    }
}

/// A spec as text, with the files that it may use.
#[derive(Clone, Copy)]
pub struct SpecText<'a> {
    /// The path of its file, or another name for display. Paths of used files are relative to it.
    pub name: &'a str,
    /// The text of its file.
    pub text: &'a str,
    /// The source of the files that it uses.
    pub files: &'a dyn Files,
}

impl<'a> SpecText<'a> {
    /// A spec that uses no other file.
    pub fn alone(name: &'a str, text: &'a str) -> Self {
        Self { name, text, files: &Embedded(&[]) }
    }

    /// A spec that may use files of the file system.
    pub fn on_disk(name: &'a str, text: &'a str) -> Self {
        Self { name, text, files: &Disk }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_identify_their_file() {
        let mut source = Source::new("specs/a.rs", "one\ntwo");
        let second = source.add("specs/b.rs".to_owned(), "three\nfour\n".to_owned());
        let start = source.files()[second].start();
        let span = |start, end| Span { start, end };
        assert_eq!(source.at(span(4, 7)), "two");
        assert_eq!(source.place(span(4, 7)), "line 2");
        assert_eq!(source.file(span(7, 7)).name, "specs/a.rs");
        assert_eq!(source.at(span(start + 6, start + 10)), "four");
        assert_eq!(source.place(span(start + 6, start + 10)), "line 2 of b.rs");
        assert_eq!(source.files()[second].range(span(start + 6, start + 10)), 6..10);
        assert_eq!(source.at(span(5, start + 2)), "", "no span is of two files");
        assert_eq!(source.at(span(start, start + 99)), "");
    }
}
