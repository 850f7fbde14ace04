//! Numbers that a loop reads from bytes with a name: `let start = u32be(x.file, 8 + 4 * r);`.
//!
//! The number is different in each iteration. If anything other than one output depends on it, it becomes a hidden
//! array with an element for each iteration of the loops on which it depends. Otherwise its name stands for the sum of
//! the digits, which needs no storage. The decision depends on its uses, so the name is a placeholder until the whole
//! body is read.

use super::Reader;
use super::first_and_last::one_if_any;
use super::loop_read::{FIRST, LoopRead, pending};
use super::relative::{Made, at_base};
use super::stmt::MAX_SIZE;
use super::words::{Part, part_of, words};
use crate::program::FieldId;
use crate::program::diagnostic::Diagnostic;
use crate::program::fold::statements;
use crate::program::iteration::{Loop, iteration};
use crate::program::poly::{Atom, Poly};
use crate::program::source::Span;
use crate::program::syntax::{
    Cmp, Expr, Field, Length, Op, Pred, Ref, Side, Stmt, StmtKind, VarId,
};
use crate::program::views::{Around, Bytes, Source};

/// The maximum number of dimensions of an array.
const MAX_DIMENSIONS: usize = 3;

impl Reader<'_> {
    /// Reads a number in a loop; returns its placeholder.
    pub(super) fn loop_read(&mut self, name: &str, e: &syn::Expr, span: Span) -> Option<Expr> {
        let source = self.source_of(e)?;
        self.read_in_loop(name, false, source, span)
    }

    /// Returns the placeholder of a number that an expression in a loop reads without a name, if the same number may
    /// have a name.
    pub(super) fn unnamed_read(&mut self, bytes: &Bytes) -> Option<Expr> {
        let alike = |read: &LoopRead| match &read.source {
            Source::Bytes(b) => (b.array, b.form) == (bytes.array, bytes.form) && !read.unnamed,
            _ => false,
        };
        let name = self.loop_reads.iter().find(|read| alike(read))?.name.clone();
        if self.around.is_empty() {
            return None;
        }
        self.read_in_loop(&name, true, Source::Bytes(bytes.clone()), bytes.span)
    }

    fn read_in_loop(
        &mut self,
        name: &str,
        unnamed: bool,
        source: Source,
        span: Span,
    ) -> Option<Expr> {
        let depends = |l: &Around| {
            source.mentions_var(l.var) || self.guards.iter().any(|g| g.mentions_var(l.var))
        };
        let depth = self.around.iter().rposition(depends).map_or(0, |last| last + 1);
        let (around, deeper) = self.around.split_at(depth);
        // It is read if every deeper loop has an iteration.
        let outside = |count: &Expr| deeper.iter().all(|l| !count.mentions_var(l.var));
        let runs = deeper.iter().filter(|l| outside(&l.count));
        let runs = runs.map(|l| Pred::cmp(Cmp::Gt, l.count.clone(), Expr::Int(0)));
        let runs = runs.filter(|p| !matches!(p, Pred::Cmp(_, Expr::Int(n), _) if *n > 0));
        let guards = self.guards.iter().cloned().chain(runs).collect();
        let around = around.to_vec();
        let field = FieldId(FIRST + self.loop_reads.len());
        let index = around.iter().map(|l| Expr::Var(l.var)).collect();
        let name = name.to_owned();
        self.loop_reads.push(LoopRead { name, unnamed, source, around, guards, span });
        Some(Expr::Ref(Ref { side: Side::Input, field, index, span }))
    }

    /// Replaces the placeholders in a body that has been read completely.
    pub(super) fn resolve_loop_reads(&mut self, body: &mut [Stmt]) -> Option<()> {
        let reads = std::mem::take(&mut self.loop_reads);
        if reads.is_empty() {
            return Some(());
        }
        let uses = uses(body, &reads);
        let mut words = words(body, &reads);
        let mut by: Vec<Replacement> = Vec::new();
        let mut made = Made::default();
        for (read, uses) in reads.into_iter().zip(uses) {
            let known = |e: &Expr| replacement(e, &by);
            let count = |l: &Around| Around { var: l.var, count: l.count.substitute(known) };
            let source = read.source.substitute(&known);
            let read = LoopRead {
                source: match read.unnamed {
                    true => source,
                    false => self.with_bases(source, &mut made)?,
                },
                around: read.around.iter().map(count).collect(),
                guards: read.guards.iter().map(|g| g.substitute(known)).collect(),
                ..read
            };
            let digits = match &read.source {
                Source::Bytes(b) if !b.form.signed => Some(b.digits()),
                _ => None,
            };
            let flat = read.around.len() > MAX_DIMENSIONS;
            let mut parts = Vec::new();
            let number = match (uses, digits) {
                // Nothing depends on it.
                (Uses { plain: 0, other: 0 }, _) => Expr::Int(0),
                (Uses { plain: 1, other: 0 }, Some(digits)) => digits,
                _ if let Some(element) = element_of(&read, &made.arrays) => element,
                (_, Some(digits)) if flat || read.unnamed => digits,
                _ if flat => {
                    let message = "this number depends on more than three loops";
                    let d = Diagnostic::new(message, read.span, "here");
                    return self.refuse(d.help("read it as an unsigned number without conditions"));
                }
                _ => match self.next_of(&read, &made.arrays) {
                    Some(element) => element,
                    None => {
                        let element = self.hidden_array(&read)?;
                        if let Some(word) = words[by.len()].take() {
                            parts = self.parts(&read, &element, &word, &mut made)?;
                        } else if let Expr::Ref(r) = &element {
                            made.arrays.push((r.field, read.clone()));
                        }
                        element
                    }
                },
            };
            if number.size() > MAX_SIZE {
                let d = Diagnostic::new("this expression is too large", read.span, "here")
                    .help(format!("written out it has more than {MAX_SIZE} operands"));
                return self.refuse(d);
            }
            by.push(Replacement { number, parts });
        }
        replace(body, &|e| replacement(e, &by));
        self.bases_of(body, &mut made)?;
        replace(body, &|e| at_base(e, &made));
        self.first_and_last(body);
        Some(())
    }

    /// Returns the element that the next iteration of the innermost loop reads under another name, such as the end of a
    /// row that is the start of the next. Its array then has one element more than the loop has iterations.
    fn next_of(&mut self, read: &LoopRead, made: &[(FieldId, LoopRead)]) -> Option<Expr> {
        let Source::Bytes(bytes) = &read.source else { return None };
        let last = read.around.last()?;
        let var = Atom::Var(last.var);
        let next = Poly::atom(var.clone()).add(&Poly::int(1));
        let is_next = |of: &LoopRead| match &of.source {
            Source::Bytes(b) => {
                let there = Poly::of(&b.at).replace(&var, &next) == Poly::of(&bytes.at);
                there && (b.array, b.form) == (bytes.array, bytes.form)
            }
            _ => false,
        };
        let alike = |of: &LoopRead| of.around == read.around && of.guards == read.guards;
        let steady = read.guards.iter().all(|g| !g.mentions_var(last.var));
        let (field, _) = made.iter().find(|(_, of)| steady && alike(of) && is_next(of))?;
        let view = self.views.iter_mut().find(|v| v.field == *field)?;
        let longer = |count: &Expr| {
            // Without an iteration, nothing is read.
            Expr::bin(Op::Add, count.clone(), one_if_any(count))
        };
        let lengths = &mut self.input.as_mut()?.fields[field.0].lengths;
        if let (Some(Length::Is(length)), Some(level)) = (lengths.last_mut(), view.loops.last_mut())
            && *length == level.count
        {
            // The array may already be one element longer.
            if *length == last.count {
                *length = longer(length);
                level.count = length.clone();
            }
            let mut index: Vec<Expr> = read.around.iter().map(|l| Expr::Var(l.var)).collect();
            index.pop();
            index.push(next.to_expr());
            return Some(Expr::Ref(Ref {
                side: Side::Input,
                field: *field,
                index,
                span: read.span,
            }));
        }
        None
    }

    /// Declares the hidden array of a number, or a hidden scalar if the number depends on no loop. Returns the element
    /// that is read.
    pub(super) fn hidden_array(&mut self, read: &LoopRead) -> Option<Expr> {
        // The loops of its equation have separate variables.
        let first = self.vars.len();
        let own = |v: VarId| {
            let at = read.around.iter().position(|l| l.var == v)?;
            Some(VarId(first + at))
        };
        let renamed = |e: &Expr| match e {
            Expr::Var(v) => own(*v).map(Expr::Var),
            _ => None,
        };
        let loops: Vec<Around> = read
            .around
            .iter()
            .enumerate()
            .map(|(k, l)| Around { var: VarId(first + k), count: l.count.substitute(renamed) })
            .collect();
        for l in &read.around {
            self.vars.push(self.vars.get(l.var.0).cloned().unwrap_or_default());
        }
        let source = read.source.substitute(&renamed);
        let guards = read.guards.iter().map(|g| g.substitute(renamed)).collect();
        let span = read.span;
        let int = self.view_type(&source, &loops, span)?;
        // If elements decide the bound of a loop, the array has free length, so that the greatest bound fits.
        let settled = |count: &Expr| {
            let mut vars = false;
            count.vars(&mut |_| vars = true);
            !vars && !count.mentions(|r| !r.index.is_empty())
        };
        let lengths = loops.iter().map(|l| match settled(&l.count) {
            true => Length::Is(l.count.clone()),
            false => Length::Free,
        });
        let lengths = lengths.collect();
        let input = self.input.as_ref()?;
        let free = |name: &String| input.fields.iter().all(|f| f.dimension() != name);
        let name = std::iter::once(read.name.clone())
            .chain((2..).map(|k| format!("{}_{k}", read.name)))
            .find(free)?;
        let hidden = Field { name, int, lengths, element: None, span };
        let field = self.add_view(hidden, loops, guards, source)?;
        let index = read.around.iter().map(|l| Expr::Var(l.var)).collect();
        Some(Expr::Ref(Ref { side: Side::Input, field, index, span }))
    }
}

