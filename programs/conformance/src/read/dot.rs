//! Automata as graphs in DOT, read and written.
//!
//! ```dot
//! digraph {
//!     start [shape=point];          // not a state: marks the initial states
//!     start -> a;
//!     b [shape=doublecircle];       // final
//!     a -> b [label="word"];        // without a label, nothing is read
//!     a -> f [label="<"];           // a call
//!     x -> b [label="> a"];         // the return that pops `a`
//! }
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use indexmap::IndexMap;

use crate::automata::nwa::{CALL, Call, Internal, RETURN, Return};
use crate::automata::{Alphabet, Event, Nwa, State};
use crate::error::Error;

/// A word, a quoted text or a mark.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Mark(char),
    Arrow,
}

fn tokens(file: &str, text: &str) -> Result<Vec<(usize, Token)>, Error> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let length = if first == '"' {
            let (word, length) =
                quoted(rest).ok_or_else(|| Error::text(file, line, "a quote is not closed"))?;
            found.push((line, Token::Word(word)));
            length
        } else if rest.starts_with("->") {
            found.push((line, Token::Arrow));
            2
        } else if rest.starts_with("//") || first == '#' {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/")
                .map(|end| end + 2)
                .ok_or_else(|| Error::text(file, line, "a comment is not closed"))?
        } else if first.is_alphanumeric() || "_.-".contains(first) {
            let end = |c: char| !(c.is_alphanumeric() || "_.".contains(c));
            let length = rest[first.len_utf8()..].find(end);
            let length = length.map_or(rest.len(), |length| length + first.len_utf8());
            found.push((line, Token::Word(rest[..length].to_owned())));
            length
        } else if first.is_whitespace() {
            first.len_utf8()
        } else if "{}[]=;,".contains(first) {
            found.push((line, Token::Mark(first)));
            1
        } else {
            return Err(Error::text(file, line, format!("`{first}` is not expected here")));
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    Ok(found)
}

/// The text of a quoted word, and its length with the quotes.
fn quoted(text: &str) -> Option<(String, usize)> {
    let mut word = String::new();
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => {
                if c != '"' && c != '\\' {
                    word.push('\\');
                }
                word.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return Some((word, at + 1)),
            _ => word.push(c),
        }
    }
    None
}

type Attributes = Vec<(String, String)>;

/// A statement: nodes joined by arrows, with attributes.
struct Statement {
    line: usize,
    nodes: Vec<String>,
    attributes: Attributes,
}

fn statements(file: &str, tokens: &[(usize, Token)]) -> Result<Vec<Statement>, Error> {
    let line_of = |k: usize| tokens.get(k).or(tokens.last()).map_or(1, |t| t.0);
    let Some(open) = tokens.iter().position(|t| t.1 == Token::Mark('{')) else {
        return Err(Error::text(file, 1, "`digraph { .. }` expected"));
    };
    if tokens[0].1 != Token::Word("digraph".to_owned()) {
        return Err(Error::text(file, line_of(0), "`digraph { .. }` expected"));
    }
    let mut found = Vec::new();
    let mut k = open + 1;
    loop {
        match tokens.get(k).map(|t| &t.1) {
            Some(Token::Mark('}')) => return Ok(found),
            Some(Token::Mark(';')) => k += 1,
            Some(Token::Word(name)) => {
                let line = tokens[k].0;
                let mut nodes = vec![name.clone()];
                k += 1;
                while let [(_, Token::Arrow), (_, Token::Word(next)), ..] = &tokens[k..] {
                    nodes.push(next.clone());
                    k += 2;
                }
                let mut attributes = Attributes::new();
                if tokens.get(k).map(|t| &t.1) == Some(&Token::Mark('=')) {
                    // `rankdir=LR`: of no meaning here.
                    k += 2;
                    continue;
                }
                if tokens.get(k).map(|t| &t.1) == Some(&Token::Mark('[')) {
                    k += 1;
                    while let [
                        (_, Token::Word(key)),
                        (_, Token::Mark('=')),
                        (_, Token::Word(value)),
                        ..,
                    ] = &tokens[k..]
                    {
                        attributes.push((key.clone(), value.clone()));
                        k += 3;
                        if tokens.get(k).map(|t| &t.1) == Some(&Token::Mark(',')) {
                            k += 1;
                        }
                    }
                    if tokens.get(k).map(|t| &t.1) != Some(&Token::Mark(']')) {
                        return Err(Error::text(file, line_of(k), "`]` expected"));
                    }
                    k += 1;
                }
                found.push(Statement { line, nodes, attributes });
            }
            _ => return Err(Error::text(file, line_of(k), "a node or `}` expected")),
        }
    }
}

