//! Rules for the arrays of primitives: the streams that they decode, and their results.

use crate::program::FieldId;
use std::collections::BTreeSet;

use super::diagnostic::Diagnostic;
use super::fold::statements;
use super::source::Span;
use super::syntax::{Expr, Length, Program, Ref, Side, Stmt, StmtKind};

/// Returns the scalar that a primitive's result determines, which is its number of elements. The scalar must be the
/// entire length of the output array `target`, no statement may assign it, and no other length may mention it.
pub fn counted_by(program: &Program, target: FieldId) -> Option<FieldId> {
    let [Length::Is(Expr::Ref(count))] = &program.output.fields[target].lengths[..] else {
        return None;
    };
    let mut used = assigns(&program.body, count.field);
    let others = program.output.indexed().filter(|(k, _)| *k != target);
    for length in others.flat_map(|(_, f)| &f.lengths) {
        if let Length::Is(e) = length {
            used |= e.mentions(|r| r.field == count.field);
        }
    }
    (!used).then_some(count.field)
}

/// Returns true if a statement assigns the output `field`.
fn assigns(body: &[Stmt], field: FieldId) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        StmtKind::Assign { target, .. } => target.field == field,
        StmtKind::If { then, els, .. } => assigns(then, field) || assigns(els, field),
        StmtKind::For { body, .. } => assigns(body, field),
        // A program with walks calls no primitive.
        StmtKind::Walk(_) => false,
        StmtKind::Assume(_) | StmtKind::Reserve { .. } | StmtKind::Decode { .. } => false,
    })
}

const WHOLE: &str = "an array that a primitive decodes has no other use: its elements are whatever \
                     the encoder makes of the output";

/// Appends the errors in the calls of primitives.
pub fn check(program: &Program, found: &mut Vec<Diagnostic>) {
    let mut calls = Calls { program, found, streams: Vec::new(), results: Vec::new() };
    calls.collect(&program.body, false);
    if calls.streams.is_empty() {
        return;
    }
    calls.uses(&program.body);
    calls.paths(&program.body, Path::default());
}

/// The calls and assignments on the way to a statement.
#[derive(Clone, Default)]
struct Path {
    /// Input arrays that were decoded.
    decoded: BTreeSet<FieldId>,
    /// Output arrays that were assigned as a whole.
    whole: BTreeSet<FieldId>,
    /// Output arrays whose elements were assigned.
    parts: BTreeSet<FieldId>,
}

struct Calls<'p> {
    program: &'p Program,
    found: &'p mut Vec<Diagnostic>,
    /// Input arrays that a call decodes.
    streams: Vec<FieldId>,
    /// Output arrays that a call assigns.
    results: Vec<FieldId>,
}

impl Calls<'_> {
    /// Collects the calls; none may be in a loop.
    fn collect(&mut self, body: &[Stmt], in_loop: bool) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Decode { target, source, .. } => {
                    self.streams.push(*source);
                    self.results.push(*target);
                    if in_loop {
                        let message = "a primitive is called in a loop";
                        self.found.push(Diagnostic::new(message, stmt.span, "called here").help(
                            "it gives a whole array, which is assigned once: call it outside",
                        ));
                    }
                }
                StmtKind::If { then, els, .. } => {
                    self.collect(then, in_loop);
                    self.collect(els, in_loop);
                }
                StmtKind::For { body, .. } => self.collect(body, true),
                StmtKind::Assign { .. }
                | StmtKind::Assume(_)
                | StmtKind::Reserve { .. }
                | StmtKind::Walk(_) => {}
            }
        }
    }

    /// Checks that only calls mention the arrays that they decode.
    fn uses(&mut self, body: &[Stmt]) {
        statements(body, &mut |stmt| {
            if let StmtKind::Reserve { field, .. } = &stmt.kind
                && self.streams.contains(field)
            {
                self.used(*field, stmt.span);
            }
            stmt.exprs(&mut |e| e.refs(&mut |r| self.reference(r)));
        });
    }

    fn reference(&mut self, r: &Ref) {
        if r.side == Side::Input && self.streams.contains(&r.field) {
            self.used(r.field, r.span);
        }
    }

    fn used(&mut self, field: FieldId, at: Span) {
        let name = &self.program.input.fields[field].name;
        let message = format!("`{name}` is used here, and decoded by a primitive");
        self.found.push(Diagnostic::new(message, at, "another use").help(WHOLE));
    }

    /// Checks that each path through the program decodes an array at most once, and assigns a
    /// result at most once.
    fn paths(&mut self, body: &[Stmt], mut seen: Path) -> Path {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Decode { target, source, .. } => {
                    if !seen.decoded.insert(*source) {
                        let name = &self.program.input.fields[*source].name;
                        let message = format!("`{name}` is decoded twice");
                        self.found.push(Diagnostic::new(message, stmt.span, "again").help(WHOLE));
                    }
                    if !seen.whole.insert(*target) || seen.parts.contains(target) {
                        self.given(*target, stmt.span);
                    }
                }
                StmtKind::Assign { target, .. } if self.results.contains(&target.field) => {
                    if seen.whole.contains(&target.field) {
                        self.given(target.field, stmt.span);
                    }
                    seen.parts.insert(target.field);
                }
                StmtKind::If { then, els, .. } => {
                    let left = self.paths(then, seen.clone());
                    let right = self.paths(els, seen);
                    seen = left;
                    seen.decoded.extend(right.decoded);
                    seen.whole.extend(right.whole);
                    seen.parts.extend(right.parts);
                }
                StmtKind::For { body, .. } => seen = self.paths(body, seen),
                StmtKind::Assign { .. }
                | StmtKind::Assume(_)
                | StmtKind::Reserve { .. }
                | StmtKind::Walk(_) => {}
            }
        }
        seen
    }

    fn given(&mut self, target: FieldId, at: Span) {
        let name = &self.program.output.fields[target].name;
        let message = format!("`{name}` is assigned twice, and as a whole");
        let d = Diagnostic::new(message, at, "again").help("every output is assigned once");
        self.found.push(d);
    }
}
