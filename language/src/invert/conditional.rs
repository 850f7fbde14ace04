//! Conditionals (paper, `InvertConditional`).

use super::inst::{Inst, InstKind, Why};
use super::sequence::Inverter;
use super::state::State;
use crate::program::{Diagnostic, FieldId, Pred, Ref, Side, Span, Stmt};

/// An inverted branch: its statements, and the state after it.
struct Branch {
    insts: Vec<Inst>,
    after: State,
}

impl Inverter<'_> {
    /// Inverts `if p { then } else { els }`, both branches from the same state.
    pub fn conditional(
        &mut self,
        cond: &Pred,
        then: &[Stmt],
        els: &[Stmt],
        at: Span,
        out: &mut Vec<Inst>,
    ) {
        let cond = self.settled(cond, at, out);
        let [mut then, mut els] = self.branches(&cond, then, els);
        self.share_bindings(&mut then, &mut els, at);
        if then.after.partial == els.after.partial {
            // If one branch determines a scalar and the other does not, the scalar receives any value in the other; an
            // ensure may take this over.
            let only = |a: &State, b: &State| -> Vec<FieldId> {
                a.determined_scalars()
                    .filter(|f| !b.determined_scalars().any(|g| g == *f))
                    .filter(|f| !a.ensured_scalars.contains(f))
                    .collect()
            };
            for field in only(&then.after, &els.after) {
                els.insts.push(Inst { kind: InstKind::Free(scalar(field, at)), span: at });
            }
            for field in only(&els.after, &then.after) {
                then.insts.push(Inst { kind: InstKind::Free(scalar(field, at)), span: at });
            }
            self.state = then.after.join(els.after);
        } else {
            self.give_up_one(&mut then, &mut els, at);
        }
        let kind = InstKind::If { cond, then: then.insts, els: els.insts };
        out.push(Inst { kind, span: at });
        self.discharge(at, out);
    }

    /// Inverts both branches from the same state. If one branch leaves an array to an ensure, the whole array is
    /// assigned before the other branch as well, which then must not write it. In that case both are inverted again.
    fn branches(&mut self, cond: &Pred, then: &[Stmt], els: &[Stmt]) -> [Branch; 2] {
        let mut before = self.state.clone();
        let (found, losses) = (self.found.len(), self.losses.len());
        loop {
            self.state.enter(cond, &self.nest);
            let insts = self.sequence(then);
            let mut then =
                Branch { insts, after: std::mem::replace(&mut self.state, before.clone()) };
            self.state.enter(&cond.negated(), &self.nest);
            let insts = self.sequence(els);
            let mut els = Branch { insts, after: std::mem::take(&mut self.state) };
            then.after.path.clone_from(&before.path);
            els.after.path.clone_from(&before.path);
            let known = before.ensured_arrays.len();
            let given = then.after.ensured_arrays.union(&els.after.ensured_arrays);
            let given: Vec<FieldId> = given.filter(|f| !before.touched(**f)).copied().collect();
            before.ensured_arrays.extend(given);
            if before.ensured_arrays.len() == known {
                return [then, els];
            }
            self.found.truncate(found);
            self.losses.truncate(losses);
            self.state = before.clone();
        }
    }

    /// Emits bindings that the branches do not share where they were made, so that both branches leave the same
    /// bindings.
    fn share_bindings(&mut self, then: &mut Branch, els: &mut Branch, at: Span) {
        while then.after.partial != els.after.partial {
            let same = then.after.partial.iter().zip(&els.after.partial);
            let keep = same.take_while(|(a, b)| a == b).count();
            for branch in [&mut *then, &mut *els] {
                std::mem::swap(&mut self.state, &mut branch.after);
                self.remaining(keep, at, &mut branch.insts);
                std::mem::swap(&mut self.state, &mut branch.after);
            }
            if then.after.partial.len().max(els.after.partial.len()) > keep {
                break;
            }
        }
    }

    /// Gives up the branch that leaves more bindings, because the branches leave different ones.
    fn give_up_one(&mut self, then: &mut Branch, els: &mut Branch, at: Span) {
        let keep_then = then.after.partial.len() <= els.after.partial.len();
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
        let (kept, given_up) = if keep_then { (then, els) } else { (els, then) };
        self.state = std::mem::take(&mut kept.after);
        let never = InstKind::Assume(Pred::Const(false), Why::Lost);
        given_up.insts = vec![Inst { kind: never, span: at }];
    }

    /// Emits bindings whose references are all determined after the join.
    fn discharge(&mut self, at: Span, out: &mut Vec<Inst>) {
        self.leave_to_ensure(&[], at, out);
    }
}

/// The reference to a scalar input.
pub fn scalar(field: FieldId, span: Span) -> Ref {
    Ref { side: Side::Input, field, index: Vec::new(), span }
}
