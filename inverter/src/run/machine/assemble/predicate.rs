//! Assembles predicates as jumps, which skip parts that need not be evaluated.

use super::Assembler;
use crate::lower::Node;
use crate::program::{Expr, Pred, VarId};
use crate::run::machine::code::{Instruction, Place, Register};

impl Assembler<'_> {
    /// Assembles a jump to `place` unless `p` holds.
    pub fn unless(&mut self, p: &Pred, place: Place) -> Option<()> {
        self.decide(p, false, place)
    }

    /// Assembles a jump to `place` if the truth of `p` is `when`.
    fn decide(&mut self, p: &Pred, when: bool, place: Place) -> Option<()> {
        match p {
            Pred::Const(truth) => {
                if *truth == when {
                    self.instructions.push(Instruction::Jump(place));
                }
                Some(())
            }
            Pred::Cmp(cmp, a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.instructions.push(Instruction::Branch { cmp: *cmp, a, b, when, place });
                Some(())
            }
            Pred::And(parts) => self.parts(parts, false, when, place),
            Pred::Or(parts) => self.parts(parts, true, when, place),
            Pred::All(var, count, inner) if when => {
                let past = self.label();
                self.all(*var, count, inner, past)?;
                self.instructions.push(Instruction::Jump(place));
                self.place(past);
                Some(())
            }
            Pred::All(var, count, inner) => self.all(*var, count, inner, place),
        }
    }

    /// Assembles a conjunction or a disjunction, which is decided by any part whose truth is `decisive`.
    fn parts(&mut self, parts: &[Pred], decisive: bool, when: bool, place: Place) -> Option<()> {
        if decisive == when {
            return parts.iter().try_for_each(|p| self.decide(p, when, place));
        }
        let past = self.label();
        let Some((last, others)) = parts.split_last() else {
            self.instructions.push(Instruction::Jump(place));
            return Some(());
        };
        others.iter().try_for_each(|p| self.decide(p, decisive, past))?;
        self.decide(last, when, place)?;
        self.place(past);
        Some(())
    }

    /// Assembles a jump to `place` unless `inner` holds in all iterations.
    fn all(&mut self, var: VarId, count: &Expr, inner: &Pred, place: Place) -> Option<()> {
        if self.nest(&Node::all(var, count, inner), place)? {
            return Some(());
        }
        self.each(var, count, |inside| inside.unless(inner, place))
    }

    /// Assembles the truth of a predicate as a number, 0 or 1.
    pub fn truth(&mut self, p: &Pred) -> Option<Register> {
        let (to, past) = (self.register(), self.label());
        let (zero, one) = (self.constant(0), self.constant(1));
        self.instructions.push(Instruction::Move { to, from: zero });
        self.unless(p, past)?;
        self.instructions.push(Instruction::Move { to, from: one });
        self.place(past);
        Some(to)
    }
}
