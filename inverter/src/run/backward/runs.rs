//! Whether the writes of an array are apart from each other whatever they write: they are looked
//! at as runs of elements, not one by one.

use super::Backward;
use crate::invert::Level;
use crate::invert::access::Access;
use crate::program::{Atom, FieldId, Poly};

/// Elements beside each other: the first and the last.
type Run = (i128, i128);

/// More of them are not looked at.
const MOST: usize = 1 << 20;

impl Backward<'_> {
    /// Whether surely no element of `array` is accessed twice. False also where that cannot be
    /// told by runs alone.
    pub(super) fn apart(&mut self, array: FieldId) -> bool {
        let inverse = self.inverse;
        let mut runs = Vec::new();
        for access in inverse.accesses.iter().filter(|a| a.field == array) {
            let straight = straight(access);
            if self.runs(access, straight, 0, &mut runs).is_none() {
                return false;
            }
        }
        runs.sort_unstable();
        runs.windows(2).all(|pair| pair[0].1 < pair[1].0)
    }

    /// The runs of an access; `None` where something has no value yet, or none at all. Of the
    /// innermost loop, `straight` says whether it is a run, and which way.
    fn runs(
        &mut self,
        access: &Access,
        straight: Option<i128>,
        depth: usize,
        out: &mut Vec<Run>,
    ) -> Option<()> {
        let (span, nest) = (access.span, &access.nest);
        if self.barred(&access.guards, nest, depth, span).ok()? {
            return Some(());
        }
        let Some(level) = nest.get(depth) else {
            let at = self.at(access)?;
            return note((at, at), out);
        };
        let count = self.rounds(&level.count, span).ok()?;
        if let Some(step) = straight.filter(|_| depth + 1 == nest.len()) {
            if count > 0 {
                self.step(span).ok()?;
                self.set_var(level.var, 0);
                let first = self.at(access)?;
                let last = first.checked_add(step * (count - 1))?;
                note((first.min(last), first.max(last)), out)?;
            }
            return Some(());
        }
        for k in 0..count {
            self.step(span).ok()?;
            self.set_var(level.var, k);
            self.runs(access, straight, depth + 1, out)?;
        }
        Some(())
    }

    /// The element of an access, of an array of one dimension.
    fn at(&mut self, access: &Access) -> Option<i128> {
        match &access.index[..] {
            [index] => self.env().eval(index, access.span).ok(),
            _ => None,
        }
    }
}

/// One more run; `None` if there are too many.
fn note(run: Run, out: &mut Vec<Run>) -> Option<()> {
    out.push(run);
    (out.len() <= MOST).then_some(())
}

/// How far apart the elements are of two rounds of the innermost loop, if they are beside each
/// other.
fn straight(access: &Access) -> Option<i128> {
    let (Some(Level { var, .. }), [index]) = (access.nest.last(), &access.index[..]) else {
        return None;
    };
    if access.guards.iter().any(|guard| guard.mentions_var(*var)) {
        return None;
    }
    let (step, _) = Poly::of(index).linear_in(&Atom::Var(*var))?;
    step.as_int().filter(|step| step.abs() == 1)
}
