//! Statements.
//!
//! An assumption excludes an input wherever it stands. Assumptions on scalars alone come first in their block, so that
//! later statements may rely on them.

use canonical::{Binary, IntType};
use inverter::program::views::Around;
use inverter::program::{Expr, Ref, Stmt, StmtKind, VarId};

use super::Lower;
use super::emit::{binary, int, unknown};

/// Returns true if a statement is only assumptions on scalars.
fn only_assumes(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Assume(p) => Lower::of_scalars(p),
        StmtKind::If { cond, then, els } => {
            Lower::of_scalars(cond) && then.iter().chain(els).all(only_assumes)
        }
        _ => false,
    }
}

impl Lower<'_> {
    /// Lowers a block.
    pub(super) fn block(&mut self, body: &[Stmt]) {
        self.made.push(Vec::new());
        self.scoped(|this| {
            this.prepare(body);
            let (first, rest): (Vec<&Stmt>, Vec<&Stmt>) =
                body.iter().partition(|s| only_assumes(s));
            first.into_iter().chain(rest).for_each(|stmt| this.statement(stmt));
        });
        let made = self.made.pop().unwrap_or_default();
        // Nothing follows the outermost block.
        if !self.made.is_empty() {
            made.into_iter().for_each(|variable| self.emit.forget(variable));
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        self.at(stmt);
        match &stmt.kind {
            StmtKind::Assign { target, value } => self.assign(target, value),
            StmtKind::Assume(p) => self.assume(p),
            StmtKind::If { cond, then, els } => {
                let (yes, no, next) = (self.emit.node(), self.emit.node(), self.emit.node());
                self.decide(cond, yes, no);
                for (from, body) in [(yes, then), (no, els)] {
                    self.emit.at = from;
                    self.block(body);
                    self.emit.go(next);
                }
            }
            StmtKind::For { var, count, body } => self.repeat(stmt, *var, count, body),
            StmtKind::Reserve { start, end, .. } => {
                self.value(start);
                self.value(end);
            }
            // Decoders return any elements, and any number of them.
            StmtKind::Decode { args, .. } => args.iter().for_each(|e| {
                self.value(e);
            }),
            // Programs with walks are not analysed.
            StmtKind::Walk(_) => {}
        }
    }

    /// Sets the place of the edges that follow.
    fn at(&mut self, stmt: &Stmt) {
        self.span = stmt.span;
        self.emit.place = Some(super::place(&self.spec.source, stmt.span));
    }

    fn assign(&mut self, target: &Ref, value: &Expr) {
        let (statement, field) = (self.span, self.spec.field(target));
        let number = self.value(value);
        // A value outside of its type is refused.
        let ((lo, hi), (least, most)) = (field.int.range(), self.range(value));
        if least < lo {
            self.emit.require(binary(Binary::LessEqual, int(lo), number.clone()));
        }
        if most > hi {
            self.emit.require(binary(Binary::LessEqual, number.clone(), int(hi)));
        }
        if target.index.is_empty() {
            if let Some(variable) = self.outputs.get(&target.field).copied() {
                // In the outermost block the value replaces all uses.
                if self.scopes.len() > 1 || self.has_elements(value) {
                    self.emit.assign(variable, number);
                }
            }
            self.replace_output(target.field, value);
            return;
        }
        target.index.iter().for_each(|index| self.evaluate(index));
        let span =
            if target.span == inverter::program::Span::default() { statement } else { target.span };
        self.inside(target, span);
    }

    fn repeat(&mut self, stmt: &Stmt, var: VarId, count: &Expr, body: &[Stmt]) {
        let mut most = self.value(count);
        if most == unknown() {
            let once = self.temporary(format!("%count {}", var.0), IntType::WIDE);
            self.emit.assign(once, most);
            most = self.emit.load(once);
        }
        let name = self.spec.vars.get(var.0).cloned().unwrap_or_default();
        let variable = self.temporary(name, IntType::WIDE);
        self.emit.assign(variable, int(0));
        let (head, inner, next) = (self.emit.node(), self.emit.node(), self.emit.node());
        self.emit.go(head);
        let index = self.emit.load(variable);
        self.emit.branch(&binary(Binary::Less, index.clone(), most), inner, next);
        self.emit.at = inner;
        let outer = self.vars.insert(var, variable);
        let count = self.with_outputs(count);
        self.loops.push(Around { var, count });
        self.block(body);
        self.loops.pop();
        match outer {
            Some(outer) => self.vars.insert(var, outer),
            None => self.vars.remove(&var),
        };
        self.at(stmt);
        self.emit.assign(variable, binary(Binary::Add, index, int(1)));
        self.emit.go(head);
        self.emit.at = next;
        self.emit.forget(variable);
    }
}
