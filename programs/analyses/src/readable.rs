//! Prints invariants in terms of the source text.

use crate::protocol::place::Segments;
use crate::protocol::{Dereference, Formula, Interpretation, Relation, Term};
use canonical::{Program, Type};

/// Writes formulas with the names of variables.
#[derive(Debug, Clone, Copy)]
pub struct Readable<'a> {
    /// The program.
    pub program: &'a Program,
    /// Segments of its variables.
    pub segments: &'a Segments,
}

impl Readable<'_> {
    /// A formula: `0 <= i and i <= 10`.
    pub fn formula(&self, formula: &Formula) -> String {
        match formula {
            Formula::True => "nothing is known".to_owned(),
            Formula::False => "not reached".to_owned(),
            Formula::And(parts) => self.list(parts, " and "),
            Formula::Or(parts) => self.list(parts, " or "),
            Formula::Not(part) => format!("not ({})", self.formula(part)),
            Formula::Compare(relation, a, b) => {
                format!("{} {} {}", self.term(a), relation.symbol(), self.term(b))
            }
        }
    }

    fn list(&self, parts: &[Formula], between: &str) -> String {
        let mut texts = Vec::new();
        let mut rest = parts;
        while let [part, after @ ..] = rest {
            rest = after;
            texts.push(match (part, after) {
                // An interval of one number is easier to read as an equation.
                (
                    Formula::Compare(Relation::GreaterEqual, a, lo),
                    [Formula::Compare(Relation::LessEqual, b, hi), beyond @ ..],
                ) if (a, lo) == (b, hi) && between == " and " => {
                    rest = beyond;
                    format!("{} = {}", self.term(a), self.term(lo))
                }
                (Formula::And(_) | Formula::Or(_), _) => format!("({})", self.formula(part)),
                _ => self.formula(part),
            });
        }
        texts.join(between)
    }

    /// A term: `i + 1`.
    pub fn term(&self, term: &Term) -> String {
        let list = |terms: &[Term], between: &str| {
            let text = |term: &Term| match term {
                Term::Add(_) | Term::Subtract(_) => format!("({})", self.term(term)),
                other => self.term(other),
            };
            terms.iter().map(text).collect::<Vec<_>>().join(between)
        };
        match term {
            Term::Number(n) => n.to_string(),
            Term::Dereference(of) => self.name(of).unwrap_or_else(|| of.to_string()),
            Term::Add(terms) => list(terms, " + "),
            Term::Subtract(terms) => match terms.as_slice() {
                [only] => format!("-{}", self.term(only)),
                _ => list(terms, " - "),
            },
            Term::Multiply(terms) => list(terms, " "),
        }
    }

    /// The name of a value: `s.first`.
    fn name(&self, of: &Dereference) -> Option<String> {
        let (segment, mut offset) = of.as_basic()?;
        let variable = self.program.variable(self.segments.variable(segment)?);
        let (mut name, mut ty) = (variable.name.clone(), &variable.ty);
        while let Type::Composite(id) = ty {
            let fields = &self.program.composite(*id).fields;
            let field = fields.iter().rev().find(|field| field.offset <= offset)?;
            offset -= field.offset;
            if !field.name.is_empty() {
                name = format!("{name}.{}", field.name);
            }
            ty = &field.ty;
        }
        let fits = match (ty, of.ty) {
            (Type::Int(int), Interpretation::Int(bits, signed)) => {
                int.bits() == u32::from(bits) && int.signed == signed
            }
            _ => false,
        };
        (fits && offset == 0).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use canonical::c::{Options, read_text};

    #[test]
    fn intervals_of_one_number_are_equations() {
        let program =
            read_text("a.c", "int i, k; int main(void) { return 0; }", &Options::default());
        let segments = Segments::new(&program);
        let readable = Readable { program: &program, segments: &segments };
        let shown = |text| readable.formula(&crate::protocol::parse::formula(text).expect(text));
        let one = "(and (>= (i32 1 0) 3) (<= (i32 1 0) 3) (>= (i32 2 0) 0) (<= (i32 2 0) 4))";
        assert_eq!(shown(one), "i = 3 and k >= 0 and k <= 4");
        assert_eq!(shown("(or (>= (i32 1 0) 3) (<= (i32 1 0) 3))"), "i >= 3 or i <= 3");
    }
}
