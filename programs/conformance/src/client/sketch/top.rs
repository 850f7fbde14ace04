//! Reads the outer level of a file: definitions of functions, enumerations, and the scopes that contain them.

use std::collections::BTreeMap;
use std::ops::Range;

use super::tree::{KEYWORDS, integer};
use super::words::{Word, behind};

/// A function: name, parameters, and the tokens of its body without the brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The position of the name.
    pub name: usize,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The body.
    pub body: Range<usize>,
}

/// Finds the functions; constants of enumerations are added to `constants`.
pub fn definitions(words: &[Word<'_>], constants: &mut BTreeMap<String, i128>) -> Vec<Definition> {
    let mut found = Vec::new();
    let (mut at, mut start) = (0, 0);
    // The last bracket group on this level.
    let mut group: Option<Range<usize>> = None;
    while at < words.len() {
        match words[at].text {
            "(" | "[" => {
                let end = behind(words, at);
                // A macro may have brackets before the name, and a constructor after a colon.
                let colon = words[start..at].iter().any(|w| w.text == ":");
                let named = at > 0 && words[at - 1].is_name();
                if words[at].text == "(" && (group.is_none() || (named && !colon)) {
                    group = Some(at..end);
                }
                at = end;
                continue;
            }
            "{" => {
                let before = &words[start..at];
                let is = |text: &str| before.iter().any(|w| w.text == text);
                let function = group.clone().filter(|group| {
                    let name = group.start.checked_sub(1).map(|k| &words[k]);
                    name.is_some_and(|n| n.is_name() && !CONTROL.contains(&n.text)) && !is("=")
                });
                let end = behind(words, at);
                if let Some(group) = function {
                    let (name, inside) = (group.start - 1, group.start + 1..group.end - 1);
                    let parameters = parameters(words, inside);
                    let body = at + 1..end.saturating_sub(1).max(at + 1);
                    found.push(Definition { name, parameters, body });
                } else if is("enum") {
                    enumeration(&words[at + 1..end.saturating_sub(1).max(at + 1)], constants);
                } else if ["class", "namespace", "struct", "extern"].iter().any(|w| is(w))
                    && !is("=")
                {
                    // Declarations inside are on the outer level, too.
                    at += 1;
                    (start, group) = (at, None);
                    continue;
                }
                at = end;
                if words.get(at).is_none_or(|next| next.text != ";") {
                    (start, group) = (at, None);
                }
                continue;
            }
            ";" | "}" => (start, group) = (at + 1, None),
            _ => {}
        }
        at += 1;
    }
    found
}

const CONTROL: [&str; 6] = ["if", "for", "while", "switch", "return", "catch"];

/// The last name of each parameter.
fn parameters(words: &[Word<'_>], inside: Range<usize>) -> Vec<String> {
    let mut found = Vec::new();
    let (mut at, mut last) = (inside.start, None);
    while at < inside.end {
        match words[at].text {
            // In a pointer to a function, the name is in the first bracket and the parameters follow.
            "(" | "[" | "{" => {
                let end = behind(words, at);
                if words[at].text == "(" && words.get(at + 1).is_some_and(|w| w.text == "*") {
                    last = words.get(at + 2).filter(|w| w.is_name());
                }
                at = end;
                continue;
            }
            "," => found.push(last.take()),
            "=" => {
                while at < inside.end && words[at].text != "," {
                    at += 1;
                }
                continue;
            }
            _ if words[at].is_name() => last = Some(&words[at]),
            _ => {}
        }
        at += 1;
    }
    found.push(last);
    let name = |w: &Word<'_>| (!KEYWORDS.contains(&w.text)).then(|| w.text.to_owned());
    let names = found.iter().map(|last| last.and_then(name).unwrap_or_default());
    let names: Vec<String> = names.collect();
    if names.len() == 1 && names[0].is_empty() { Vec::new() } else { names }
}

/// Numbers the constants of an enumeration.
fn enumeration(words: &[Word<'_>], constants: &mut BTreeMap<String, i128>) {
    let mut next = Some(0);
    for item in words.split(|w| w.text == ",") {
        let Some(name) = item.first().filter(|w| w.is_name()) else { continue };
        if item.get(1).is_some_and(|w| w.text == "=") {
            next = match item.get(2..) {
                Some([only]) => integer(only.text).or_else(|| constants.get(only.text).copied()),
                _ => None,
            };
        }
        if let Some(value) = next {
            constants.insert(name.text.to_owned(), value);
            next = Some(value + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    #[test]
    fn functions_of_c_and_cpp() {
        let text = "enum E { A, B = 4, C }; struct s { int x; }; static int f(int *a, char b[2]) { {} }\n\
                    int t[] = { 1, 2 }; extern \"C\" { void g(void) { } }\n\
                    bool K::h(int (*p)(int), T<x> & y) const { return true; } D(int) k(int z) { } X::X() : a(1), b(2) { }";
        let words = words(text);
        let mut constants = BTreeMap::new();
        let found = definitions(&words, &mut constants);
        let of = |d: &Definition| (words[d.name].text.to_owned(), d.parameters.join(" "));
        let found: Vec<_> = found.iter().map(of).collect();
        let wanted = [("f", "a b"), ("g", ""), ("h", "p y"), ("k", "z"), ("X", "")];
        assert_eq!(found, wanted.map(|(n, p)| (n.to_owned(), p.to_owned())));
        assert_eq!(constants["C"], 5);
        for broken in ["{", "f(", "f(){", "}", "enum {", "enum { A =", "f(,){}", "(){}"] {
            definitions(&super::super::words::words(broken), &mut BTreeMap::new());
        }
    }
}
