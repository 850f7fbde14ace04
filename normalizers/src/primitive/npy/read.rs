//! Reads an npy file.

use inverter::primitive::PrimitiveError;

use super::model::{Npy, TYPES};

/// Words of a Python literal.
#[derive(Debug, PartialEq)]
enum Word<'a> {
    /// One of `{ } ( ) : ,`, or 0 at the end.
    Mark(u8),
    Text(&'a str),
    Name(&'a str),
    Number(u64),
}

struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    fn take(&mut self, length: usize) -> &'a str {
        let (word, rest) = self.0.split_at(length);
        self.0 = rest;
        word
    }

    fn next(&mut self) -> Result<Word<'a>, PrimitiveError> {
        self.0 = self.0.trim_start_matches([' ', '\t', '\n']);
        let Some(first) = self.0.bytes().next() else { return Ok(Word::Mark(0)) };
        let run = |of: fn(&u8) -> bool| self.0.bytes().take_while(of).count();
        match first {
            b'{' | b'}' | b'(' | b')' | b':' | b',' => {
                self.take(1);
                Ok(Word::Mark(first))
            }
            b'\'' | b'"' => {
                self.take(1);
                let length = self.0.bytes().position(|b| b == first || b == b'\\' || b == b'\n');
                let text = self.take(length.unwrap_or(0));
                match self.0.as_bytes().first() {
                    Some(end) if *end == first => {
                        self.take(1);
                        Ok(Word::Text(text))
                    }
                    _ => Err("a string of the header does not end".into()),
                }
            }
            b'0'..=b'9' => {
                let digits = run(u8::is_ascii_digit);
                let digits = self.take(digits);
                let number = digits.parse().ok().filter(|_| digits == "0" || first != b'0');
                number.map(Word::Number).ok_or_else(|| format!("the number {digits}").into())
            }
            _ => {
                let letters = run(u8::is_ascii_alphabetic);
                if letters == 0 {
                    return Err(format!("the character {:?}", char::from(first)).into());
                }
                Ok(Word::Name(self.take(letters)))
            }
        }
    }

    fn mark(&mut self, mark: u8) -> Result<(), PrimitiveError> {
        match self.next()? {
            Word::Mark(found) if found == mark => Ok(()),
            other => Err(unexpected(&other)),
        }
    }

    /// Consumes a comma, or the mark that ends a list; returns true for the latter.
    fn ends(&mut self, end: u8) -> Result<bool, PrimitiveError> {
        match self.next()? {
            Word::Mark(b',') => Ok(false),
            Word::Mark(found) if found == end => Ok(true),
            other => Err(unexpected(&other)),
        }
    }

    fn shape(&mut self) -> Result<Vec<u64>, PrimitiveError> {
        self.mark(b'(')?;
        let mut shape = Vec::new();
        loop {
            match self.next()? {
                Word::Number(n) => shape.push(n),
                Word::Mark(b')') => return Ok(shape),
                other => return Err(unexpected(&other)),
            }
            if self.ends(b')')? {
                // In Python, one number in parentheses is a number.
                return if shape.len() > 1 {
                    Ok(shape)
                } else {
                    Err(unexpected(&Word::Mark(b')')))
                };
            }
        }
    }
}

fn unexpected(word: &Word<'_>) -> PrimitiveError {
    let word = match word {
        Word::Mark(0) => "end".to_owned(),
        Word::Mark(mark) => char::from(*mark).to_string(),
        Word::Text(text) | Word::Name(text) => (*text).to_owned(),
        Word::Number(n) => n.to_string(),
    };
    format!("the word {word} of the header is not expected there").into()
}

/// The values of the header's keys.
#[derive(Default)]
struct Header<'a> {
    descr: Option<&'a str>,
    fortran: Option<bool>,
    shape: Option<Vec<u64>>,
}

fn header(text: &str) -> Result<Header<'_>, PrimitiveError> {
    let mut words = Words(text);
    let mut header = Header::default();
    words.mark(b'{')?;
    loop {
        let key = match words.next()? {
            Word::Text(key) => key,
            Word::Mark(b'}') => break,
            other => return Err(unexpected(&other)),
        };
        words.mark(b':')?;
        let again = match key {
            "descr" => match words.next()? {
                Word::Text(text) => header.descr.replace(text).is_some(),
                other => return Err(unexpected(&other)),
            },
            "fortran_order" => match words.next()? {
                Word::Name("True") => header.fortran.replace(true).is_some(),
                Word::Name("False") => header.fortran.replace(false).is_some(),
                other => return Err(unexpected(&other)),
            },
            "shape" => header.shape.replace(words.shape()?).is_some(),
            _ => return Err(format!("the key {key} is not known").into()),
        };
        if again {
            return Err(format!("the key {key} stands there twice").into());
        }
        if words.ends(b'}')? {
            break;
        }
    }
    match words.next()? {
        Word::Mark(0) => Ok(header),
        _ => Err("there is something behind the dictionary".into()),
    }
}

/// Returns the kind, the size and the byte order of a type.
fn parse_type(descr: &str) -> Option<(u8, u8, u8)> {
    let (order, code) = descr.as_bytes().split_first()?;
    let known = TYPES.iter().find(|(kind, size, character)| match code {
        [one] => one == character,
        [first, digit] => first == kind && *digit == b'0' + size,
        _ => false,
    });
    let (kind, size, _) = *known?;
    match order {
        b'<' => Some((kind, size, 0)),
        b'>' => Some((kind, size, u8::from(size > 1))),
        b'|' if size == 1 => Some((kind, size, 0)),
        _ => None,
    }
}

/// Reads the array in a file; it may have at most `most` bytes.
pub(super) fn read(file: &[u8], most: usize) -> Result<Npy, PrimitiveError> {
    let rest = file.strip_prefix(b"\x93NUMPY").ok_or("the magic string is not that of npy")?;
    let cut = || "the header is cut off".to_owned();
    let (length, rest) = match rest {
        [1, 0, a, b, rest @ ..] => (u16::from_le_bytes([*a, *b]).into(), rest),
        [2 | 3, 0, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        _ => return Err("the version is none of 1.0, 2.0 and 3.0".into()),
    };
    let (text, elements) = rest.split_at_checked(length).ok_or_else(cut)?;
    if text.last() != Some(&b'\n') {
        return Err("the header has no line end at its end".into());
    }
    let text = str::from_utf8(text).ok().filter(|text| text.is_ascii());
    let header = header(text.ok_or("the header is not ASCII")?)?;
    let descr = header.descr.ok_or("the header has no descr")?;
    let shape = header.shape.ok_or("the header has no shape")?;
    let fortran = u8::from(header.fortran.ok_or("the header has no fortran_order")?);
    let other = || format!("the type {descr:?} is not that of plain numbers");
    let (kind, size, big) = parse_type(descr).ok_or_else(other)?;
    if elements.len() > most {
        return Err(PrimitiveError::of_size());
    }
    let count = |n: u64| u32::try_from(n).map_err(|_| format!("{n} elements are too many"));
    let [rows, columns] = match shape[..] {
        [] => [1, 1],
        [rows] => [count(rows)?, 1],
        [rows, columns] => [count(rows)?, count(columns)?],
        _ => return Err(format!("there are {} dimensions", shape.len()).into()),
    };
    let dims = shape.len() as u8;
    let npy = Npy { kind, size, big, fortran, dims, rows, columns, elements: elements.to_vec() };
    npy.check()?;
    Ok(npy)
}
