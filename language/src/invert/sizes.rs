//! Scalars that are more than places, and are chosen before places are.

use std::collections::BTreeSet;

use super::state::State;
use crate::program::fold::statements;
use crate::program::views::Source;
use crate::program::{Atom, Cmp, Expr, FieldId, Poly, Pred, Program, Side, Stmt, StmtKind};

/// Scalars that are more than places, because they bound a loop, guard a branch, scale an index or enter a value.
pub fn sizes(body: &[Stmt]) -> BTreeSet<FieldId> {
    fn all(p: &Poly, out: &mut BTreeSet<FieldId>) {
        p.any_atom(&mut |a| {
            if let Atom::Ref(Side::Input, field, index) = a
                && index.is_empty()
            {
                out.insert(*field);
            }
            false
        });
    }
    fn index(p: &Poly, out: &mut BTreeSet<FieldId>) {
        for (monomial, c) in p.terms() {
            match &monomial[..] {
                [Atom::Ref(Side::Input, _, index)] if index.is_empty() && c == 1 => {}
                [Atom::Ref(Side::Input, _, inner)] => inner.iter().for_each(|p| all(p, out)),
                atoms => atoms.iter().for_each(|a| all(&Poly::atom(a.clone()), out)),
            }
        }
    }
    let mut out = BTreeSet::new();
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign { target, value } => {
                target.index.iter().for_each(|i| all(&Poly::of(i), &mut out));
                value.top_refs(&mut |r| {
                    if r.index.is_empty() {
                        all(&Poly::atom(Poly::ref_atom(r)), &mut out);
                    }
                    r.index.iter().for_each(|i| index(&Poly::of(i), &mut out));
                });
            }
            // Its elements may be assigned, if an equation determines them.
            StmtKind::Assume(p) => p.exprs(&mut |e| {
                e.top_refs(&mut |r| r.index.iter().for_each(|i| index(&Poly::of(i), &mut out)));
            }),
            StmtKind::If { cond, then, els } => {
                cond.exprs(&mut |e| all(&Poly::of(e), &mut out));
                out.extend(sizes(then));
                out.extend(sizes(els));
            }
            StmtKind::For { count, body, .. } => {
                all(&Poly::of(count), &mut out);
                out.extend(sizes(body));
            }
            StmtKind::Reserve { start, end, .. } => {
                let (start, end) = (Poly::of(start), Poly::of(end));
                index(&start, &mut out);
                all(&end.sub(&start), &mut out);
            }
            StmtKind::Decode { args, .. } => {
                args.iter().for_each(|e| all(&Poly::of(e), &mut out));
            }
            StmtKind::Walk(_) => {}
        }
    }
    out
}

/// Returns the numbers that a `let` computes from sizes alone, without reading bytes; they are sizes as well. Numbers
/// computed from places are left out.
pub fn computed(program: &Program, state: &State, sizes: &BTreeSet<FieldId>) -> BTreeSet<FieldId> {
    let mut out = BTreeSet::new();
    for view in &program.views {
        let known = |e: &Expr| {
            !e.mentions(|r| {
                let is_size = sizes.contains(&r.field) || out.contains(&r.field);
                let is_chosen = state.ensured_scalars.contains(&r.field);
                r.side == Side::Input && (!r.index.is_empty() || is_chosen && !is_size)
            })
        };
        if view.loops.is_empty() && leaves(&view.source, &known) {
            out.insert(view.field);
        }
    }
    out
}

fn leaves(source: &Source, known: &dyn Fn(&Expr) -> bool) -> bool {
    match source {
        Source::Is(e) => known(e),
        Source::If(_, then, els) => leaves(then, known) && leaves(els, known),
        Source::Bytes(_) | Source::Length(_) | Source::Last(_) => false,
    }
}

/// Returns the scalars that an assumption equates with the length of an array, as in
/// `assume(len(x.file) == 80 + size)`: without them, the length itself would be chosen.
pub fn equated_with_length(program: &Program) -> BTreeSet<FieldId> {
    let is_length = |field: FieldId| {
        program.views.iter().any(|v| v.field == field && matches!(v.source, Source::Length(_)))
    };
    let mut out = BTreeSet::new();
    statements(&program.body, &mut |stmt| {
        let StmtKind::Assume(p) = &stmt.kind else { return };
        let mut open = vec![p];
        while let Some(p) = open.pop() {
            match p {
                Pred::And(all) => open.extend(all),
                Pred::Cmp(Cmp::Eq, a, b) => {
                    let difference = Poly::of(a).sub(&Poly::of(b));
                    let mut scalars = BTreeSet::new();
                    for (monomial, _) in difference.terms() {
                        for atom in monomial {
                            if let Atom::Ref(Side::Input, field, index) = atom
                                && index.is_empty()
                            {
                                scalars.insert(*field);
                            }
                        }
                    }
                    if scalars.iter().any(|f| is_length(*f)) {
                        out.extend(scalars.into_iter().filter(|f| !is_length(*f)));
                    }
                }
                _ => {}
            }
        }
    });
    out
}
