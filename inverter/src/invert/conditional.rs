//! Conditionals (paper, `InvertConditional`).

use super::inst::{Inst, InstKind, Why};
use super::sequence::Inverter;
use crate::program::{Diagnostic, FieldId, Pred, Ref, Side, Span, Stmt};

impl Inverter<'_> {
    /// Inverts `if p { then } else { els }`: both branches from the same state.
    pub fn conditional(
        &mut self,
        cond: &Pred,
        then: &[Stmt],
        els: &[Stmt],
        at: Span,
        out: &mut Vec<Inst>,
    ) {
        let cond = self.settled(cond, at, out);
        let mut before = self.state.clone();
        let (found, losses) = (self.found.len(), self.losses.len());
        let (mut then_insts, mut els_insts, mut after_then, mut after_els) = loop {
            let then_insts = self.sequence(then);
            let after_then = std::mem::replace(&mut self.state, before.clone());
            let els_insts = self.sequence(els);
            let after_els = std::mem::take(&mut self.state);
            // An array that one branch leaves to an ensure is given as a whole before the
            // other branch, too, which then may not write it.
            let known = before.ensured_arrays.len();
            let given = after_then.ensured_arrays.union(&after_els.ensured_arrays);
            let given: Vec<FieldId> = given.filter(|f| !before.touched(**f)).copied().collect();
            before.ensured_arrays.extend(given);
            if before.ensured_arrays.len() == known {
                break (then_insts, els_insts, after_then, after_els);
            }
            self.found.truncate(found);
            self.losses.truncate(losses);
            self.state = before.clone();
        };
        // Bindings that the branches do not share are settled where they were made, so that
        // both branches leave the same.
        while after_then.partial != after_els.partial {
            let same = after_then.partial.iter().zip(&after_els.partial);
            let keep = same.take_while(|(a, b)| a == b).count();
            for (state, insts) in
                [(&mut after_then, &mut then_insts), (&mut after_els, &mut els_insts)]
            {
                std::mem::swap(&mut self.state, state);
                self.remaining(keep, at, insts);
                std::mem::swap(&mut self.state, state);
            }
            if after_then.partial.len().max(after_els.partial.len()) > keep {
                break;
            }
        }

        if after_then.partial == after_els.partial {
            // A scalar that one branch determines and the other does not gets any value in
            // the other; an ensure may take that over.
            let only = |a: &super::state::State, b: &super::state::State| -> Vec<FieldId> {
                a.determined_scalars()
                    .filter(|f| !b.determined_scalars().any(|g| g == *f))
                    .filter(|f| !a.ensured_scalars.contains(f))
                    .collect()
            };
            for field in only(&after_then, &after_els) {
                els_insts.push(Inst { kind: InstKind::Free(scalar(field, at)), span: at });
            }
            for field in only(&after_els, &after_then) {
                then_insts.push(Inst { kind: InstKind::Free(scalar(field, at)), span: at });
            }
            self.state = after_then.join(after_els);
        } else {
            // The branches leave different bindings: one of them is given up.
            let keep_then = after_then.partial.len() <= after_els.partial.len();
            let lost = if keep_then { "else" } else { "then" };
            self.losses.push(
                Diagnostic::new(
                    format!("representations that take the `{lost}` branch are never made"),
                    at,
                    "the branches leave different things undetermined",
                )
                .help(format!(
                    "make both branches determine the same inputs, for example by assuming in the \
                     `{lost}` branch what the other one uses"
                )),
            );
            let never =
                vec![Inst { kind: InstKind::Assume(Pred::Const(false), Why::Lost), span: at }];
            if keep_then {
                self.state = after_then;
                els_insts = never;
            } else {
                self.state = after_els;
                then_insts = never;
            }
        }
        out.push(Inst { kind: InstKind::If { cond, then: then_insts, els: els_insts }, span: at });
        self.discharge(at, out);
    }

    /// Emits bindings that the join has made ready.
    fn discharge(&mut self, at: Span, out: &mut Vec<Inst>) {
        self.leave_to_ensure(&[], at, out);
    }
}

/// The reference to a scalar input.
pub fn scalar(field: FieldId, span: Span) -> Ref {
    Ref { side: Side::Input, field, index: Vec::new(), span }
}
