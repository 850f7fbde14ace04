//! Emits nests of loops over elements at affine indices, as calls of
//! [`Nest`](crate::run::compiled::Nest).

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::emitter::Emitter;
use super::kernel::Kernel;
use super::names;
use crate::lower::{self, Aim, Hull, Lane, Mode, Node, Step, Work};
use crate::program::{Expr, Pred, Side};

impl Emitter<'_> {
    /// Emits the loop `node` as a nest; `None` if it is not one.
    pub fn nest(&mut self, node: &Node<'_>) -> Option<TokenStream> {
        let nest = lower::nest(&self.scope, node)?;
        let depth = self.scope.depth();
        let counts: Vec<TokenStream> =
            nest.levels.iter().map(|(_, count, _)| self.expr(count)).collect();
        for (var, count, _) in &nest.levels {
            self.enter(*var, count);
        }
        let steps: TokenStream = nest.steps.iter().map(|step| self.step(step)).collect();
        self.leave_to(depth);
        let comments = nest.levels.iter().map(|(.., span)| self.comments.header(*span));
        let comments: TokenStream = comments.collect();
        let budget = self.budget();
        Some(quote! {
            #comments
            if let Some(nest) = Nest::new(&[#(#counts),*], &mut #budget)? {
                #steps
            }
        })
    }

    fn step(&self, step: &Step) -> TokenStream {
        let comment = self.comments.statement(step.span);
        let lanes: TokenStream =
            step.lanes.iter().enumerate().map(|(k, lane)| self.lane(k, lane)).collect();
        let from = (0..step.lanes.len()).map(|k| format_ident!("from{k}"));
        let work = match &step.work {
            Work::Fill(aim, value) => {
                let value = self.expr(value);
                self.write(aim, &lanes, &quote!(nest.fill(to, #value)?;))
            }
            Work::Copy(aim) => self.write(aim, &lanes, &quote!(nest.copy(to, #(#from),*)?;)),
            Work::Map(aim, value, hull) => {
                let map = format_ident!("map{}", step.lanes.len());
                let kernel = Kernel::new(&step.lanes, *hull);
                let int = self.scope.program.field(&aim.target).int;
                let (scalars, body) = kernel.value(self, value, int);
                let params = kernel.params();
                let done = quote! {
                    #scalars
                    nest.#map(to, #(#from,)* |#(#params),*| #body)?;
                };
                self.write(aim, &lanes, &done)
            }
            Work::Check(p, hull) => self.check(&step.lanes, &lanes, p, *hull),
        };
        quote!(#comment #work)
    }

    fn write(&self, aim: &Aim, lanes: &TokenStream, done: &TokenStream) -> TokenStream {
        let Aim { target, index } = aim;
        let index = self.index(index);
        let int = format_ident!("{}", self.scope.program.field(target).int.name());
        let name = names::local(self.scope.program, target.side, target.field);
        let place = self.field(target.side, target.field);
        match self.scope.mode {
            Mode::Forward => {
                let allocate = self.allocate(target.field);
                quote!(#allocate #lanes let to = #name.target()?.at(&nest, #index)?; #done)
            }
            Mode::Backward | Mode::Condition => quote! {
                frame.write(#place, |frame, #name: Target<'_, #int>| {
                    #lanes
                    let to = #name.at(&nest, #index)?;
                    #done
                    Ok(())
                })?;
            },
        }
    }

    fn check(&self, lanes: &[Lane], bound: &TokenStream, p: &Pred, hull: Hull) -> TokenStream {
        let (before, holds) = match lanes.len() {
            0 => (TokenStream::new(), self.pred(p)),
            n => {
                let all = format_ident!("all{n}");
                let from = (0..n).map(|k| format_ident!("from{k}"));
                let kernel = Kernel::new(lanes, hull);
                let params = kernel.params();
                let (scalars, body) = kernel.pred(self, p);
                (quote!(#bound #scalars), quote!(nest.#all(#(#from,)* |#(#params),*| #body)))
            }
        };
        match (self.scope.mode, lanes) {
            (Mode::Condition, []) => quote!(if !(#holds) { return Ok(false); }),
            (Mode::Condition, _) => quote!(#before if !#holds { return Ok(false); }),
            _ => quote!(#before assume(#holds)?;),
        }
    }

    /// Emits a variable for an element that is read.
    fn lane(&self, k: usize, lane: &Lane) -> TokenStream {
        let r = &lane.element;
        let index = self.index(&lane.index);
        let name = names::local(self.scope.program, r.side, r.field);
        let from = format_ident!("from{k}");
        let bound = if lane.own && self.scope.mode == Mode::Backward {
            let int = format_ident!("{}", self.scope.program.field(r).int.name());
            let place = self.field(r.side, r.field);
            quote!(let #from = frame.at::<#int>(#place, &nest, #index)?;)
        } else {
            quote!(let #from = #name.at(&nest, #index)?;)
        };
        let noted = (r.side == Side::Input && self.scope.reserved.contains(&r.field)).then(|| {
            let reads = names::reads(self.scope.program, r.field);
            quote!(#reads.nest(&nest, &#from);)
        });
        quote!(#bound #noted)
    }

    /// Emits the indices of a reference.
    fn index(&self, index: &[Vec<Expr>]) -> TokenStream {
        let rows = index.iter().map(|row| {
            let all = row.iter().map(|e| self.expr(e));
            quote!(&[#(#all),*])
        });
        quote!(&[#(#rows),*])
    }
}
