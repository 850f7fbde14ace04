//! Accesses: the elements of input arrays that an inverse writes or reads, with the loops and guards
//! around them.

use serde::{Deserialize, Serialize};

use super::inst::{Inst, InstKind};
use super::state::Level;
use crate::program::{Atom, Expr, FieldId, Op, Poly, Pred, Program, Ref, Side, Span, VarId};

/// A write of an element of an input array, for every iteration of the loops around it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Access {
    /// The array.
    pub field: FieldId,
    /// The loops around it, outermost first.
    pub nest: Vec<Level>,
    /// The guards around it, which all hold where it happens.
    pub guards: Vec<Pred>,
    /// The element.
    pub index: Vec<Expr>,
    /// The value that is written; `None` for a reservation.
    pub value: Option<Expr>,
    /// The place in the normalization program.
    pub span: Span,
    /// For a write that uses up a base, the write relative to that base. Two uses of one base count as one if these
    /// writes are equal.
    pub stands_for: Option<Box<Access>>,
}

/// A mention of an input array's element, with the loops and guards around it.
#[derive(Debug, Clone)]
pub struct Mention {
    /// The reference.
    pub reference: Ref,
    /// The loops around it, outermost first.
    pub nest: Vec<Level>,
    /// The guards around it.
    pub guards: Vec<Pred>,
}

/// Walks an inverse.
#[derive(Default)]
pub struct Walk {
    nest: Vec<Level>,
    guards: Vec<Pred>,
    /// Writes, in program order.
    pub accesses: Vec<Access>,
    /// Elements of input arrays on which something depends: in indices, bounds, guards, assumptions and values.
    pub mentions: Vec<Mention>,
}

impl Walk {
    /// Everything that `insts` does. Each reservation has its own loop variable.
    pub fn over(program: &mut Program, insts: &[Inst]) -> Walk {
        let mut walk = Walk::default();
        walk.block(program, insts);
        walk
    }

    fn block(&mut self, program: &mut Program, insts: &[Inst]) {
        for inst in insts {
            match &inst.kind {
                InstKind::Assign { target, value } => {
                    target.index.iter().for_each(|i| self.mention(i));
                    self.mention(value);
                    if !target.index.is_empty() {
                        self.access(
                            target.field,
                            target.index.clone(),
                            Some(value.clone()),
                            inst.span,
                        );
                    }
                }
                InstKind::Assume(p, _) => p.exprs(&mut |e| self.mention(e)),
                // The program reads the element, wherever its value comes from.
                InstKind::Free(target) => self.mention(&Expr::Ref(target.clone())),
                InstKind::If { cond, then, els } => {
                    cond.exprs(&mut |e| self.mention(e));
                    self.guards.push(cond.clone());
                    self.block(program, then);
                    self.guards.pop();
                    self.guards.push(cond.negated());
                    self.block(program, els);
                    self.guards.pop();
                }
                InstKind::For { var, count, body } => {
                    self.mention(count);
                    self.nest.push(Level { var: *var, count: count.clone() });
                    self.block(program, body);
                    self.nest.pop();
                }
                InstKind::Reserve { field, start, end } => {
                    self.mention(start);
                    self.mention(end);
                    let var = VarId(program.vars.len());
                    program.vars.push("k".to_owned());
                    // In normal form the base, which may be unknown at this point, cancels.
                    let count = Poly::of(end).sub(&Poly::of(start)).to_expr();
                    let index = Expr::bin(Op::Add, start.clone(), Expr::Var(var));
                    self.nest.push(Level { var, count });
                    self.access(*field, vec![index], None, inst.span);
                    self.nest.pop();
                }
                InstKind::Encode(encode) => encode.exprs().for_each(|e| self.mention(e)),
                InstKind::Ensure(_) => {}
            }
        }
    }

    fn mention(&mut self, e: &Expr) {
        e.refs(&mut |r| {
            if r.side == Side::Input && !r.index.is_empty() {
                self.mentions.push(Mention {
                    reference: r.clone(),
                    nest: self.nest.clone(),
                    guards: self.guards.clone(),
                });
            }
        });
    }

    fn access(&mut self, field: FieldId, index: Vec<Expr>, value: Option<Expr>, span: Span) {
        self.accesses.push(Access {
            field,
            nest: self.nest.clone(),
            guards: self.guards.clone(),
            index,
            value,
            span,
            stands_for: None,
        });
    }
}

/// Reads of elements that an ensure assigns, in arrays with reservations. They count as writes of the existing values,
/// so that they avoid reserved elements.
pub fn reads_beside_reservations(walk: &Walk) -> Vec<Access> {
    let reserved =
        |field: FieldId| walk.accesses.iter().any(|a| a.field == field && a.value.is_none());
    let mut out: Vec<Access> = Vec::new();
    for m in walk.mentions.iter().filter(|m| reserved(m.reference.field)) {
        let r = &m.reference;
        let read = Access {
            field: r.field,
            nest: m.nest.clone(),
            // A guard on elements that may be read nowhere else counts as one that may hold, so it is left out.
            guards: m.guards.iter().filter(|g| !on_elements(g)).cloned().collect(),
            index: r.index.clone(),
            value: Some(Expr::Ref(r.clone())),
            stands_for: None,
            span: r.span,
        };
        let same = |o: &Access| o.index == read.index && o.guards == read.guards;
        if !out.iter().any(|o| o.field == read.field && o.nest == read.nest && same(o)) {
            out.push(read);
        }
    }
    out
}

fn on_elements(p: &Pred) -> bool {
    p.mentions(|r| r.side == Side::Input && !r.index.is_empty())
}

impl Access {
    /// Returns true if the element, the guards or the value depend on any of the inputs.
    pub fn depends_on(&self, fields: &[FieldId]) -> bool {
        let on = |r: &Ref| r.side == Side::Input && fields.contains(&r.field);
        self.nest.iter().any(|l| l.count.mentions(on))
            || self.index.iter().chain(&self.value).any(|e| e.mentions(on))
            || self.guards.iter().any(|g| g.mentions(on))
    }

    /// Returns true if it reads the element without assigning it.
    pub fn reads(&self) -> bool {
        matches!(&self.value, Some(Expr::Ref(r)) if r.side == Side::Input
            && r.field == self.field && r.index == self.index)
    }

    /// Returns true if this and `other` never happen in the same run, because their guards outside all loops exclude
    /// each other.
    pub fn excludes(&self, other: &Access) -> bool {
        outside(&self.guards, &self.nest).any(|g| {
            let not = g.negated();
            outside(&other.guards, &other.nest).any(|h| super::simplify::same(h, &not))
        })
    }
}

/// The guards that do not change while the loops of `nest` run.
pub fn outside<'g>(guards: &'g [Pred], nest: &'g [Level]) -> impl Iterator<Item = &'g Pred> {
    guards.iter().filter(|g| nest.iter().all(|l| !super::simplify::mentions(g, &Atom::Var(l.var))))
}