/// Reads an automaton.
///
/// # Errors
///
/// Returns an error if the text is not of this form; the error has the file's name and a line.
pub fn read(file: &str, text: &str, alphabet: &mut Alphabet) -> Result<Nwa, Error> {
    let statements = statements(file, &tokens(file, text)?)?;
    let value = |statement: &Statement, key: &str| {
        let found = statement.attributes.iter().find(|(k, _)| k == key);
        found.map(|(_, value)| value.clone())
    };
    let points: BTreeSet<&str> = statements
        .iter()
        .filter(|s| value(s, "shape").as_deref() == Some("point"))
        .map(|s| s.nodes[0].as_str())
        .collect();
    let mut nwa = Nwa::default();
    let mut states: IndexMap<String, State> = IndexMap::new();
    let mut state = |nwa: &mut Nwa, name: &str| -> State {
        *states.entry(name.to_owned()).or_insert_with(|| nwa.add_state(name))
    };
    // Nodes that have statements of their own, and the places where other nodes are first named.
    let mut declared: BTreeSet<String> = BTreeSet::new();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    let mut popped: Vec<(String, usize)> = Vec::new();
    for statement in &statements {
        for name in &statement.nodes {
            lines.entry(name.clone()).or_insert(statement.line);
        }
        let names: Vec<&str> = statement.nodes.iter().map(String::as_str).collect();
        if names.iter().any(|name| ["node", "edge", "graph", "subgraph"].contains(name)) {
            if names == ["subgraph"] {
                return Err(Error::text(file, statement.line, "subgraphs are not read"));
            }
            continue;
        }
        if let [name] = names[..]
            && !points.contains(name)
        {
            let own = state(&mut nwa, name);
            declared.insert(name.to_owned());
            if value(statement, "shape").as_deref() == Some("doublecircle") {
                nwa.finals.insert(own);
            }
        }
        for pair in names.windows(2) {
            let to = state(&mut nwa, pair[1]);
            if points.contains(pair[0]) {
                nwa.initial.insert(to);
                continue;
            }
            let from = state(&mut nwa, pair[0]);
            let label = value(statement, "label").unwrap_or_default();
            match label.trim().split_once(' ').unwrap_or((label.trim(), "")) {
                ("", "") => nwa.internal.push(Internal { from, on: None, to }),
                (CALL, "") => {
                    let on = alphabet.symbol(Event::any(CALL));
                    nwa.calls.push(Call { from, on, to });
                }
                (RETURN, "") => {
                    let why = "a return pops a state: `> NAME`";
                    return Err(Error::text(file, statement.line, why));
                }
                (RETURN, call) => {
                    let on = alphabet.symbol(Event::any(RETURN));
                    popped.push((call.trim().to_owned(), statement.line));
                    let call = state(&mut nwa, call.trim());
                    nwa.returns.push(Return { from, call, on, to });
                }
                _ => nwa.internal.extend(label.split(',').map(|event| {
                    let on = Some(alphabet.symbol(Event::parse(event.trim())));
                    Internal { from, on, to }
                })),
            }
        }
    }
    checked(file, nwa, &declared, &lines, &popped)
}