/// Returns the element of an array that holds a number read from the same bytes in another iteration, such as the
/// identifiers of all earlier records with which one is compared.
fn element_of(read: &LoopRead, made: &[(FieldId, LoopRead)]) -> Option<Expr> {
    let Source::Bytes(bytes) = &read.source else { return None };
    let loops = |around: &[Around]| -> Vec<Loop> {
        around.iter().map(|l| Loop { var: l.var, count: Poly::of(&l.count) }).collect()
    };
    let (at, around) = ([Poly::of(&bytes.at)], loops(&read.around));
    made.iter().find_map(|(field, of)| {
        let Source::Bytes(b) = &of.source else { return None };
        if (b.array, b.form) != (bytes.array, bytes.form) || !of.guards.is_empty() {
            return None;
        }
        let found = iteration(&[Poly::of(&b.at)], &loops(&of.around), &at, &around)?;
        let index = found.into_iter().map(|(_, value)| value.to_expr()).collect();
        Some(Expr::Ref(Ref { side: Side::Input, field: *field, index, span: read.span }))
    })
}

/// The number of uses of a number.
#[derive(Debug, Clone, Copy, Default)]
struct Uses {
    /// Used as the value of an output, possibly plus a numeral.
    plain: usize,
    /// All other uses: in indices, bounds, conditions, and together with other inputs.
    other: usize,
}

