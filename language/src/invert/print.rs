//! Prints inverses as text.

use std::fmt::{self, Display, Formatter, Write};

use super::derive::DisjointnessStrategy;
use super::inst::{Inst, InstKind, Why};
use super::inverse::{Ensure, EnsureKind};
use super::layout::Part;
use super::{Inverse, Level, primitive, simplify};
use crate::program::print::Show;
use crate::program::{FieldId, Length, Pred, Program, RecordType, VarId};

impl Display for Inverse {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let p = &self.program;
        record(f, "input ", p, &p.output)?;
        record(f, "output", p, &p.input)?;
        writeln!(f)?;
        if p.has_walks() {
            return writeln!(f, "run {} with {} unknown", p.name, p.input.binder);
        }
        block(f, self, &self.body, 0)?;
        for field in self.partly_assigned() {
            writeln!(f, "{} := *  elsewhere", array_name(p, field))?;
        }
        Ok(())
    }
}

impl Inverse {
    /// Arrays that may have elements which no statement assigns: free ones.
    pub fn partly_assigned(&self) -> impl Iterator<Item = FieldId> + '_ {
        let given = |field: FieldId| {
            self.ensures.iter().any(|e| e.kind.fields().contains(&field))
                && !self.strategies.contains_key(&field)
                || primitive::encoded(&self.body, field)
        };
        let fields = self.program.input.indexed();
        fields.filter(move |(k, f)| !f.is_scalar() && !given(*k)).map(|(k, _)| k)
    }

    /// The ensures, each conjunct with the place in the spec that requires it, and the reason.
    pub fn explain_ensures(&self) -> String {
        let mut out = String::new();
        for e in &self.ensures {
            // Writing to a string cannot fail.
            let _ = match given(self, e) {
                names if names.is_empty() => writeln!(out, "check"),
                names => writeln!(out, "ensure {names}"),
            };
            for c in &e.conjuncts {
                let source = &self.program.source;
                let (place, text) = (source.place(c.span), source.at(c.span));
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                let pred = Show(&self.program, &c.pred);
                let _ = match text.is_empty() {
                    // Derived conditions that the spec does not state.
                    true => writeln!(out, "    {pred}\n        {}", c.why),
                    false => writeln!(out, "    {pred}\n        {}: {place}: {text}", c.why),
                };
            }
            if let EnsureKind::Places { array, .. } = &e.kind {
                let _ = write!(out, "{}", Places(self, *array, "    "));
            }
        }
        for loss in &self.losses {
            let place = self.program.source.place(loss.span);
            let _ = writeln!(out, "not reached: {place}: {}", loss.message);
        }
        out
    }
}

fn record(f: &mut Formatter<'_>, word: &str, p: &Program, record: &RecordType) -> fmt::Result {
    write!(f, "{word} {} {{ ", record.binder)?;
    for (k, field) in record.fields.iter().enumerate() {
        if k > 0 {
            f.write_str(", ")?;
        }
        f.write_str(&field.name)?;
        for length in &field.lengths {
            match length {
                Length::Free => f.write_str("[]")?,
                Length::Is(e) => write!(f, "[{}]", Show(p, e))?,
            }
        }
    }
    writeln!(f, " }}")
}

fn array_name(p: &Program, field: FieldId) -> String {
    format!("{}{}", p.input_name(field), "[..]".repeat(p.input.fields[field].lengths.len()))
}

fn block(f: &mut Formatter<'_>, inverse: &Inverse, insts: &[Inst], depth: usize) -> fmt::Result {
    let p = &inverse.program;
    let pad = "    ".repeat(depth);
    for inst in insts {
        match &inst.kind {
            InstKind::Assign { target, value } => {
                writeln!(f, "{pad}{} := {}", Show(p, target), Show(p, value))?;
            }
            InstKind::Free(r) => writeln!(f, "{pad}{} := *", Show(p, r))?,
            InstKind::Assume(pred, why) => {
                if !matches!(why, Why::Even | Why::Divisor) {
                    writeln!(f, "{pad}assume {}", Show(p, pred))?;
                }
            }
            InstKind::Ensure(n) => ensure(f, inverse, &inverse.ensures[*n], &pad)?,
            InstKind::If { cond, then, els } => {
                let (mut cond, mut then, mut els) = (cond, then, els);
                let mut word = "if";
                loop {
                    writeln!(f, "{pad}{word} {} then", Show(p, cond))?;
                    block(f, inverse, then, depth + 1)?;
                    // A conditional that forms the entire else branch is printed on the same level.
                    let [Inst { kind: InstKind::If { cond: c, then: t, els: e }, .. }] = &els[..]
                    else {
                        break;
                    };
                    (word, cond, then, els) = ("else if", c, t, e);
                }
                if !els.is_empty() {
                    writeln!(f, "{pad}else")?;
                    block(f, inverse, els, depth + 1)?;
                }
                writeln!(f, "{pad}end")?;
            }
            InstKind::For { var, count, body } => {
                // A perfect nest is one line.
                let mut heads = vec![head(p, *var, count)];
                let mut body = body;
                while let [Inst { kind: InstKind::For { var, count, body: inner }, .. }] = &body[..]
                {
                    heads.push(head(p, *var, count));
                    body = inner;
                }
                writeln!(f, "{pad}for {} do", heads.join(", "))?;
                block(f, inverse, body, depth + 1)?;
                writeln!(f, "{pad}end")?;
            }
            InstKind::Reserve { field, start, end } => {
                let name = p.input_name(*field);
                writeln!(f, "{pad}reserve {name}[{}..{}]", Show(p, start), Show(p, end))?;
            }
            InstKind::Encode(e) => primitive::print(f, p, e, &pad)?,
        }
    }
    Ok(())
}

