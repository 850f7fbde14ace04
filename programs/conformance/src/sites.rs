//! The list of call sites that write or read, as text that can be edited and read again, and comments in the source
//! that do the same for one call (section 4.1 of the paper, points 3 and 4).

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::error::Error;
use crate::program::Part;
use crate::settings::{Direction, Role, Settings};

/// A call site that writes or reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The program.
    pub role: Role,
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// The column, from 1; `None` for any column.
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

/// Reads a list. Ignores empty lines and lines that begin with `#`.
///
/// # Errors
///
/// Returns an error if a line is not of this form; the error has the file's name and the line.
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

/// Refuses types in comments and lists that occur neither in the settings nor on the other side.
///
/// # Errors
///
/// Returns an error if there is such a type, with its place.
pub fn check_types(
    settings: &Settings,
    producer: &[Listed],
    consumer: &[Listed],
) -> Result<(), Error> {
    let kinds = |sites: &[Listed]| -> BTreeSet<String> {
        sites.iter().flat_map(|site| &site.parts).map(|part| part.kind.clone()).collect()
    };
    let made = settings.types.values().flat_map(|made| &made.parts);
    let made: BTreeSet<String> = made.map(|part| part.kind.clone()).collect();
    for (own, other) in [(producer, consumer), (consumer, producer)] {
        let mut known = kinds(other);
        known.extend(made.iter().cloned());
        for site in own {
            let stray = site.parts.iter().find(|part| !settings.knows(&part.kind, &known));
            if let Some(part) = stray.filter(|part| part.kind != "any") {
                let (callee, kind) = (&site.callee, &part.kind);
                let why =
                    format!("the call of `{callee}` has the type `{kind}`, which is nowhere else");
                return Err(Error::text(&site.file, site.line as usize, why));
            }
        }
    }
    Ok(())
}

/// A comment about calls on a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The line of the calls.
    pub line: u32,
    /// The called function, if the comment names one. Then the comment refers to all of its calls on the line.
    pub callee: Option<String>,
    /// If the comment names no function: the call that it follows, or if there is none, the next call: its name, and
    /// its number among the calls of that name on the line, from 0. `None` if there is no such call in the text.
    pub nth: Option<(String, usize)>,
    /// True if the text of the line contains the call that the comment names, or any call if it names none.
    pub is_in_text: bool,
    /// The direction; `None` if the call neither writes nor reads.
    pub direction: Option<Direction>,
    /// The types.
    pub parts: Vec<Part>,
}

/// The comments of a C file: `/* conform: [FUNCTION] out|in|both|none [TYPES] */`, or with `//`, after the call on its
/// line, before it, or alone on the line before.
///
/// # Errors
///
/// Returns an error if a comment that begins with `conform:` is not of this form: its line, and the reason.
pub fn notes(text: &str) -> Result<Vec<Note>, (usize, String)> {
    let mut found = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (number, line) in (1u32..).zip(&lines) {
        let marks = line.match_indices("conform:").map(|(at, mark)| (at, at + mark.len()));
        for (at, end) in marks {
            let before = line[..at].trim_end();
            let Some(before) = before.strip_suffix("/*").or_else(|| before.strip_suffix("//"))
            else {
                continue;
            };
            if is_in_string(before) {
                continue;
            }
            let words = line[end..].split("*/").next().unwrap_or_default();
            let after = &line[end + words.len()..];
            let alone =
                before.trim().is_empty() && after.trim_start_matches("*/").trim().is_empty();
            let own = if alone { number + 1 } else { number };
            let next = usize::try_from(number).ok().and_then(|k| lines.get(k).copied());
            let (before, line) = if alone { ("", next.unwrap_or("")) } else { (before, *line) };
            let mut note = note(words, own).ok_or_else(|| {
                let why = format!(
                    "`conform: {}`: not `[FUNCTION] out|in|both|none [TYPES]`",
                    words.trim()
                );
                (number as usize, why)
            })?;
            note.nth = call_before(before).or_else(|| call_after(line, before.len()));
            note.is_in_text = match &note.callee {
                Some(name) => calls_of(line).iter().any(|(own, _, _)| own == name),
                None => note.nth.is_some(),
            };
            found.push(note);
        }
    }
    Ok(found)
}

/// Returns true if a string literal is open at the end of a text.
fn is_in_string(text: &str) -> bool {
    let (mut quote, mut comment, mut at) = (None, false, 0);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match (bytes[at], quote) {
            _ if comment => comment = !bytes[..=at].ends_with(b"*/"),
            (b'\\', Some(_)) => at += 1,
            (byte, Some(mark)) if byte == mark => quote = None,
            (_, Some(_)) => {}
            (byte @ (b'"' | b'\''), None) => quote = Some(byte),
            (b'/', None) if bytes[at..].starts_with(b"/*") => (comment, at) = (true, at + 1),
            _ => {}
        }
        at += 1;
    }
    quote == Some(b'"')
}

/// Words before an opening bracket that are not calls.
const NO_CALLS: [&str; 7] = ["if", "while", "for", "switch", "return", "sizeof", "do"];

