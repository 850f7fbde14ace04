//! Automata written by hand in TOML.
//!
//! ```toml
//! initial = "start"
//! final = ["end"]
//! edge = [
//!     { from = "start", on = "word", to = "end" },   # without `on`, nothing is read
//! ]
//! call = [{ from = "start", to = "entry" }]
//! return = [{ from = "exit", call = "start", to = "end" }]
//! ```
//!
//! States need no declaration. `on` may be a list: any of these events.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use serde::Deserialize;

use crate::automata::nwa::{CALL, Call, Internal, RETURN, Return};
use crate::automata::{Alphabet, Event, Nwa, State};
use crate::error::Error;

#[derive(Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Several(Vec<String>),
}

impl Names {
    fn all(&self) -> &[String] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Several(names) => names,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edge {
    from: String,
    on: Option<Names>,
    to: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bracket {
    from: String,
    call: Option<String>,
    to: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    initial: Names,
    #[serde(rename = "final")]
    finals: Names,
    #[serde(default)]
    edge: Vec<Edge>,
    #[serde(default)]
    call: Vec<Bracket>,
    #[serde(default, rename = "return")]
    returns: Vec<Bracket>,
}

/// Parses TOML; errors have a line.
pub(crate) fn document<T: serde::de::DeserializeOwned>(file: &str, text: &str) -> Result<T, Error> {
    toml::from_str(text).map_err(|e| {
        let at = e.span().map_or(0, |span| span.start).min(text.len());
        let line = text.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() + 1;
        Error::text(file, line, e.message().replace('\n', " "))
    })
}

/// Reads an automaton.
///
/// # Errors
///
/// Returns an error if the text is not TOML or not of this form. The error has the file's name and a line.
pub fn read(file: &str, text: &str, alphabet: &mut Alphabet) -> Result<Nwa, Error> {
    let document: Document = document(file, text)?;
    let mut nwa = Nwa::default();
    let mut states: IndexMap<String, State> = IndexMap::new();
    let mut state = |nwa: &mut Nwa, name: &str| -> State {
        *states.entry(name.to_owned()).or_insert_with(|| nwa.add_state(name))
    };
    for name in document.initial.all() {
        let initial = state(&mut nwa, name);
        nwa.initial.insert(initial);
    }
    for edge in &document.edge {
        let (from, to) = (state(&mut nwa, &edge.from), state(&mut nwa, &edge.to));
        match &edge.on {
            None => nwa.internal.push(Internal { from, on: None, to }),
            Some(events) => nwa.internal.extend(events.all().iter().map(|event| {
                let on = Some(alphabet.symbol(Event::parse(event)));
                Internal { from, on, to }
            })),
        }
    }
    for call in &document.call {
        let on = alphabet.symbol(Event::any(CALL));
        let (from, to) = (state(&mut nwa, &call.from), state(&mut nwa, &call.to));
        nwa.calls.push(Call { from, on, to });
    }
    for ret in &document.returns {
        state(&mut nwa, &ret.to);
    }
    // With a misspelled state anything could be proved, because the automaton would accept less.
    let wrong = |name: &str, why: String| {
        let quoted = [format!("\"{name}\""), format!("'{name}'")];
        let names = |line: &str| quoted.iter().any(|quoted| line.contains(quoted));
        Error::text(file, text.lines().position(names).unwrap_or(0) + 1, why)
    };
    for ret in &document.returns {
        let Some(call) = &ret.call else {
            return Err(Error::text(file, 1, format!("the return to `{}` has no `call`", ret.to)));
        };
        if !document.call.iter().any(|own| own.from == *call) {
            let why = format!("no call is from `{call}`, to which a return belongs");
            return Err(wrong(call, why));
        }
        let Some(from) = states.get(&ret.from) else {
            let why = format!("a return is from `{}`, which is in no edge", ret.from);
            return Err(wrong(&ret.from, why));
        };
        let on = alphabet.symbol(Event::any(RETURN));
        let (call, to) = (states[call], states[&ret.to]);
        nwa.returns.push(Return { from: *from, call, on, to });
    }
    if document.finals.all().is_empty() {
        return Err(Error::text(file, 1, "no state is final, so nothing is accepted"));
    }
    for name in document.finals.all() {
        let Some(last) = states.get(name) else {
            return Err(wrong(name, format!("the final state `{name}` is in no edge")));
        };
        nwa.finals.insert(*last);
    }
    if let Some((name, why)) = super::stray(&nwa, &BTreeSet::new()) {
        return Err(wrong(&name, why));
    }
    Ok(nwa)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::automata::Alphabet;

    #[test]
    fn misspelled_states_are_errors_with_a_line() {
        let edges = "edge = [{ from = \"a\", on = \"byte\", to = \"b\" }]\n";
        let call = "call = [{ from = \"b\", to = \"a\" }]\n";
        for (more, why) in [
            ("final = [\"nope\"]\n", "3: the final state `nope` is in no edge"),
            ("final = []\n", "1: no state is final"),
            (
                "final = [\"b\"]\nreturn = [{ from = \"b\", call = \"zz\", to = \"b\" }]\n",
                "4: no call is from `zz`",
            ),
            (
                "final = [\"b\"]\nreturn = [{ from = \"q\", call = \"b\", to = \"b\" }]\n",
                "4: a return is from `q`",
            ),
        ] {
            let text = format!("initial = \"a\"\n{edges}{more}{call}");
            let said = read("h.toml", &text, &mut Alphabet::default()).unwrap_err().to_string();
            assert!(said.starts_with(&format!("h.toml:{why}")), "{said}");
        }
        let text = "initial = 'a'\nedge = [{ from = 'a', on = 'x', to = 'b' },\n{ from = 'bb', on = 'x', to = 'a' }]\n\
                    final = ['b']\n";
        let said = read("h.toml", text, &mut Alphabet::default()).unwrap_err().to_string();
        assert_eq!(said, "h.toml:3: state `bb` is not initial, and no edge leads to it");
        let text = format!("initial = \"a\"\n{edges}final = [\"b\"]\n{call}");
        assert!(read("h.toml", &text, &mut Alphabet::default()).is_ok());
    }
}
