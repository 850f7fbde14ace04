//! The context of a statement: the direction in which it runs, and the loops around it.

use std::collections::BTreeSet;

use crate::program::{Expr, FieldId, Program, Ref, Side, VarId, range};

/// The kind of code that is generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The normalization program.
    Forward,
    /// A piece of its inverse.
    Backward,
    /// A predicate over the canonical value.
    Condition,
}

/// The surroundings of a statement.
#[derive(Debug, Clone)]
pub(crate) struct Scope<'p> {
    pub program: &'p Program,
    pub mode: Mode,
    /// Input arrays with reservations; only in a normalization program.
    pub reserved: BTreeSet<FieldId>,
    /// The loops around it, outermost first: variable and bounds.
    loops: Vec<(VarId, (i128, i128))>,
}

impl<'p> Scope<'p> {
    /// Returns the scope of statements in no loop.
    pub fn new(program: &'p Program, mode: Mode) -> Self {
        Self { program, mode, reserved: BTreeSet::new(), loops: Vec::new() }
    }

    /// Returns the side that is written.
    pub fn written(&self) -> Side {
        match self.mode {
            Mode::Forward => Side::Output,
            Mode::Backward | Mode::Condition => Side::Input,
        }
    }

    /// Enters a loop.
    pub fn enter(&mut self, var: VarId, count: &Expr) {
        let most = self.range(count).1.saturating_sub(1).max(0);
        self.loops.push((var, (0, most)));
    }

    /// Leaves the innermost loops, until `depth` loops remain.
    pub fn leave_to(&mut self, depth: usize) {
        self.loops.truncate(depth);
    }

    /// Returns the bounds of an expression's values.
    pub fn range(&self, e: &Expr) -> (i128, i128) {
        range::of_with(self.program, e, &|v| {
            let found = self.loops.iter().rev().find(|(w, _)| *w == v);
            found.map_or((0, i128::MAX), |(_, range)| *range)
        })
    }

    /// Returns true if reads of the element are recorded, because other elements of its array are reserved.
    pub fn is_noted(&self, r: &Ref) -> bool {
        r.side == Side::Input && !r.index.is_empty() && self.reserved.contains(&r.field)
    }

    /// Returns true if `e` reads an element that is noted.
    pub fn notes(&self, e: &Expr) -> bool {
        let mut found = false;
        e.refs(&mut |r| found |= self.is_noted(r));
        found
    }
}