/// Returns the calls in a text: the name, where its brackets open, and where they close. Ignores comments and strings.
fn calls_of(text: &str) -> Vec<(&str, usize, usize)> {
    let (mut open, mut found): (Vec<(Option<&str>, usize)>, _) = (Vec::new(), Vec::new());
    let (mut word, mut quote, mut comment) = (None, None, false);
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if comment {
            comment = !bytes[..=at].ends_with(b"*/");
        } else if let Some(mark) = quote {
            match byte {
                b'\\' => at += 1,
                _ if byte == mark => quote = None,
                _ => {}
            }
        } else if byte.is_ascii_alphanumeric() || byte == b'_' {
            let begin = at;
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                at += 1;
            }
            word = Some(&text[begin..at]);
            continue;
        } else {
            match byte {
                b'"' | b'\'' => quote = Some(byte),
                b'/' if bytes[at..].starts_with(b"//") => break,
                b'/' if bytes[at..].starts_with(b"/*") => {
                    comment = true;
                    at += 1;
                }
                b'(' => open.push((word.filter(|word| !NO_CALLS.contains(word)), at)),
                b')' => {
                    if let Some((Some(name), begin)) = open.pop() {
                        found.push((name, begin, at));
                    }
                }
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                word = None;
            }
        }
        at += 1;
    }
    // A call that goes on in the next line.
    found.extend(open.into_iter().filter_map(|(name, at)| Some((name?, at, text.len()))));
    found
}

/// Returns the position of a call among the calls of the same name.
fn numbered<'t>(
    calls: &[(&'t str, usize, usize)],
    (name, begin, _): (&'t str, usize, usize),
) -> (String, usize) {
    let earlier = calls.iter().filter(|(other, at, _)| *other == name && *at < begin).count();
    (name.to_owned(), earlier)
}

/// The last call that is closed in a text and is not inside another call.
fn call_before(text: &str) -> Option<(String, usize)> {
    let calls = calls_of(text);
    let last = calls.iter().filter(|(_, begin, end)| {
        !calls.iter().any(|(_, first, last)| first < begin && end < last)
    });
    last.max_by_key(|(_, begin, _)| *begin).map(|call| numbered(&calls, *call))
}

/// The first call after a position.
fn call_after(line: &str, from: usize) -> Option<(String, usize)> {
    let calls = calls_of(line);
    let first = calls.iter().filter(|(_, begin, _)| *begin >= from).min_by_key(|call| call.1);
    first.map(|call| numbered(&calls, *call))
}

fn note(text: &str, line: u32) -> Option<Note> {
    let direction = |word: &str| match word {
        "out" => Some(Some(Direction::Out)),
        "in" => Some(Some(Direction::In)),
        "both" => Some(Some(Direction::Both)),
        "none" => Some(None),
        _ => None,
    };
    let mut words = text.split_whitespace();
    let first = words.next()?;
    let (callee, direction) = match direction(first) {
        Some(direction) => (None, direction),
        None => (Some(first.to_owned()), direction(words.next()?)?),
    };
    let parts = Part::sequence(&words.collect::<Vec<_>>().join(" "));
    // A call that neither writes nor reads has no types.
    let is_said = direction.is_some() || parts.is_empty();
    is_said.then_some(Note { line, callee, nth: None, is_in_text: false, direction, parts })
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
                    log(y); // conform: none\n// reports conform: out\n";
        let found = notes(text).unwrap();
        let lines: Vec<u32> = found.iter().map(|note| note.line).collect();
        assert_eq!(lines, [1, 3, 4]);
        assert_eq!(found[1].callee.as_deref(), Some("fwrite"));
        assert!(found[1].parts[0].many);
        assert_eq!(found[2].direction, None);
    }

    #[test]
    fn strings_have_no_comments() {
        let count = |text: &str| notes(text).unwrap().len();
        assert_eq!(count("put(\"/* conform: none */\");"), 0);
        assert_eq!(count("put(\"\\\"// conform: none\");"), 0);
        assert_eq!(count("put('\"'); /* conform: none */"), 1);
        assert_eq!(count("put(\"a\"); /* a \" */ /* conform: none */"), 1);
    }

    #[test]
    fn comments_of_another_form_are_errors() {
        for text in ["nothing", "fwrite wrote x", "none byte", "", "fwrite none byte"] {
            let (line, why) = notes(&format!("\nput(x); /* conform: {text} */\n")).unwrap_err();
            assert_eq!(line, 2);
            assert!(why.ends_with("not `[FUNCTION] out|in|both|none [TYPES]`"), "{why}");
        }
    }

    #[test]
    fn comments_are_about_one_call() {
        let about = |text: &str| {
            let notes = notes(text).unwrap().into_iter();
            notes
                .map(|n| (n.line, n.nth.map(|(name, k)| format!("{name} {k}"))))
                .collect::<Vec<_>>()
        };
        let one = |line: u32, name: &str| vec![(line, Some(name.to_owned()))];
        assert_eq!(about("put(1); log(2); /* conform: none */ put(3);"), one(1, "log 0"));
        assert_eq!(about("put(1); /* conform: none */ put(3);"), one(1, "put 0"));
        assert_eq!(about("put(1); put(2); // conform: none"), one(1, "put 1"));
        assert_eq!(about("/* conform: none */ put(f(1)); put(3);"), one(1, "put 0"));
        assert_eq!(about("x = put(f(1)); /* conform: none */"), one(1, "put 0"));
        assert_eq!(about("  // conform: none\n  if (put(\"(\", '(')) {"), one(2, "put 0"));
        assert_eq!(about("if (é(put(1))) /* conform: none */"), one(1, "put 0"));
        assert_eq!(about("/* conform: none */"), [(2, None)]);
        let both = about("put(1); /* conform: none */ put(2); /* conform: out x */");
        assert_eq!(both, [one(1, "put 0"), one(1, "put 1")].concat());
    }
}
