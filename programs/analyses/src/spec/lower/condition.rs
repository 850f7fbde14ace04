//! Lowers predicates to branches.

use canonical::{Binary, Expr as Value, NodeId};
use inverter::program::{Cmp, Pred};

use super::Lower;
use super::emit::{binary, int};

fn operator(cmp: Cmp) -> Binary {
    match cmp {
        Cmp::Eq => Binary::Equal,
        Cmp::Ne => Binary::NotEqual,
        Cmp::Lt => Binary::Less,
        Cmp::Le => Binary::LessEqual,
        Cmp::Gt => Binary::Greater,
        Cmp::Ge => Binary::GreaterEqual,
    }
}

impl Lower<'_> {
    /// Goes to one node if a predicate holds, and to another if not. Evaluation ends when the predicate is decided.
    pub(super) fn decide(&mut self, p: &Pred, yes: NodeId, no: NodeId) {
        match p {
            Pred::Const(holds) => self.emit.go(if *holds { yes } else { no }),
            Pred::Cmp(cmp, a, b) => {
                let condition = self.compare(*cmp, a, b);
                self.emit.branch(&condition, yes, no);
            }
            Pred::And(parts) => self.parts(parts, yes, |this, part, next| {
                this.decide(part, next, no);
            }),
            Pred::Or(parts) => self.parts(parts, no, |this, part, next| {
                this.decide(part, yes, next);
            }),
            // Specs have no quantifiers.
            Pred::All(..) => {
                let any = super::emit::unknown();
                self.emit.branch(&any, yes, no);
            }
        }
    }

    /// Decides parts one after another. The last one leads to `last`; without parts, `last` is the result.
    fn parts(&mut self, parts: &[Pred], last: NodeId, decide: impl Fn(&mut Self, &Pred, NodeId)) {
        let Some((end, rest)) = parts.split_last() else { return self.emit.go(last) };
        self.scoped(|this| {
            for part in rest {
                let next = this.emit.node();
                decide(this, part, next);
                this.emit.at = next;
            }
            decide(this, end, last);
        });
    }

    fn compare(
        &mut self,
        cmp: Cmp,
        a: &inverter::program::Expr,
        b: &inverter::program::Expr,
    ) -> Value {
        let (a, b) = (self.value(a), self.value(b));
        binary(operator(cmp), a, b)
    }

    /// Ends the runs on which a predicate does not hold.
    pub(super) fn assume(&mut self, p: &Pred) {
        match p {
            Pred::Const(true) => {}
            Pred::Const(false) => self.emit.require(binary(Binary::Equal, int(0), int(1))),
            Pred::And(parts) => parts.iter().for_each(|part| self.assume(part)),
            Pred::Cmp(cmp, a, b) => {
                let condition = self.compare(*cmp, a, b);
                self.emit.require(condition);
            }
            Pred::Or(_) | Pred::All(..) => {
                let (next, exit) = (self.emit.node(), self.emit.exit());
                self.decide(p, next, exit);
                self.emit.at = next;
            }
        }
    }
}
