//! Emits statements: assignments, assumptions, branches, and loops that are not nests.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::names;
use crate::lower::{Kind, Mode, Node, Scope};
use crate::program::{Expr, FieldId, Length, Pred, Program, Ref, Side, Span, VarId};

/// Emits statements.
pub(super) struct Emitter<'p> {
    /// The surroundings of the statement.
    pub scope: Scope<'p>,
    /// The loops around the statement, outermost first: variable and name.
    names: Vec<(VarId, Ident)>,
    /// The lines of the spec, for comments.
    pub comments: &'p super::text::Comments,
}

impl<'p> Emitter<'p> {
    pub fn new(program: &'p Program, mode: Mode, comments: &'p super::text::Comments) -> Self {
        Self { scope: Scope::new(program, mode), names: Vec::new(), comments }
    }

    /// A loop variable's name.
    pub fn var(&self, var: VarId) -> Ident {
        let found = self.names.iter().rev().find(|(v, _)| *v == var);
        // A variable outside its loop is a bug, so the emitted code must not compile.
        found.map_or_else(|| quote::format_ident!("no_loop"), |(_, name)| name.clone())
    }

    /// Emits a field's identifier: `x::WIDTH`.
    pub fn field(&self, side: Side, field: FieldId) -> TokenStream {
        let module = names::module(self.scope.program, side);
        let name = names::constant(self.scope.program, side, field);
        quote!(#module::#name)
    }

    /// Returns the budget that rounds are counted in.
    pub fn budget(&self) -> TokenStream {
        match self.scope.mode {
            Mode::Backward => quote!(frame.budget),
            Mode::Forward | Mode::Condition => quote!(budget),
        }
    }

    /// Enters a loop and returns the name of its variable.
    pub fn enter(&mut self, var: VarId, count: &Expr) -> Ident {
        self.scope.enter(var, count);
        let taken = self.names.iter().map(|(_, name)| name);
        let name = names::variable(&self.scope.program.vars[var.0], taken);
        self.names.push((var, name.clone()));
        name
    }

    /// Leaves the innermost loops, such that `depth` are left.
    pub fn leave_to(&mut self, depth: usize) {
        self.scope.leave_to(depth);
        self.names.truncate(depth);
    }

    /// Emits local variables for the given scalars and arrays that `exprs` read.
    pub fn given(&self, exprs: &[&Expr]) -> TokenStream {
        let mut used = BTreeSet::new();
        for e in exprs {
            e.refs(&mut |r| {
                used.insert((r.side, r.field));
            });
        }
        let written = self.scope.written();
        let lets = used.into_iter().filter(|(side, _)| *side != written).map(|(side, field)| {
            let name = names::local(self.scope.program, side, field);
            let f = &self.scope.program.record(side).fields[field];
            let place = self.field(side, field);
            let int = quote::format_ident!("{}", f.int.name());
            let scalar = f.is_scalar();
            match self.scope.mode {
                Mode::Forward if scalar => quote!(let #name = given(value, #place)?;),
                Mode::Forward => quote!(let #name = Source::<#int>::given(value, #place)?;),
                Mode::Backward if scalar => {
                    quote!(let #name = frame.given.scalar(#place).ok_or(Irregular)?;)
                }
                Mode::Backward => quote!(let #name = Source::<#int>::whole(frame.given, #place)?;),
                Mode::Condition if scalar => {
                    quote!(let #name = given.scalar(#place).ok_or(Irregular)?;)
                }
                Mode::Condition => quote!(let #name = Source::<#int>::whole(given, #place)?;),
            }
        });
        lets.collect()
    }

    /// Emits statements, one after the other.
    pub fn block(&mut self, nodes: &[Node<'_>]) -> TokenStream {
        nodes.iter().map(|n| self.statement(n)).collect()
    }

    fn statement(&mut self, node: &Node<'_>) -> TokenStream {
        let comment = self.comments.statement(node.span);
        match &node.kind {
            Kind::Assign(target, value) => {
                let noted = self.note(target.index.iter().chain([*value]));
                let assign = self.assign(target, value);
                quote!(#comment #noted #assign)
            }
            Kind::Assume(p) => {
                let noted = self.note_pred(p);
                let p = self.pred(p);
                quote!(#comment #noted assume(#p)?;)
            }
            Kind::If(cond, then, els) => {
                let comment = self.comments.header(node.span);
                let noted = self.note_pred(cond);
                let cond = self.pred(cond);
                let (then, els) = (self.block(then), self.otherwise(els));
                quote!(#comment #noted if #cond { #then } #els)
            }
            Kind::For(var, count, body) => match self.nest(node) {
                Some(nest) => nest,
                None => self.plain_loop(*var, count, body, node.span),
            },
            Kind::Reserve(field, start, end) => {
                let noted = self.note([*start, *end].into_iter());
                let reads = names::reads(self.scope.program, *field);
                let (start, end) = (self.expr(start), self.expr(end));
                quote!(#comment #noted #reads.reserve(#start, #end);)
            }
        }
    }

    fn otherwise(&mut self, els: &[Node<'_>]) -> TokenStream {
        if let [Node { kind: Kind::If(cond, then, els), .. }] = els
            && self.note_pred(cond).is_empty()
        {
            let cond = self.pred(cond);
            let (then, els) = (self.block(then), self.otherwise(els));
            return quote!(else if #cond { #then } #els);
        }
        match self.block(els) {
            els if els.is_empty() => els,
            els => quote!(else { #els }),
        }
    }

    fn plain_loop(
        &mut self,
        var: VarId,
        count: &Expr,
        body: &[Node<'_>],
        span: Span,
    ) -> TokenStream {
        let comment = self.comments.header(span);
        let noted = self.note([count].into_iter());
        let (rounds, budget) = (self.typed(count), self.budget());
        let depth = self.scope.depth();
        let name = self.enter(var, count);
        let body = self.block(body);
        self.leave_to(depth);
        quote! {
            #comment
            #noted
            for #name in 0..#rounds {
                #budget.take(1)?;
                #body
            }
        }
    }

    fn assign(&self, target: &Ref, value: &Expr) -> TokenStream {
        let (value, index) = (self.expr(value), target.index.iter().map(|i| self.expr(i)));
        let name = names::local(self.scope.program, target.side, target.field);
        let place = self.field(target.side, target.field);
        let f = self.scope.program.field(target);
        let int = quote::format_ident!("{}", f.int.name());
        let (lo, hi) = f.int.range();
        let (lo, hi) = (Literal::i128_unsuffixed(lo), Literal::i128_unsuffixed(hi));
        match (self.scope.mode, f.is_scalar()) {
            (Mode::Forward, true) => quote!(#name.assign((#lo, #hi), #value)?;),
            (Mode::Forward, false) => {
                let allocate = self.allocate(target.field);
                quote! {
                    #allocate
                    #name.assign(&[#(#index),*], #value)?;
                }
            }
            (_, true) => quote! {
                let value = #value;
                frame.settle(#place, (#lo, #hi), value)?;
            },
            (_, false) => {
                // The operands are read before the frame is written.
                quote! {
                    let (index, value) = ([#(#index),*], #value);
                    frame.set::<#int>(#place, &index, value)?;
                }
            }
        }
    }

    /// Emits the allocation of an output array.
    pub fn allocate(&self, field: FieldId) -> TokenStream {
        let name = names::local(self.scope.program, Side::Output, field);
        let lengths = self.scope.program.output.fields[field].lengths.iter().map(|l| match l {
            Length::Is(e) => self.expr(e),
            // Well-formed outputs have lengths.
            Length::Free => quote!(0),
        });
        quote!(#name.allocate(&mut budget, || Ok([#(#lengths),*]))?;)
    }

    /// Emits code that records what expressions read of arrays with reservations.
    fn note<'e>(&self, exprs: impl Iterator<Item = &'e Expr>) -> TokenStream {
        let mut out = TokenStream::new();
        for e in exprs {
            e.refs(&mut |r| out.extend(self.note_ref(r)));
        }
        out
    }

    fn note_pred(&self, p: &Pred) -> TokenStream {
        let mut out = TokenStream::new();
        p.refs(&mut |r| out.extend(self.note_ref(r)));
        out
    }

    fn note_ref(&self, r: &Ref) -> Option<TokenStream> {
        if !self.scope.is_noted(r) {
            return None;
        }
        let reads = names::reads(self.scope.program, r.field);
        let name = names::local(self.scope.program, r.side, r.field);
        let index = r.index.iter().map(|i| self.expr(i));
        Some(quote!(#reads.one(|| #name.place(&[#(#index),*]));))
    }

    /// Emits a predicate, which ends the function with `false` if it does not hold.
    pub fn condition(&self, p: &Pred) -> TokenStream {
        let mut scope = self.scope.clone();
        scope.reserved.clear();
        let mut inner = Emitter { scope, names: self.names.clone(), comments: self.comments };
        inner.conditions(p)
    }

    fn conditions(&mut self, p: &Pred) -> TokenStream {
        match p {
            Pred::And(ps) => ps.iter().map(|p| self.conditions(p)).collect(),
            Pred::All(var, count, inner) => {
                if let Some(nest) = self.nest(&Node::all(*var, count, inner)) {
                    return nest;
                }
                let (rounds, budget) = (self.typed(count), self.budget());
                let depth = self.scope.depth();
                let name = self.enter(*var, count);
                let body = self.conditions(inner);
                self.leave_to(depth);
                quote!(for #name in 0..#rounds { #budget.take(1)?; #body })
            }
            p => {
                let p = self.pred(p);
                quote!(if !(#p) { return Ok(false); })
            }
        }
    }
}
