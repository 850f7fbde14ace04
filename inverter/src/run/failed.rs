//! The message of a condition that fails: the value found, and the values that would satisfy it.

use std::collections::BTreeSet;

use crate::program::print::Show;
use crate::program::{Cmp, Expr, Pred, Program, Ref, Side};

/// The maximum number of values that are listed.
const MOST: usize = 12;
/// The maximum number of parts of a condition whose values are listed.
const PARTS: usize = 3;

/// Describes the failure of a condition: `kind is 2; it must be 0, 1 or 3`. `value` returns the value
/// of an expression, if it has one.
pub fn condition(
    program: &Program,
    p: &Pred,
    value: &mut dyn FnMut(&Expr) -> Option<i128>,
) -> String {
    let p = failing_part(p, value);
    if let Some(message) = one_quantity(program, p, value) {
        return message;
    }
    let mut found: Vec<String> = Vec::new();
    p.refs(&mut |r| {
        let text = part(program, r, value);
        if !found.contains(&text) {
            found.push(text);
        }
    });
    let text = Show(program, p).to_string();
    let more = if found.len() > PARTS { ", …" } else { "" };
    found.truncate(PARTS);
    match found.is_empty() {
        true => format!("{text} does not hold"),
        false => format!("{text} does not hold: {}{more}", found.join(", ")),
    }
}

/// `x.kind is 2`
fn part(program: &Program, r: &Ref, value: &mut dyn FnMut(&Expr) -> Option<i128>) -> String {
    let e = Expr::Ref(r.clone());
    match value(&e) {
        Some(n) => format!("{} is {n}", name(program, &e, value)),
        None => format!("{} has no value", Show(program, &e)),
    }
}

/// Returns the first conjunct that does not hold.
fn failing_part<'p>(p: &'p Pred, value: &mut dyn FnMut(&Expr) -> Option<i128>) -> &'p Pred {
    let Pred::And(ps) = p else { return p };
    match ps.iter().find(|p| holds(p, value) == Some(false)) {
        Some(p) => failing_part(p, value),
        None => p,
    }
}

fn holds(p: &Pred, value: &mut dyn FnMut(&Expr) -> Option<i128>) -> Option<bool> {
    match p {
        Pred::Const(b) => Some(*b),
        Pred::Cmp(cmp, a, b) => Some(cmp.holds(value(a)?.cmp(&value(b)?))),
        Pred::And(ps) => {
            let all: Vec<_> = ps.iter().map(|p| holds(p, value)).collect();
            match all.contains(&Some(false)) {
                true => Some(false),
                false => all.iter().all(|b| *b == Some(true)).then_some(true),
            }
        }
        Pred::Or(ps) => {
            let all: Vec<_> = ps.iter().map(|p| holds(p, value)).collect();
            match all.contains(&Some(true)) {
                true => Some(true),
                false => all.iter().all(|b| *b == Some(false)).then_some(false),
            }
        }
        Pred::All(..) => None,
    }
}

/// Describes the failure of a condition that compares one quantity with numbers.
fn one_quantity(
    program: &Program,
    p: &Pred,
    value: &mut dyn FnMut(&Expr) -> Option<i128>,
) -> Option<String> {
    let parts: &[Pred] = match p {
        Pred::Or(ps) => ps,
        one => std::slice::from_ref(one),
    };
    let mut quantity: Option<&Expr> = None;
    let mut equal: BTreeSet<i128> = BTreeSet::new();
    let mut others: Vec<String> = Vec::new();
    for part in parts {
        let Pred::Cmp(cmp, a, b) = part else { return None };
        let (cmp, e, n) = match (a, b) {
            (Expr::Int(n), e) => (cmp.mirrored(), e, *n),
            (e, Expr::Int(n)) => (*cmp, e, *n),
            _ => return None,
        };
        if quantity.is_some_and(|q| q != e) {
            return None;
        }
        quantity = Some(e);
        match cmp {
            Cmp::Eq => {
                equal.insert(n);
            }
            Cmp::Ne => others.push(format!("anything but {n}")),
            Cmp::Lt => others.push(format!("less than {n}")),
            Cmp::Le => others.push(format!("at most {n}")),
            Cmp::Gt => others.push(format!("more than {n}")),
            Cmp::Ge => others.push(format!("at least {n}")),
        }
    }
    let e = quantity?;
    let found = value(e)?;
    if equal.len() + others.len() > MOST {
        return None;
    }
    let mut all: Vec<String> = equal.iter().map(ToString::to_string).collect();
    all.extend(others);
    let last = all.pop()?;
    let list = match all.is_empty() {
        true => last,
        false => format!("{} or {last}", all.join(", ")),
    };
    Some(format!("{} is {found}; it must be {list}", name(program, e, value)))
}

/// The name of a quantity: without the record of the input, with the values of indices.
fn name(program: &Program, e: &Expr, value: &mut dyn FnMut(&Expr) -> Option<i128>) -> String {
    match e {
        Expr::Ref(r) if r.side == Side::Input => {
            let index: Option<Vec<i128>> = r.index.iter().map(&mut *value).collect();
            match index {
                Some(index) => {
                    let index: String = index.iter().map(|n| format!("[{n}]")).collect();
                    format!("{}{index}", program.field(r).name)
                }
                None => Show(program, e).to_string(),
            }
        }
        _ => Show(program, e).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use crate::program::parse;
    use crate::run::{from_json, normalize};

    fn refusal(assumption: &str) -> String {
        let text = format!(
            "struct In {{ kind: u8, w: u8, t: [u8] }} struct Out {{ z: u8 }}
            fn normalize(x: &In, y: &mut Out) {{ assume({assumption}); y.z = x.w; }}"
        );
        let program = parse("t.rs", &text).unwrap();
        let json = serde_json::json!({ "kind": 2, "w": 9, "t": [66, 1] });
        let x = from_json(&program.input, &json).unwrap();
        normalize(&program, &x).unwrap_err().to_string()
    }

    #[test]
    fn a_failed_condition_says_the_value_found() {
        for (assumption, words) in [
            ("x.kind == 0 || x.kind == 1 || x.kind == 3", "kind is 2; it must be 0, 1 or 3"),
            ("x.w >= 1 && x.w <= 8", "w is 9; it must be at most 8"),
            ("10 <= x.w", "w is 9; it must be at least 10"),
            ("x.t[x.kind - 2] == 73", "t[0] is 66; it must be 73"),
            ("x.w < x.kind", "x.w < x.kind does not hold: w is 9, kind is 2"),
            ("x.kind == 0 || x.kind >= 7", "kind is 2; it must be 0 or at least 7"),
        ] {
            let said = refusal(assumption);
            assert!(said.starts_with(&format!("{words} (line 2: ")), "{said}");
        }
    }
}