/// Returns the automaton, unless it is probably a mistake.
fn checked(
    file: &str,
    nwa: Nwa,
    declared: &BTreeSet<String>,
    lines: &BTreeMap<String, usize>,
    popped: &[(String, usize)],
) -> Result<Nwa, Error> {
    if nwa.initial.is_empty() {
        let why = "no initial state: an edge from a node of `shape=point` marks one";
        return Err(Error::text(file, 1, why));
    }
    if nwa.finals.is_empty() {
        let why = "no final state, so nothing is accepted: `NAME [shape=doublecircle];` is one";
        return Err(Error::text(file, 1, why));
    }
    for (call, line) in popped {
        if !nwa.calls.iter().any(|own| nwa.names[own.from as usize] == *call) {
            let why = format!("no call is from `{call}`, to which a return belongs");
            return Err(Error::text(file, *line, why));
        }
    }
    if let Some((name, why)) = super::stray(&nwa, declared) {
        let line = lines.get(&name).copied().unwrap_or(1);
        return Err(Error::text(file, line, why));
    }
    Ok(nwa)
}

/// Writes an automaton in the form that [`read`] reads.
pub fn write(title: &str, automaton: &Nwa, alphabet: &Alphabet) -> String {
    let quote = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let name = |state: State| quote(&automaton.names[state as usize]);
    let mut text = format!("digraph {} {{\n    rankdir=LR;\n", quote(title));
    text.push_str("    node [shape=circle];\n    \"\" [shape=point];\n");
    for (number, own) in (0..).zip(&automaton.names) {
        let shape = if automaton.finals.contains(&number) { " [shape=doublecircle]" } else { "" };
        let _ = writeln!(text, "    {}{shape};", quote(own));
    }
    for state in &automaton.initial {
        let _ = writeln!(text, "    \"\" -> {};", name(*state));
    }
    for t in &automaton.internal {
        let label = t.on.map(|on| quote(&alphabet.event(on).to_string()));
        let label = label.map(|label| format!(" [label={label}]")).unwrap_or_default();
        let _ = writeln!(text, "    {} -> {}{label};", name(t.from), name(t.to));
    }
    for t in &automaton.calls {
        let _ =
            writeln!(text, "    {} -> {} [label=\"<\", style=dashed];", name(t.from), name(t.to));
    }
    for t in &automaton.returns {
        let label = quote(&format!("> {}", automaton.names[t.call as usize]));
        let _ =
            writeln!(text, "    {} -> {} [label={label}, style=dotted];", name(t.from), name(t.to));
    }
    text.push_str("}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::automata::Alphabet;

    #[test]
    fn automata_that_cannot_be_meant_are_errors_with_a_line() {
        let good = "digraph {\n s [shape=point];\n s -> a;\n b [shape=doublecircle];\n \
                    a -> b [label=\"byte\"];\n b -> f [label=\"<\"];\n f -> b [label=\"> b\"];\n}\n";
        let said = |text: &str| {
            let read = read("a.dot", text, &mut Alphabet::default());
            read.map(|_| ()).map_err(|e| e.to_string())
        };
        assert_eq!(said(good), Ok(()));
        for (from, to, why) in [
            ("s -> a", "s -> aa", "3: state `aa` has no edge to go on, and is not final"),
            ("b [shape", "bb [shape", "4: the final state `bb` is in no edge"),
            ("a -> b", "a -> bb", "5: state `bb` has no edge to go on, and is not final"),
            ("> b", "> c", "7: no call is from `c`"),
            ("doublecircle", "doublecirle", "1: no final state"),
            ("shape=point", "shape=pint", "1: no initial state"),
        ] {
            let text = good.replace(from, to);
            let found = said(&text).unwrap_err();
            assert!(found.starts_with(&format!("a.dot:{why}")), "{found}");
        }
        // A single state is both initial and final.
        assert_eq!(said("digraph { s [shape=point]; s -> a; a [shape=doublecircle]; }"), Ok(()));
    }
}