fn uses(body: &[Stmt], reads: &[LoopRead]) -> Vec<Uses> {
    let mut out = vec![Uses::default(); reads.len()];
    let mut other = |r: &Ref| {
        if let Some(uses) = pending(r).and_then(|k| out.get_mut(k)) {
            uses.other += 1;
        }
    };
    let mut plain = vec![0; reads.len()];
    statements(body, &mut |stmt| {
        if let StmtKind::Assign { target, value } = &stmt.kind
            && let Some(k) = alone(value)
        {
            target.index.iter().for_each(|i| i.refs(&mut other));
            if let Some(uses) = plain.get_mut(k) {
                *uses += 1;
            }
            return;
        }
        stmt.exprs(&mut |e| e.refs(&mut other));
    });
    for read in reads {
        read.source.refs(&mut other);
        read.guards.iter().for_each(|g| g.refs(&mut other));
        read.around.iter().for_each(|l| l.count.refs(&mut other));
    }
    for (uses, plain) in out.iter_mut().zip(plain) {
        uses.plain = plain;
    }
    out
}

/// Returns the read that forms a value, possibly plus a numeral or a loop variable.
fn alone(value: &Expr) -> Option<usize> {
    let mut refs = Vec::new();
    value.refs(&mut |r| refs.push(r));
    let [r] = refs[..] else { return None };
    let k = pending(r)?;
    let (coefficient, rest) = Poly::of(value).linear_in(&Poly::ref_atom(r))?;
    let clean = !rest.mentions(&Poly::ref_atom(r));
    (coefficient.as_int() == Some(1) && clean).then_some(k)
}

