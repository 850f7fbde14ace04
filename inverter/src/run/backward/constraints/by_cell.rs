//! Residual constraints grouped by the element, or scalar, that they mention.

use std::collections::BTreeMap;

use crate::program::{Atom, Expr, FieldId, Poly, Ref, Side};
use crate::run::backward::constraints::constraint::Residual;

/// Residual constraints by the elements (or scalars) that they mention.
#[derive(Default)]
pub struct ByCell {
    /// Constraints on one element, by field and position among the cells.
    pub single: BTreeMap<(FieldId, usize), (Atom, Vec<Residual>)>,
    /// Constraints on several elements.
    pub coupled: Vec<Residual>,
    /// Constraints on one element that is not among the cells.
    pub outside: Vec<Residual>,
}

/// Groups constraints by element. `lengths` returns the lengths of a field; a scalar has none.
pub fn by_cell<'l>(
    residuals: Vec<Residual>,
    lengths: impl Fn(FieldId) -> Option<&'l [usize]>,
) -> ByCell {
    let mut out = ByCell::default();
    for r in residuals {
        let (mut first, mut alone): (Option<&Ref>, bool) = (None, true);
        r.pred.refs(&mut |r| {
            if r.side == Side::Input {
                alone &= first.is_none_or(|first| first == r);
                first = first.or(Some(r));
            }
        });
        let Some(of) = first.filter(|_| alone) else {
            out.coupled.push(r);
            continue;
        };
        match lengths(of.field).and_then(|lengths| position(&of.index, lengths)) {
            Some(at) => {
                let fresh = || (Poly::ref_atom(of), Vec::new());
                let cell = out.single.entry((of.field, at)).or_insert_with(fresh);
                cell.1.push(r);
            }
            None => out.outside.push(r),
        }
    }
    out
}

/// Returns the position among the cells of an element whose indices are numerals.
pub fn position(index: &[Expr], lengths: &[usize]) -> Option<usize> {
    let mut at = 0usize;
    for (e, length) in index.iter().zip(lengths) {
        let Expr::Int(n) = e else { return None };
        at = at * length + usize::try_from(*n).ok().filter(|i| i < length)?;
    }
    Some(at)
}

/// Returns the position among the cells of an element that is an atom.
pub fn position_of(atom: &Atom, lengths: &[usize]) -> Option<usize> {
    let Atom::Ref(_, _, index) = atom else { return None };
    let mut at = 0usize;
    for (p, length) in index.iter().zip(lengths) {
        let i = usize::try_from(p.as_int()?).ok().filter(|i| i < length)?;
        at = at * length + i;
    }
    Some(at)
}
