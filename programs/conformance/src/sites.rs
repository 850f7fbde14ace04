//! The list of call sites that write or read, as a text that can be edited and read in again, and
//! comments in the source that say the same of one call (section 4.1 of the paper, points 3 and 4).

use std::fmt::Write;

use crate::error::Error;
use crate::program::Part;
use crate::settings::{Direction, Role};

/// A call site that writes or reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The program.
    pub role: Role,
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; none for any.
    pub column: Option<u32>,
    /// The function that is called.
    pub callee: String,
    /// The types that are written or read.
    pub parts: Vec<Part>,
}

/// Writes a list: a line for each site, `producer FILE:LINE:COLUMN CALLEE TYPES`.
pub fn write(sites: &[Listed]) -> String {
    let mut text = String::from("# side, file:line:column, function, types\n");
    for site in sites {
        let Listed { role, file, line, callee, parts, .. } = site;
        let column = site.column.map(|c| format!(":{c}")).unwrap_or_default();
        let (role, types) = (role.name(), Part::text(parts));
        let _ = writeln!(text, "{role}\t{file}:{line}{column}\t{callee}\t{types}");
    }
    text
}

/// Reads a list. Empty lines and those that begin with `#` do not count.
///
/// # Errors
///
/// If a line is not of this form; the error has the file's name and the line.
pub fn read(file: &str, text: &str) -> Result<Vec<Listed>, Error> {
    let mut sites = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let site = site(line).ok_or_else(|| {
            let why = "not `producer FILE:LINE:COLUMN FUNCTION TYPES`, with tabs between them";
            Error::text(file, number + 1, why)
        })?;
        sites.push(site);
    }
    Ok(sites)
}

fn site(line: &str) -> Option<Listed> {
    let mut fields = line.split('\t');
    let role = match fields.next()? {
        "producer" => Role::Producer,
        "consumer" => Role::Consumer,
        _ => return None,
    };
    let (place, callee) = (fields.next()?, fields.next()?.to_owned());
    let parts = Part::sequence(fields.next()?);
    let (rest, last) = place.rsplit_once(':')?;
    let last = last.parse().ok()?;
    let full = rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    let (file, line, column) = match full {
        Some((file, line)) => (file, line, Some(last)),
        None => (rest, last, None),
    };
    Some(Listed { role, file: file.to_owned(), line, column, callee, parts })
}

/// A comment about calls on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The line of the calls.
    pub line: u32,
    /// The function that is called; none for every call on the line.
    pub callee: Option<String>,
    /// The direction; none if the call neither writes nor reads.
    pub direction: Option<Direction>,
    /// The types.
    pub parts: Vec<Part>,
}

/// The comments of a C file: `/* conform: [FUNCTION] out|in|both|none [TYPES] */`, or with `//`, on
/// the line of the call or alone on the line before.
pub fn notes(text: &str) -> Vec<Note> {
    let mut found = Vec::new();
    for (number, line) in (1u32..).zip(text.lines()) {
        let Some((before, after)) = line.split_once("conform:") else { continue };
        let before = before.trim_end();
        if !(before.ends_with("/*") || before.ends_with("//")) {
            continue;
        }
        let alone = before.trim_start().len() == 2;
        let words = after.split("*/").next().unwrap_or_default();
        if let Some(note) = note(words, if alone { number + 1 } else { number }) {
            found.push(note);
        }
    }
    found
}

fn note(text: &str, line: u32) -> Option<Note> {
    let direction = |word: &str| match word {
        "out" => Some(Some(Direction::Out)),
        "in" => Some(Some(Direction::In)),
        "both" => Some(Some(Direction::Both)),
        "none" => Some(None),
        _ => None,
    };
    let (first, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    if let Some(direction) = direction(first) {
        return Some(Note { line, callee: None, direction, parts: Part::sequence(rest) });
    }
    let (second, rest) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
    let direction = direction(second)?;
    Some(Note { line, callee: Some(first.to_owned()), direction, parts: Part::sequence(rest) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_it_is_written() {
        let text = "producer\ta b.c:3:7\tput\tbyte=1|2 long*\nconsumer\tc.c:9\tget\tbyte\n";
        let sites = read("sites", text).unwrap();
        assert_eq!(sites[0].file, "a b.c");
        assert_eq!((sites[0].line, sites[0].column), (3, Some(7)));
        assert_eq!((sites[1].line, sites[1].column), (9, None));
        assert_eq!(write(&sites).split_once('\n').unwrap().1, text);
    }

    #[test]
    fn a_line_of_another_form_is_named() {
        let error = read("sites", "# list\nproducer a.c\n").unwrap_err().to_string();
        assert!(error.starts_with("sites:2: not `producer"), "{error}");
    }

    #[test]
    fn comments_are_about_their_line_or_the_next() {
        let text = "put(x); /* conform: out header */\n// conform: fwrite out byte*\nfwrite();\n\
                    log(y); // conform: none\n// reports conform: out\n/* conform: nothing */\n";
        let found = notes(text);
        let lines: Vec<u32> = found.iter().map(|note| note.line).collect();
        assert_eq!(lines, [1, 3, 4]);
        assert_eq!(found[1].callee.as_deref(), Some("fwrite"));
        assert!(found[1].parts[0].many);
        assert_eq!(found[2].direction, None);
    }
}
