//! Commands: words with placeholders.

use std::path::Path;

use serde::Deserialize;

use super::values::Rectangle;

/// One word of a command, with its placeholders.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Arg(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    In,
    Out,
    Dir,
    Here,
    Tools,
    /// One of the four numbers of the region to read.
    Region(Side),
}

/// One of the four numbers of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    X,
    Y,
    Width,
    Height,
}

/// The values of the placeholders.
#[derive(Debug, Clone, Copy)]
pub struct Placeholders<'a> {
    /// `{in}`
    pub input: &'a Path,
    /// `{out}`
    pub output: &'a Path,
    /// `{dir}`
    pub dir: &'a Path,
    /// `{here}`
    pub here: &'a Path,
    /// `{tools}`
    pub tools: &'a Path,
    /// `{x}`, `{y}`, `{w}` and `{h}`, in the command that reads a region
    pub region: Option<Rectangle>,
}

impl Side {
    fn of(self, region: Rectangle) -> u32 {
        match self {
            Self::X => region.x,
            Self::Y => region.y,
            Self::Width => region.width,
            Self::Height => region.height,
        }
    }
}

impl Arg {
    /// Returns the word with its placeholders filled in.
    pub fn fill(&self, placeholders: &Placeholders<'_>) -> std::ffi::OsString {
        let mut word = std::ffi::OsString::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => word.push(text),
                Piece::In => word.push(placeholders.input),
                Piece::Out => word.push(placeholders.output),
                Piece::Dir => word.push(placeholders.dir),
                Piece::Here => word.push(placeholders.here),
                Piece::Tools => word.push(placeholders.tools),
                Piece::Region(side) => {
                    let number = |region: Rectangle| side.of(region).to_string();
                    word.push(placeholders.region.map(number).unwrap_or_default());
                }
            }
        }
        word
    }

    pub(super) fn has(&self, piece: &Piece) -> bool {
        self.0.contains(piece)
    }

    pub(super) fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// Returns the word if it has no placeholder.
    pub fn plain(&self) -> Option<&str> {
        match self.0.as_slice() {
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }
}

impl TryFrom<String> for Arg {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.contains('\0') {
            return Err("an argument cannot hold a NUL character".to_string());
        }
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find('{') {
            let (before, from) = rest.split_at(at);
            plain.push_str(before);
            // Braces around anything but a lower-case word are literal: `{print $1}`.
            let word = from[1..].split('}').next().unwrap_or_default();
            let closed = from[1..].len() > word.len();
            let placeholder = match word {
                "in" => Some(Piece::In),
                "out" => Some(Piece::Out),
                "dir" => Some(Piece::Dir),
                "here" => Some(Piece::Here),
                "tools" => Some(Piece::Tools),
                "x" => Some(Piece::Region(Side::X)),
                "y" => Some(Piece::Region(Side::Y)),
                "w" => Some(Piece::Region(Side::Width)),
                "h" => Some(Piece::Region(Side::Height)),
                w if closed && !w.is_empty() && w.bytes().all(|b| b.is_ascii_lowercase()) => {
                    return Err(format!(
                        "unknown placeholder {{{w}}}: use {{in}}, {{out}}, {{dir}}, {{here}} or {{tools}}"
                    ));
                }
                _ => None,
            };
            match placeholder {
                Some(piece) if closed => {
                    if !plain.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    }
                    pieces.push(piece);
                    rest = &from[word.len() + 2..];
                }
                _ => {
                    plain.push('{');
                    rest = &from[1..];
                }
            }
        }
        plain.push_str(rest);
        if !plain.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Self(pieces))
    }
}

/// A program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<Arg>")]
pub struct Argv(Vec<Arg>);

impl Argv {
    /// Returns the words with placeholders filled in; the first is the program.
    pub fn fill(&self, placeholders: &Placeholders<'_>) -> Vec<std::ffi::OsString> {
        self.0.iter().map(|arg| arg.fill(placeholders)).collect()
    }

    /// Returns the program if it is named without a placeholder.
    pub fn program(&self) -> Option<&str> {
        self.0.first().and_then(Arg::plain)
    }

    /// Returns true if the program is among the tools installed for this client alone.
    pub fn is_tool(&self) -> bool {
        self.0.first().is_some_and(|arg| arg.has(&Piece::Tools))
    }

    /// Returns true if a word refers to the folder of software for this client alone.
    pub fn uses_tools(&self) -> bool {
        self.has(&Piece::Tools)
    }

    /// Returns the last word, if it has no placeholder.
    pub fn last(&self) -> Option<&str> {
        self.0.last().and_then(Arg::plain)
    }

    /// Returns true if a word names a place to write to.
    pub fn writes(&self) -> bool {
        self.has(&Piece::Out) || self.has(&Piece::Dir)
    }

    /// Returns true if a word has a number of a region.
    pub(super) fn has_region(&self) -> bool {
        let is_number = |piece: &Piece| matches!(piece, Piece::Region(_));
        self.0.iter().any(|arg| arg.pieces().iter().any(is_number))
    }

    pub(super) fn words(&self) -> impl Iterator<Item = &Arg> {
        self.0.iter()
    }

    pub(super) fn has(&self, piece: &Piece) -> bool {
        self.0.iter().any(|arg| arg.has(piece))
    }
}

impl TryFrom<Vec<Arg>> for Argv {
    type Error = String;

    fn try_from(args: Vec<Arg>) -> Result<Self, String> {
        match args.first() {
            None => Err("a command needs at least the program".to_string()),
            Some(first) if first.plain() == Some("") => {
                Err("the program's name is empty".to_string())
            }
            Some(_) => Ok(Self(args)),
        }
    }
}