fn head(p: &Program, var: VarId, count: &crate::program::Expr) -> String {
    let count = Show(p, count).to_string();
    let count =
        if count.contains(' ') && !count.ends_with(')') { format!("({count})") } else { count };
    format!("{} in 0..{count}", p.vars[var.0])
}

/// Lists the names of the inputs that an ensure assigns.
fn given(inverse: &Inverse, e: &Ensure) -> String {
    let p = &inverse.program;
    let names: Vec<String> = e.kind.fields().iter().map(|f| array_name(p, *f)).collect();
    names.join(", ")
}

fn ensure(f: &mut Formatter<'_>, inverse: &Inverse, e: &Ensure, pad: &str) -> fmt::Result {
    let p = &inverse.program;
    let names = given(inverse, e);
    // A condition that several statements require is shown once.
    let mut asked: Vec<Pred> = Vec::new();
    for c in &e.conjuncts {
        let several = match &c.pred {
            Pred::And(ps) => ps.clone(),
            one => vec![one.clone()],
        };
        for one in several {
            if !asked.iter().any(|p| simplify::same(p, &one)) {
                asked.push(one);
            }
        }
    }
    let all = Pred::and(asked);
    match &e.kind {
        EnsureKind::Places { array, .. } => {
            writeln!(f, "{pad}ensure {names} : segments of {} disjoint", array_name(p, *array))?;
            write!(f, "{}", Places(inverse, *array, &format!("{pad}    ")))?;
            for c in &e.conjuncts {
                writeln!(f, "{pad}    and {}", Show(p, &c.pred))?;
            }
            Ok(())
        }
        _ if all == Pred::Const(true) => writeln!(f, "{pad}{names} := *"),
        _ if names.is_empty() => writeln!(f, "{pad}check {}", Show(p, &all)),
        _ => writeln!(f, "{pad}ensure {names} : {}", Show(p, &all)),
    }
}

/// The segments of a layout, a line each.
struct Places<'a>(&'a Inverse, FieldId, &'a str);

impl Display for Places<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Places(inverse, array, pad) = self;
        let Some(DisjointnessStrategy::Layout(layout)) = inverse.strategies.get(array) else {
            return Ok(());
        };
        for part in &layout.parts {
            writeln!(f, "{pad}{}", segment(&inverse.program, part))?;
        }
        Ok(())
    }
}

fn segment(p: &Program, part: &Part) -> String {
    let scale = if part.scale == 1 { String::new() } else { format!("{}*", part.scale) };
    let base = part.base.as_ref().map(|b| format!("{scale}{} + ", Show(p, b))).unwrap_or_default();
    let span = format!("{base}({} ..= {})", Show(p, &part.lo), Show(p, &part.hi));
    let loops: Vec<String> =
        part.outer.iter().map(|Level { var, count }| head(p, *var, count)).collect();
    // Without parentheses, an "and" between guards would bind the last part of an "or".
    let several = part.guards.len() > 1;
    let guard = |g: &Pred| match g {
        Pred::Or(_) if several => format!("({})", Show(p, g)),
        _ => Show(p, g).to_string(),
    };
    let guards: Vec<String> = part.guards.iter().map(guard).collect();
    let mut text = span;
    if !loops.is_empty() {
        let _ = write!(text, " for {}", loops.join(", "));
    }
    if !guards.is_empty() {
        let _ = write!(text, " if {}", guards.join(" and "));
    }
    text
}
