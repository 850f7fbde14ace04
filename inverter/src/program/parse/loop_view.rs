//! Numbers that a loop reads from bytes under a name: `let start = u32be(x.file, 8 + 4 * r);`.
//!
//! The number is different in each iteration. If it is part of an index or of the bound of a loop,
//! it decides where other elements are, and becomes a hidden array with an element for each
//! iteration. Otherwise its name stands for the sum of the digits. Which of the two it is depends
//! on its uses, so that the name has a placeholder until the whole body is read.

use super::Reader;
use super::stmt::MAX_SIZE;
use crate::program::FieldId;
use crate::program::diagnostic::Diagnostic;
use crate::program::fold::statements;
use crate::program::source::Span;
use crate::program::syntax::{Expr, Field, Length, Pred, Ref, Side, Stmt, StmtKind, VarId};
use crate::program::views::{Around, Bytes, Source, View, type_of};

/// The field of the first placeholder. No record has that many fields.
const FIRST: usize = 1 << 40;

/// The most dimensions of an array.
const MAX_DIMENSIONS: usize = 3;

/// A number that a loop reads.
pub(super) struct LoopRead {
    name: String,
    bytes: Bytes,
    /// The loops around it, outermost first.
    around: Vec<Around>,
    /// The conditions around it, outermost first.
    guards: Vec<Pred>,
    span: Span,
}

impl LoopRead {
    /// Returns true if an array can hold its numbers: one for each iteration, whose lengths
    /// scalars decide.
    fn has_array(&self) -> bool {
        let settled = |count: &Expr| {
            let mut vars = 0;
            count.vars(&mut |_| vars += 1);
            vars == 0 && !count.mentions(|r| !r.index.is_empty())
        };
        self.around.len() <= MAX_DIMENSIONS
            && self.around.iter().all(|l| settled(&l.count) && self.bytes.at.mentions_var(l.var))
    }
}

/// Returns the read that a placeholder stands for.
fn pending(r: &Ref) -> Option<usize> {
    (r.side == Side::Input).then(|| r.field.0.checked_sub(FIRST)).flatten()
}

impl Reader<'_> {
    /// Reads the bytes of a number in a loop; returns the placeholder of the number.
    pub(super) fn loop_read(&mut self, name: &str, e: &syn::Expr, span: Span) -> Option<Expr> {
        let bytes = self.bytes(e)?;
        let field = FieldId(FIRST + self.loop_reads.len());
        let index = self.around.iter().map(|l| Expr::Var(l.var)).collect();
        let (around, guards) = (self.around.clone(), self.guards.clone());
        self.loop_reads.push(LoopRead { name: name.to_owned(), bytes, around, guards, span });
        Some(Expr::Ref(Ref { side: Side::Input, field, index, span }))
    }

    /// Replaces the placeholders in a body that is read as a whole.
    pub(super) fn resolve_loop_reads(&mut self, body: &mut [Stmt]) -> Option<()> {
        let reads = std::mem::take(&mut self.loop_reads);
        if reads.is_empty() {
            return Some(());
        }
        let places = places(body, &reads);
        let mut by: Vec<Expr> = Vec::new();
        for (read, is_place) in reads.into_iter().zip(places) {
            let known = |e: &Expr| replacement(e, &by);
            let bytes = Bytes { at: read.bytes.at.substitute(known), ..read.bytes.clone() };
            let number = match is_place && read.has_array() {
                true => self.hidden_array(&LoopRead {
                    bytes,
                    guards: read.guards.iter().map(|g| g.substitute(known)).collect(),
                    ..read
                })?,
                false => bytes.digits(),
            };
            if number.size() > MAX_SIZE {
                let d = Diagnostic::new("this expression is too large", read_span(&number), "here")
                    .help(format!("written out it has more than {MAX_SIZE} operands"));
                return self.refuse(d);
            }
            by.push(number);
        }
        replace(body, &by);
        Some(())
    }

    /// Declares the hidden array of a number; returns the element that is read.
    fn hidden_array(&mut self, read: &LoopRead) -> Option<Expr> {
        // The loops of its equation have variables of their own.
        let mut loops = Vec::new();
        for l in &read.around {
            loops.push(Around { var: VarId(self.vars.len()), count: l.count.clone() });
            let name = self.vars.get(l.var.0).cloned().unwrap_or_default();
            self.vars.push(name);
        }
        let renamed = |e: &Expr| match e {
            Expr::Var(v) => {
                let at = read.around.iter().position(|l| l.var == *v)?;
                Some(Expr::Var(loops[at].var))
            }
            _ => None,
        };
        let at = read.bytes.at.substitute(renamed);
        let guards = read.guards.iter().map(|g| g.substitute(renamed)).collect();
        let source = Source::Bytes(Bytes { at, ..read.bytes.clone() });
        let int = type_of(&source, &|_| (0, 0))?;
        let input = self.input.as_mut()?;
        let free = |name: &String| input.field(name).is_none();
        let name = std::iter::once(read.name.clone())
            .chain((2..).map(|k| format!("{}_{k}", read.name)))
            .find(free)?;
        let lengths = loops.iter().map(|l| Length::Is(l.count.clone())).collect();
        let field = FieldId(input.fields.len());
        let span = read.span;
        input.fields.push(Field { name, int, lengths, element: None, span });
        self.views.push(View { field, loops, guards, source, span });
        let index = read.around.iter().map(|l| Expr::Var(l.var)).collect();
        Some(Expr::Ref(Ref { side: Side::Input, field, index, span }))
    }
}

fn read_span(number: &Expr) -> Span {
    let mut span = Span::default();
    number.refs(&mut |r| span = r.span);
    span
}

/// Returns for each read whether an index or the bound of a loop depends on it.
fn places(body: &[Stmt], reads: &[LoopRead]) -> Vec<bool> {
    let mut out = vec![false; reads.len()];
    let mut place = |e: &Expr| {
        e.refs(&mut |r| {
            if let Some(is_place) = pending(r).and_then(|k| out.get_mut(k)) {
                *is_place = true;
            }
        });
    };
    statements(body, &mut |stmt| {
        stmt.exprs(&mut |e| e.refs(&mut |r| r.index.iter().for_each(&mut place)));
        match &stmt.kind {
            StmtKind::For { count, .. } => place(count),
            StmtKind::Reserve { start, end, .. } => {
                place(start);
                place(end);
            }
            _ => {}
        }
    });
    reads.iter().for_each(|read| place(&read.bytes.at));
    out
}

fn replacement(e: &Expr, by: &[Expr]) -> Option<Expr> {
    match e {
        Expr::Ref(r) => by.get(pending(r)?).cloned(),
        _ => None,
    }
}

fn replace(body: &mut [Stmt], by: &[Expr]) {
    let changed = |e: &mut Expr| *e = e.substitute(|e| replacement(e, by));
    for stmt in body {
        match &mut stmt.kind {
            StmtKind::Assign { target, value } => {
                target.index.iter_mut().for_each(changed);
                changed(value);
            }
            StmtKind::Assume(p) => *p = p.substitute(|e| replacement(e, by)),
            StmtKind::If { cond, then, els } => {
                *cond = cond.substitute(|e| replacement(e, by));
                replace(then, by);
                replace(els, by);
            }
            StmtKind::For { count, body, .. } => {
                changed(count);
                replace(body, by);
            }
            StmtKind::Reserve { start, end, .. } => {
                changed(start);
                changed(end);
            }
            StmtKind::Decode { args, .. } => args.iter_mut().for_each(changed),
        }
    }
}
