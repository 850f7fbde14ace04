//! The text format of OpenNWA: sets of states and symbols, and of transitions by kind.
//!
//! ```text
//! Q: { a (=4), b (=5) }  Q0: { a (=4) }  Qf: { b (=5) }  Sigma: { word, byte }
//! Delta_c: { (a (=4), call, b (=5)) }  Delta_i: { (a (=4), *, b (=5)) }
//! Delta_r: { (b (=5), a (=4), return, a (=4)) }
//! ```
//!
//! `*` stands for no symbol; the transition reads nothing. A return consists of the state before it, the state that it
//! pops, the symbol, and the state after it.

use indexmap::IndexMap;

use crate::automata::nwa::{Call, Internal, Return};
use crate::automata::{Alphabet, Event, Nwa, State, Symbol};
use crate::error::Error;

/// A word or a mark, with its line.
type Token<'a> = (usize, &'a str);

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let mut rest = line;
        while let Some(first) = rest.trim_start().chars().next() {
            rest = rest.trim_start();
            let length = if "{}(),:".contains(first) {
                first.len_utf8()
            } else {
                let end = |c: char| c.is_whitespace() || "{}(),:".contains(c);
                rest.find(end).unwrap_or(rest.len())
            };
            found.push((number + 1, &rest[..length]));
            rest = &rest[length..];
        }
    }
    found
}

struct Parser<'a, 'b> {
    file: &'b str,
    tokens: Vec<Token<'a>>,
    next: usize,
    states: IndexMap<String, State>,
}

impl<'a> Parser<'a, '_> {
    fn error(&self, why: impl Into<String>) -> Error {
        let line = self.tokens.get(self.next).or(self.tokens.last()).map_or(1, |t| t.0);
        Error::text(self.file, line, why)
    }

    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.next).map(|t| t.1)
    }

    fn take(&mut self) -> Result<&'a str, Error> {
        let token = self.peek().ok_or_else(|| self.error("the text ends early"))?;
        self.next += 1;
        Ok(token)
    }

    fn expect(&mut self, wanted: &str) -> Result<(), Error> {
        if self.peek() != Some(wanted) {
            let found = self.peek().unwrap_or("the end");
            return Err(self.error(format!("`{wanted}` expected, not `{found}`")));
        }
        self.next += 1;
        Ok(())
    }

    /// A name. For a state, its number follows.
    fn name(&mut self) -> Result<String, Error> {
        let name = self.take()?.to_owned();
        if self.peek() == Some("(") {
            self.next += 1;
            self.take()?;
            self.expect(")")?;
        }
        Ok(name)
    }

    /// The names or tuples of names between braces.
    fn set(&mut self) -> Result<Vec<Vec<String>>, Error> {
        self.expect("{")?;
        let mut rows = Vec::new();
        while self.peek() != Some("}") {
            if self.peek() == Some("(") {
                self.next += 1;
                let mut row = vec![self.name()?];
                while self.peek() == Some(",") {
                    self.next += 1;
                    row.push(self.name()?);
                }
                self.expect(")")?;
                rows.push(row);
            } else {
                rows.push(vec![self.name()?]);
            }
            if self.peek() == Some(",") {
                self.next += 1;
            }
        }
        self.next += 1;
        Ok(rows)
    }

    fn state(&self, name: &str) -> Result<State, Error> {
        let known = self.states.get(name).copied();
        known.ok_or_else(|| self.error(format!("`{name}` is not a state of Q")))
    }
}

/// Reads an automaton.
///
/// # Errors
///
/// Returns an error if the text is not of this format; the error has the file's name and a line.
pub fn read(file: &str, text: &str, alphabet: &mut Alphabet) -> Result<Nwa, Error> {
    let mut parser = Parser { file, tokens: tokens(text), next: 0, states: IndexMap::new() };
    let mut nwa = Nwa::default();
    while parser.peek().is_some() {
        let title = parser.take()?;
        parser.expect(":")?;
        let rows = parser.set()?;
        if title == "Q" {
            for row in rows {
                let name = row.concat();
                let state = nwa.add_state(name.clone());
                parser.states.insert(name, state);
            }
            continue;
        }
        section(&mut nwa, &parser, title, &rows, alphabet)?;
    }
    if nwa.is_empty() {
        return Err(parser.error("no state: `Q: { .. }` is missing"));
    }
    Ok(nwa)
}

fn section(
    nwa: &mut Nwa,
    parser: &Parser<'_, '_>,
    title: &str,
    rows: &[Vec<String>],
    alphabet: &mut Alphabet,
) -> Result<(), Error> {
    let mut symbol = |name: &str| -> Option<Symbol> {
        (name != "*").then(|| alphabet.symbol(Event::parse(name)))
    };
    for row in rows {
        let words: Vec<&str> = row.iter().map(String::as_str).collect();
        match (title, &words[..]) {
            ("Q0", [state]) => drop(nwa.initial.insert(parser.state(state)?)),
            ("Qf", [state]) => drop(nwa.finals.insert(parser.state(state)?)),
            ("Sigma", [name]) => drop(symbol(name)),
            ("Delta_i", [from, on, to]) => {
                let (from, to) = (parser.state(from)?, parser.state(to)?);
                nwa.internal.push(Internal { from, on: symbol(on), to });
            }
            ("Delta_c", [from, on, to]) => {
                let (from, to) = (parser.state(from)?, parser.state(to)?);
                let on = symbol(on).ok_or_else(|| parser.error("a call needs a symbol"))?;
                nwa.calls.push(Call { from, on, to });
            }
            ("Delta_r", [from, call, on, to]) => {
                let (from, call) = (parser.state(from)?, parser.state(call)?);
                let on = symbol(on).ok_or_else(|| parser.error("a return needs a symbol"))?;
                nwa.returns.push(Return { from, call, on, to: parser.state(to)? });
            }
            _ => return Err(parser.error(format!("`{title}` has no rows of {} names", row.len()))),
        }
    }
    Ok(())
}