/// The expression that stands for a number that is read.
struct Replacement {
    number: Expr,
    /// The expressions for its parts, if it is a word of bit fields.
    parts: Vec<Part>,
}

fn replacement(e: &Expr, by: &[Replacement]) -> Option<Expr> {
    match e {
        Expr::Ref(r) => Some(by.get(pending(r)?)?.number.clone()),
        Expr::Bin(..) => {
            let width = |k: usize| by.get(k)?.parts.last().map(|((_, end), _)| *end);
            let (k, bits) = part_of(e, &width)?;
            let part = by.get(k)?.parts.iter().find(|(own, _)| *own == bits);
            part.map(|(_, element)| element.clone())
        }
        _ => None,
    }
}

/// Replaces the expressions in a body for which `by` returns a replacement.
fn replace(body: &mut [Stmt], by: &dyn Fn(&Expr) -> Option<Expr>) {
    let changed = |e: &mut Expr| *e = e.substitute(by);
    for stmt in body {
        match &mut stmt.kind {
            StmtKind::Assign { target, value } => {
                target.index.iter_mut().for_each(changed);
                changed(value);
            }
            StmtKind::Assume(p) => *p = p.substitute(by),
            StmtKind::If { cond, then, els } => {
                *cond = cond.substitute(by);
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
            // A program with walks has no placeholders.
            StmtKind::Walk(_) => {}
        }
    }
}

impl Source {
    /// Returns true if the loop variable occurs in it.
    fn mentions_var(&self, var: VarId) -> bool {
        match self {
            Source::Bytes(b) => b.at.mentions_var(var),
            Source::Is(e) => e.mentions_var(var),
            Source::Length(_) | Source::Last(_) => false,
            Source::If(p, a, b) => {
                p.mentions_var(var) || a.mentions_var(var) || b.mentions_var(var)
            }
        }
    }

    /// Calls `visit` on every reference.
    pub(super) fn refs<'s>(&'s self, visit: &mut dyn FnMut(&'s Ref)) {
        match self {
            Source::Bytes(b) => b.at.refs(visit),
            Source::Is(e) => e.refs(visit),
            Source::Length(_) | Source::Last(_) => {}
            Source::If(p, a, b) => {
                p.refs(visit);
                a.refs(visit);
                b.refs(visit);
            }
        }
    }

    /// Returns a copy with everything replaced for which `by` returns something.
    fn substitute(&self, by: &dyn Fn(&Expr) -> Option<Expr>) -> Source {
        match self {
            Source::Bytes(b) => Source::Bytes(Bytes { at: b.at.substitute(by), ..b.clone() }),
            Source::Is(e) => Source::Is(e.substitute(by)),
            Source::Length(_) | Source::Last(_) => self.clone(),
            Source::If(p, a, b) => {
                Source::If(p.substitute(by), Box::new(a.substitute(by)), Box::new(b.substitute(by)))
            }
        }
    }
}
