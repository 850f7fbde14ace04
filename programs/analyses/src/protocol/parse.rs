//! Parses formulas that another analysis wrote. Everything except a formula of the protocol is an error.

use super::formula::{Dereference, Formula, Interpretation, Relation, Term};

/// The maximum length of a formula's text, in bytes.
const LONGEST: usize = 1 << 20;
/// The maximum nesting depth of a formula.
const DEEPEST: usize = 100;

/// A list, or a word.
enum Tree<'t> {
    Word(&'t str),
    List(Vec<Tree<'t>>),
}

/// Reads a formula.
///
/// # Errors
/// Returns an error if the text is not a formula of the protocol. The message states the reason.
pub fn formula(text: &str) -> Result<Formula, String> {
    of(&whole(text)?)
}

/// Reads a dereference.
///
/// # Errors
/// Returns an error if the text is not a dereference.
pub fn dereference(text: &str) -> Result<Dereference, String> {
    match term(&whole(text)?)? {
        Term::Dereference(found) => Ok(found),
        _ => Err("no dereference".to_owned()),
    }
}

fn whole(text: &str) -> Result<Tree<'_>, String> {
    if text.len() > LONGEST {
        return Err("the formula is too long".to_owned());
    }
    let mut rest = text;
    let tree = tree(&mut rest, 0)?;
    if rest.trim_start().is_empty() { Ok(tree) } else { Err("text follows the formula".to_owned()) }
}

fn tree<'t>(rest: &mut &'t str, depth: usize) -> Result<Tree<'t>, String> {
    *rest = rest.trim_start();
    if depth > DEEPEST {
        return Err("the formula nests too deep".to_owned());
    }
    if let Some(inner) = rest.strip_prefix('(') {
        *rest = inner;
        let mut list = Vec::new();
        loop {
            *rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix(')') {
                *rest = after;
                return Ok(Tree::List(list));
            }
            list.push(tree(rest, depth + 1)?);
        }
    }
    let end = rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len());
    if end == 0 {
        return Err("the formula is not complete".to_owned());
    }
    let (word, after) = rest.split_at(end);
    *rest = after;
    Ok(Tree::Word(word))
}

fn of(tree: &Tree<'_>) -> Result<Formula, String> {
    let list = match tree {
        Tree::Word("true") => return Ok(Formula::True),
        Tree::Word("false") => return Ok(Formula::False),
        Tree::Word(word) => return Err(format!("`{word}` is no formula")),
        Tree::List(list) => list,
    };
    let Some((Tree::Word(name), parts)) = list.split_first() else {
        return Err("a list without an operator".to_owned());
    };
    let all = || parts.iter().map(of).collect::<Result<Vec<_>, _>>();
    match *name {
        "and" => return Ok(Formula::And(all()?)),
        "or" => return Ok(Formula::Or(all()?)),
        "not" => {
            let [inner] = parts else { return Err("`not` has one operand".to_owned()) };
            return Ok(Formula::Not(Box::new(of(inner)?)));
        }
        "=>" => {
            let [a, b] = parts else { return Err("`=>` has two operands".to_owned()) };
            return Ok(Formula::Or(vec![Formula::Not(Box::new(of(a)?)), of(b)?]));
        }
        _ => {}
    }
    let [a, b] = parts else { return Err(format!("`{name}` has two operands")) };
    let relation = match *name {
        "=" | "distinct" => Relation::Equal,
        "<=" => Relation::LessEqual,
        "<" => Relation::Less,
        ">=" => Relation::GreaterEqual,
        ">" => Relation::Greater,
        _ => return Err(format!("`{name}` is no operator")),
    };
    let compare = Formula::Compare(relation, term(a)?, term(b)?);
    Ok(if *name == "distinct" { Formula::Not(Box::new(compare)) } else { compare })
}

fn term(tree: &Tree<'_>) -> Result<Term, String> {
    let list = match tree {
        Tree::Word(word) => {
            let number = word.parse().ok().filter(|_| word.bytes().all(|b| b.is_ascii_digit()));
            return number.map(Term::Number).ok_or_else(|| format!("`{word}` is no number"));
        }
        Tree::List(list) => list,
    };
    let Some((Tree::Word(name), parts)) = list.split_first() else {
        return Err("a list without an operator".to_owned());
    };
    // The minimum cannot be written as the negation of a positive number.
    if let ("-", [Tree::Word(word)]) = (*name, parts)
        && word.bytes().all(|b| b.is_ascii_digit())
    {
        let number = format!("-{word}").parse().map(Term::Number);
        return number.map_err(|_| format!("`(- {word})` is no number of 128 bits"));
    }
    let parts = parts.iter().map(term).collect::<Result<Vec<_>, _>>()?;
    if let Some(ty) = Interpretation::named(name) {
        let Ok([segment, offset]) = <[Term; 2]>::try_from(parts) else {
            return Err(format!("`{name}` has a segment and an offset"));
        };
        return Ok(Term::Dereference(Dereference {
            segment: Box::new(segment),
            offset: Box::new(offset),
            ty,
        }));
    }
    match (*name, parts.as_slice()) {
        ("-", [Term::Number(n)]) => {
            n.checked_neg().map(Term::Number).ok_or_else(|| "no number of 128 bits".to_owned())
        }
        (_, []) => Err(format!("`{name}` without operands")),
        ("+", _) => Ok(Term::Add(parts)),
        ("-", _) => Ok(Term::Subtract(parts)),
        ("*", _) => Ok(Term::Multiply(parts)),
        _ => Err(format!("`{name}` is no operator")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_read_as_they_are_written() {
        for text in [
            "true",
            "(and (<= (i32 3 0) 7) (or (= (u8 1 4) (- 2)) (not (> (+ (i32 3 0) 1) (* 2 (i64 4 8))))))",
            "(and (>= (i128 1 0) (- 170141183460469231731687303715884105728)) \
             (<= (i128 1 0) 170141183460469231731687303715884105727))",
            "(= (i32 (seg 1 0) (+ (off 1 0) 12)) (- (i32 3 0) 1))",
        ] {
            assert_eq!(formula(text).expect("it is one").to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_an_error() {
        let deep = "(not ".repeat(5_000) + "true";
        for text in [
            "",
            "(",
            ")",
            "maybe",
            "(and",
            "(= 1)",
            "(= x 1)",
            "(forall ((x Int)) true)",
            "(= (i32 1) 1)",
            "true true",
            "(<= 1 99999999999999999999999999999999999999999999)",
            "()",
            "(())",
            "(= -1 1)",
            "(= 1 (- 170141183460469231731687303715884105729))",
            "(= 1 (- (- 170141183460469231731687303715884105728)))",
            &deep,
        ] {
            assert!(formula(text).is_err(), "{text}");
        }
    }
}
