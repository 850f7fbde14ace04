//! Arrays of which a conjunct says what each element is: no choice, and nothing to be solved.

use super::Backward;
use super::scalars::derived;
use crate::invert::{Conjunct, EnsureId};
use crate::program::{Cmp, Expr, FieldId, Pred, Ref, Side, VarId};
use crate::run::error::RunError;
use crate::run::eval::Stop;
use crate::run::store::Slot;

impl Backward<'_> {
    /// Gives all elements their values, if a conjunct says what each of them is. What has been
    /// derived of the others must hold; what the spec says itself is looked at where it says so.
    /// False, with nothing given, if there is no such conjunct or it does not work out: what is
    /// wrong is told by the way that finds values.
    pub(super) fn determined(&mut self, n: EnsureId, field: FieldId) -> Result<bool, RunError> {
        let inverse = self.inverse;
        let conjuncts = &inverse.ensures[n].conjuncts;
        let Some((c, (var, count, value))) =
            conjuncts.iter().find_map(|c| told(c, field).map(|told| (c, told)))
        else {
            return Ok(false);
        };
        let (lo, hi) = self.program.input.fields[field].int.range();
        let Ok(count) = self.env().eval(count, c.span) else { return Ok(false) };
        let cells = match &self.input.slots[field] {
            Slot::Array(a, known) if known.is_clear() => a.cells.len(),
            _ => return Ok(false),
        };
        if usize::try_from(count) != Ok(cells) {
            return Ok(false);
        }
        let mut works = true;
        for at in 0..cells {
            self.set_var(var, at as i128);
            match self.env().eval(value, c.span) {
                Ok(n) if (lo..=hi).contains(&n) => {
                    if let Slot::Array(array, known) = &mut self.input.slots[field] {
                        array.cells.set(at, n);
                        known.insert(at);
                    }
                }
                _ => {
                    works = false;
                    break;
                }
            }
        }
        works = works && self.fine_once(n, field)? && self.recheck(field)?.is_none();
        if !works && let Slot::Array(_, known) = &mut self.input.slots[field] {
            known.clear();
        }
        Ok(works)
    }

    /// Whether elements that are told are as ensure `n` has derived, and leave arrays of free
    /// length within their limits.
    pub(super) fn fine(&mut self, n: EnsureId, field: FieldId) -> Result<bool, RunError> {
        let inverse = self.inverse;
        let derived = inverse.ensures[n].conjuncts.iter().filter(|c| derived(&c.why));
        for c in derived {
            // What has no value is of a statement that is not reached.
            if matches!(self.env().holds(&c.pred, c.span), Ok(false) | Err(Stop::Unset(..))) {
                return Ok(false);
            }
        }
        self.within_size(field)
    }

    /// Whether arrays of free length stay within their limits, as far as that depends on the
    /// elements of `field`.
    fn within_size(&mut self, field: FieldId) -> Result<bool, RunError> {
        let inverse = self.inverse;
        for e in &inverse.extents {
            let mut concerned = false;
            let mut asked = true;
            let mut look = |r: &Ref| {
                concerned |= r.side == Side::Input && r.field == field;
                asked &= r.side == Side::Output || r.index.is_empty() || r.field == field;
            };
            e.refs(&mut look);
            if !concerned || !asked {
                continue;
            }
            let all = self.size_limit(e, |_| true);
            if !matches!(self.env().holds(&all, e.span), Ok(true)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// `for all v in 0..count: x.field[v] = value`, if `c` is of that form.
fn told(c: &Conjunct, field: FieldId) -> Option<(VarId, &Expr, &Expr)> {
    let Pred::All(var, count, inner) = &c.pred else { return None };
    let Pred::Cmp(Cmp::Eq, a, b) = &**inner else { return None };
    let is_element = |e: &Expr| match e {
        Expr::Ref(r) => {
            r.side == Side::Input
                && r.field == field
                && matches!(&r.index[..], [Expr::Var(v)] if v == var)
        }
        _ => false,
    };
    let mentions = |e: &Expr| {
        let mut found = false;
        e.refs(&mut |r| found |= r.side == Side::Input && r.field == field);
        found
    };
    match (is_element(a), is_element(b)) {
        (true, false) if !mentions(b) => Some((*var, count, b)),
        (false, true) if !mentions(a) => Some((*var, count, a)),
        _ => None,
    }
}
