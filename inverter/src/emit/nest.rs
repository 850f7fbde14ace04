//! Emits nests of loops over elements at affine indices, as calls of
//! [`Nest`](crate::run::compiled::Nest), which checks indices once, at the corners of the nest.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::emitter::{Emitter, Mode};
use super::expr::SURE;
use super::kernel::Kernel;
use super::names;
use super::node::{Kind, Node};
use crate::program::{Atom, Expr, FieldId, Op, Poly, Pred, Ref, Side, Span, VarId};

/// The most loops that a nest may have.
const MOST: usize = 6;

/// A step that each round executes.
enum Step<'p> {
    Write(&'p Ref, Expr, Span),
    Check(Pred, Span),
}

/// Nested loops, and the steps of the innermost.
struct Shape<'p> {
    levels: Vec<(VarId, &'p Expr, Span)>,
    steps: Vec<Step<'p>>,
    /// The arrays that are written.
    writes: Vec<FieldId>,
}

impl Emitter<'_> {
    /// Emits the loop `node` as a nest; `None` if it is not one.
    pub fn nest(&mut self, node: &Node<'_>) -> Option<TokenStream> {
        let shape = shape(node)?;
        let free = |e: &Expr| self.invariant(&Poly::of(e), &shape);
        if !shape.levels.iter().all(|(_, count, _)| free(count) && self.notes(count).is_none()) {
            return None;
        }
        // Counts are evaluated before the first round, so none may depend on a round.
        let depth = self.scope.len();
        let counts: Vec<TokenStream> =
            shape.levels.iter().map(|(_, count, _)| self.expr(count)).collect();
        for (var, count, _) in &shape.levels {
            self.enter(*var, count);
        }
        let steps = self.steps(&shape);
        self.scope.truncate(depth);
        let steps = steps?;
        let comments = shape.levels.iter().map(|(.., span)| self.comments.header(*span));
        let comments: TokenStream = comments.collect();
        let budget = self.budget();
        Some(quote! {
            #comments
            if let Some(nest) = Nest::new(&[#(#counts),*], &mut #budget)? {
                #steps
            }
        })
    }

    fn steps(&self, shape: &Shape<'_>) -> Option<TokenStream> {
        let mut certain: Vec<&Ref> = Vec::new();
        for step in &shape.steps {
            match step {
                Step::Write(target, value, _) => {
                    certain.push(target);
                    value.top_refs(&mut |r| certain.push(r));
                }
                Step::Check(p, _) => surely(p, &mut certain),
            }
        }
        let mut out = TokenStream::new();
        for step in &shape.steps {
            let (made, span) = match step {
                Step::Write(target, value, span) => (self.write(shape, target, value)?, *span),
                Step::Check(p, span) => {
                    let mut known = true;
                    p.exprs(&mut |e| {
                        e.top_refs(&mut |r| {
                            known &= r.index.is_empty() || certain.contains(&r);
                        });
                    });
                    // An element that is not read in every round may be outside the array.
                    if !known {
                        return None;
                    }
                    (self.check(shape, p)?, *span)
                }
            };
            out.extend(self.comments.statement(span));
            out.extend(made);
        }
        Some(out)
    }

    fn write(&self, shape: &Shape<'_>, target: &Ref, value: &Expr) -> Option<TokenStream> {
        let kernel = Kernel::of(self, &[value], &shape.vars())?;
        let lanes = self.lanes(shape, &kernel)?;
        let index = self.index(shape, target)?;
        let f = self.program.field(target);
        let int = format_ident!("{}", f.int.name());
        let name = names::local(self.program, target.side, target.field);
        let place = self.field(target.side, target.field);
        let aim = match self.mode {
            Mode::Forward => quote!(#name.target()?.at(&nest, #index)?),
            Mode::Backward | Mode::Condition => quote!(#name.at(&nest, #index)?),
        };
        let from = (0..kernel.lanes.len()).map(|k| format_ident!("from{k}"));
        let done = match (value, &kernel.lanes[..]) {
            (value, []) => {
                let value = self.expr(value);
                quote!(nest.fill(to, #value)?;)
            }
            (Expr::Ref(r), [_]) if self.program.field(r).int == f.int => {
                quote!(nest.copy(to, #(#from),*)?;)
            }
            _ => {
                let map = format_ident!("map{}", kernel.lanes.len());
                let (scalars, body) = kernel.value(self, value, f.int)?;
                let params = kernel.params();
                quote! {
                    #scalars
                    nest.#map(to, #(#from,)* |#(#params),*| #body)?;
                }
            }
        };
        Some(match self.mode {
            Mode::Forward => {
                let allocate = self.allocate(target.field);
                quote!(#allocate #lanes let to = #aim; #done)
            }
            Mode::Backward | Mode::Condition => quote! {
                frame.write(#place, |frame, #name: Target<'_, #int>| {
                    #lanes
                    let to = #aim;
                    #done
                    Ok(())
                })?;
            },
        })
    }

    fn check(&self, shape: &Shape<'_>, p: &Pred) -> Option<TokenStream> {
        let mut exprs = Vec::new();
        p.exprs(&mut |e| exprs.push(e));
        let kernel = Kernel::of(self, &exprs, &shape.vars())?;
        let holds = if kernel.lanes.is_empty() {
            self.pred(p)
        } else {
            let all = format_ident!("all{}", kernel.lanes.len());
            let from = (0..kernel.lanes.len()).map(|k| format_ident!("from{k}"));
            let params = kernel.params();
            let (scalars, body) = kernel.pred(self, p)?;
            let lanes = self.lanes(shape, &kernel)?;
            let holds = quote!(nest.#all(#(#from,)* |#(#params),*| #body));
            return Some(match self.mode {
                Mode::Condition => quote!(#lanes #scalars if !#holds { return Ok(false); }),
                _ => quote!(#lanes #scalars assume(#holds)?;),
            });
        };
        Some(match self.mode {
            Mode::Condition => quote!(if !(#holds) { return Ok(false); }),
            _ => quote!(assume(#holds)?;),
        })
    }

    /// Emits a variable for each element that is read.
    fn lanes(&self, shape: &Shape<'_>, kernel: &Kernel<'_>) -> Option<TokenStream> {
        let mut out = TokenStream::new();
        for (k, r) in kernel.lanes.iter().enumerate() {
            let own = r.side == self.written();
            if own && shape.writes.contains(&r.field) {
                return None;
            }
            let index = self.index(shape, r)?;
            let name = names::local(self.program, r.side, r.field);
            let from = format_ident!("from{k}");
            if own && self.mode == Mode::Backward {
                let int = format_ident!("{}", self.program.field(r).int.name());
                let place = self.field(r.side, r.field);
                out.extend(quote!(let #from = frame.at::<#int>(#place, &nest, #index)?;));
            } else {
                out.extend(quote!(let #from = #name.at(&nest, #index)?;));
            }
            if r.side == Side::Input && self.reserved.contains(&r.field) {
                let reads = names::reads(self.program, r.field);
                out.extend(quote!(#reads.nest(&nest, &#from);));
            }
        }
        Some(out)
    }

    /// Emits the indices of a reference, each as its constant and its coefficients of the loops;
    /// `None` if one is not affine.
    fn index(&self, shape: &Shape<'_>, r: &Ref) -> Option<TokenStream> {
        let rows = r.index.iter().map(|i| {
            if !self.plain(i) {
                return None;
            }
            let mut rest = Poly::of(i);
            let mut steps = Vec::new();
            for (var, ..) in &shape.levels {
                let (step, other) = rest.linear_in(&Atom::Var(*var))?;
                steps.push(step);
                rest = other;
            }
            let all = std::iter::once(&rest).chain(&steps);
            if !all.clone().all(|p| self.invariant(p, shape)) {
                return None;
            }
            let all = all.map(|p| self.expr(&p.to_expr()));
            Some(quote!(&[#(#all),*]))
        });
        let rows = rows.collect::<Option<Vec<_>>>()?;
        Some(quote!(&[#(#rows),*]))
    }

    /// Returns true if an index may be computed from its polynomial: the polynomial drops no
    /// reference, and no part of it overflows 128 bits unless the whole does.
    fn plain(&self, e: &Expr) -> bool {
        let (lo, hi) = self.range(e);
        let sure = lo >= -SURE && hi <= SURE;
        let poly = Poly::of(e);
        let mut kept = self.notes(e).is_none();
        e.refs(&mut |r| kept &= poly.mentions(&Poly::ref_atom(r)));
        kept && (sure || !subtracts(e))
    }

    /// Returns `Some` if `e` reads an array with reservations, as such reads are recorded one by
    /// one.
    fn notes(&self, e: &Expr) -> Option<()> {
        let mut found = None;
        e.refs(&mut |r| {
            if r.side == Side::Input && !r.index.is_empty() && self.reserved.contains(&r.field) {
                found = Some(());
            }
        });
        found
    }

    /// Returns true if `p` has the same value in all rounds.
    fn invariant(&self, p: &Poly, shape: &Shape<'_>) -> bool {
        let written = self.written();
        !p.any_atom(&mut |a| match a {
            Atom::Var(v) => shape.levels.iter().any(|(w, ..)| v == w),
            Atom::Ref(side, field, index) => {
                *side == written && !index.is_empty() && shape.writes.contains(field)
            }
            Atom::Op(..) => false,
        })
    }
}

impl Shape<'_> {
    fn vars(&self) -> Vec<VarId> {
        self.levels.iter().map(|(var, ..)| *var).collect()
    }
}

/// Returns the shape of loops inside one another that contain only assignments of elements and
/// assumptions; `None` if `node` is anything else.
fn shape<'p>(node: &Node<'p>) -> Option<Shape<'p>> {
    let mut levels = Vec::new();
    let mut at = node;
    let leaves = loop {
        let Kind::For(var, count, body) = &at.kind else { return None };
        levels.push((*var, *count, at.span));
        match &body[..] {
            [inner @ Node { kind: Kind::For(..), .. }] if levels.len() < MOST => at = inner,
            leaves => break leaves,
        }
    };
    if leaves.is_empty() {
        return None;
    }
    let (mut steps, mut writes) = (Vec::new(), Vec::new());
    // A read of an element that is assigned in the same round is replaced by its value.
    let mut stored: Vec<(&Ref, Expr)> = Vec::new();
    for leaf in leaves {
        match &leaf.kind {
            Kind::Assign(target, value) if !target.index.is_empty() => {
                let value = substitute(value, &stored);
                if value.size() > 64 {
                    return None;
                }
                writes.push(target.field);
                stored.push((target, value.clone()));
                steps.push(Step::Write(target, value, leaf.span));
            }
            Kind::Assume(p) => {
                steps.push(Step::Check(substitute_pred(p, &stored)?, leaf.span));
            }
            _ => return None,
        }
    }
    Some(Shape { levels, steps, writes })
}

fn substitute(e: &Expr, stored: &[(&Ref, Expr)]) -> Expr {
    match e {
        Expr::Int(_) | Expr::Var(_) => e.clone(),
        Expr::Ref(r) => match stored.iter().find(|(s, _)| *s == r) {
            Some((_, value)) => value.clone(),
            None => e.clone(),
        },
        Expr::Bin(op, a, b) => Expr::bin(*op, substitute(a, stored), substitute(b, stored)),
    }
}

fn substitute_pred(p: &Pred, stored: &[(&Ref, Expr)]) -> Option<Pred> {
    let all =
        |ps: &[Pred]| ps.iter().map(|p| substitute_pred(p, stored)).collect::<Option<Vec<_>>>();
    Some(match p {
        Pred::Const(_) => p.clone(),
        Pred::Cmp(cmp, a, b) => Pred::Cmp(*cmp, substitute(a, stored), substitute(b, stored)),
        Pred::And(ps) => Pred::And(all(ps)?),
        Pred::Or(ps) => Pred::Or(all(ps)?),
        Pred::All(..) => return None,
    })
}

/// Collects the references that are read whatever the values.
fn surely<'p>(p: &'p Pred, out: &mut Vec<&'p Ref>) {
    match p {
        Pred::Cmp(_, a, b) => {
            a.top_refs(&mut |r| out.push(r));
            b.top_refs(&mut |r| out.push(r));
        }
        Pred::And(ps) | Pred::Or(ps) => ps.first().into_iter().for_each(|p| surely(p, out)),
        Pred::Const(_) | Pred::All(..) => {}
    }
}

fn subtracts(e: &Expr) -> bool {
    match e {
        Expr::Int(n) => *n < 0,
        Expr::Var(_) => false,
        Expr::Ref(r) => r.index.iter().any(subtracts),
        Expr::Bin(op, a, b) => *op == Op::Sub || subtracts(a) || subtracts(b),
    }
}
