//! The numbers with which a program compares its scalars. A reader of the format is likely to treat each of them
//! specially, so each is a separate value class.

use std::collections::{BTreeMap, BTreeSet};

use super::fold::{Flow, Visit, statements, walk_pred};
use super::id::FieldId;
use super::syntax::{Expr, Field, Pred, Program, Ref, Side, StmtKind};

/// The numbers that fields are compared with.
pub type Constants = BTreeMap<FieldId, BTreeSet<i128>>;

/// Returns the numbers with which this program compares each scalar of the input, or with which a later program
/// compares an output equal to the scalar. `of_outputs` are the numbers of the outputs.
pub fn constants(program: &Program, of_outputs: &Constants) -> Constants {
    let mut found = Comparisons { program, constants: Constants::new() };
    statements(&program.body, &mut |stmt| match &stmt.kind {
        StmtKind::Assume(p) | StmtKind::If { cond: p, .. } => drop(found.pred(p)),
        StmtKind::Assign { target, value: Expr::Ref(r) } if target.index.is_empty() => {
            found.add(r, of_outputs.get(&target.field).into_iter().flatten());
        }
        _ => {}
    });
    found.constants
}

struct Comparisons<'p> {
    program: &'p Program,
    constants: Constants,
}

impl Comparisons<'_> {
    fn add<'n>(&mut self, r: &Ref, numbers: impl IntoIterator<Item = &'n i128>) {
        let field = self.program.input.fields.get(r.field.0);
        if r.side == Side::Input && field.is_some_and(Field::is_scalar) {
            self.constants.entry(r.field).or_default().extend(numbers);
        }
    }
}

impl<'p> Visit<'p> for Comparisons<'_> {
    fn pred(&mut self, p: &'p Pred) -> Flow {
        if let Pred::Cmp(_, Expr::Ref(r), Expr::Int(n)) | Pred::Cmp(_, Expr::Int(n), Expr::Ref(r)) =
            p
        {
            self.add(r, [n]);
        }
        walk_pred(self, p)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::parse;

    #[test]
    fn comparisons_of_scalars_with_numbers_are_found() {
        let text = "
            struct In { bits: u8, kind: u8, n: u8, data: [u8] }
            struct Out { n: u8, data: [u8; n] }
            const WIDE: u8 = 32;
            fn normalize(x: &In, y: &mut Out) {
                assume(x.bits == 24 || WIDE == x.bits);
                assume(x.n <= 200);
                y.n = x.n;
                for i in 0..x.n {
                    if x.kind == 0 || x.data[i] == 77 && x.kind != 40 {
                        y.data[i] = x.data[i];
                    } else {
                        y.data[i] = 0;
                    }
                }
            }
        ";
        let program = parse("t", text).unwrap();
        let later = Constants::from([(FieldId(0), BTreeSet::from([100]))]);
        let found: Vec<String> = constants(&program, &later)
            .iter()
            .map(|(field, numbers)| format!("{}: {numbers:?}", program.input.fields[field.0].name))
            .collect();
        assert_eq!(found, ["bits: {24, 32}", "kind: {0, 40}", "n: {100, 200}"]);
    }
}
